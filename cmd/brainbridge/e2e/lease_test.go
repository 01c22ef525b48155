package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// due fills the brain with memories that have expired by the day of later.
func (h *home) due(files, each int) {
	h.t.Helper()
	for i := range files {
		var text strings.Builder
		for j := range each {
			text.WriteString(outcome(fmt.Sprintf("%02d:00", j%24), fmt.Sprint("Note ", i, " ", j), fmt.Sprint("fact ", i, " ", j)))
		}
		h.save(fmt.Sprintf("2026-01-%02d-%04d.md", i%28+1, i), text.String())
	}
	h.ok("notes", "sync")
}

// A consolidation that was killed holds up nobody, and leaves nothing half done.
func TestKilledConsolidationIsTakenOver(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		const files, each = 200, 20
		h.due(files, each)
		h.env = append(h.env, "BRAINBRIDGE_NOW="+time.Now().AddDate(1, 0, 0).Format(time.RFC3339))
		first := h.command(context.Background(), "consolidate", "--wait", "1m")
		must(t, first.Start())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = first.Wait() // it is killed
		}()
		t.Cleanup(func() {
			_ = first.Process.Kill()
			<-ended
		})
		h.heldBy(first, ended)
		must(t, first.Process.Kill())
		<-ended

		// At once: whoever waited for the lease to run out would be told 4.
		h.ok("consolidate")
		s := h.status()
		want(t, "total", s.Total, files*each)
		want(t, "expired", s.Tiers["expired"], files*each)
		want(t, "due after it", len(ask[struct{ Actions []any }](h, "consolidate").Actions), 0)
	})
}

// heldBy waits until a run holds the lock, and wants that another one is told
// whose it is. It looks with one that has nothing to do.
func (h *home) heldBy(first *exec.Cmd, ended <-chan struct{}) {
	h.t.Helper()
	eventually(h.t, func() error {
		select {
		case <-ended:
			h.t.Fatal("the first run ended before anybody saw it")
		default:
		}
		a := h.run("promote", "--test-only")
		if a.code != 4 {
			return errors.New("nobody holds the lock")
		}
		says(h.t, a.err, "running since", fmt.Sprint("pid ", first.Process.Pid))
		return nil
	})
}
