package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A move that is killed has changed nothing or is complete, and can be carried out again. What is
// captured meanwhile is in the brain once, wherever that is in the end.
func TestKillLoopOverMove(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		first := h.firstState()
		here, there := "sqlite:"+h.database(), "sqlite:"+h.path("other", "brain.db")
		rounds := 12
		if !h.embedded() {
			rounds = 8
			h.ok("init") // records the store, so that the settings may follow
			h.env = slices.DeleteFunc(h.env, func(v string) bool {
				uri, found := strings.CutPrefix(v, "BRAINBRIDGE_STORE=")
				if found {
					here = uri
				}
				return found
			})
		}
		l := newKillLoop(t, rounds, func() {
			h.ok("backup", "move", here, there)
			h.ok("backup", "move", there, here)
		})
		l.life /= 2
		var acked []string
		for i := range l.rounds {
			acked = append(acked, l.moveKilled(h, i, here, there)...)
			if h.present() == there {
				here, there = there, here
			}
		}
		after := h.backup()
		if !slices.Equal(after.graph, first.graph) {
			differ(t, "after the moves, the graph", after.graph, first.graph)
		}
		for _, name := range acked {
			if n := after.captures[name]; n != 1 && name != "" {
				l.lost++
				t.Errorf("the capture %q is stored %d times", name, n)
			}
		}
	})
}

// present is the store that the brain is in.
func (h *home) present() string {
	h.t.Helper()
	return ask[struct{ Store string }](h, "status").Store
}

// moveKilled kills a move, while somebody captures, uses the brain, and then moves it. It returns
// the captures that were acknowledged.
func (l *killLoop) moveKilled(h *home, round int, here, there string) (acked []string) {
	l.t.Helper()
	meanwhile, delay := make(chan string), l.instant()
	go func() {
		<-time.After(delay)
		meanwhile <- l.capture(h, fmt.Sprint("during ", round))
	}()
	l.kill(h, "backup", "move", here, there)
	acked = append(acked, <-meanwhile)
	for i := range 2 {
		name := fmt.Sprintf("after %d, %d", round, i)
		l.works(h, "-q", "remember", killMark+name)
		acked = append(acked, name)
		l.anything(h)
	}
	if h.present() == here {
		l.unfinished++
		l.works(h, "backup", "move", here, there)
	}
	if now := h.present(); now != there {
		l.t.Errorf("after the move the brain is in %s, not in %s", now, there)
	}
	return acked
}
