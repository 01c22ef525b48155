package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// A brain whose first process is killed, of whichever kind that is, works with the next one.
func TestKillLoopOverInit(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		l := newKillLoop(t, 20, func() { newHome(t).ok("init") })
		for i := range l.rounds {
			h := newHome(t)
			l.initKilled(h, i)
			must(t, os.RemoveAll(h.dir))
		}
	})
	t.Run("neo4j", func(t *testing.T) {
		t.Parallel()
		server := neo4jtest.Start(t, neo4jtest.Options{})
		fresh := func() *home {
			empty(t, server.URI())
			h := newHome(t)
			h.env = append(h.env, "BRAINBRIDGE_STORE="+server.URI())
			return h
		}
		l := newKillLoop(t, 3, func() { fresh().ok("init") })
		// The first init of a server that has just started takes longer than all others, so the first
		// rounds may come too late. If none of these kills a process, the test fails.
		for i := 0; i < l.rounds || l.killed == 0 && i < 5*l.rounds; i++ {
			l.initKilled(fresh(), i)
		}
	})
}

// initKilled kills the first processes of a brain: init, a capture, which makes the default brain,
// or the init of a named brain.
func (l *killLoop) initKilled(h *home, round int) {
	l.t.Helper()
	captures := &ledger{acked: map[string]string{}}
	named := round%3 == 2
	if named {
		h.brain = "named"
	}
	for i := range l.times() {
		if round%3 != 1 {
			l.kill(h, "init")
			continue
		}
		content := fmt.Sprint("killed capture ", i)
		captures.note(content, l.kill(h, "-q", "remember", content))
	}
	if named { // it is made by nothing else
		l.works(h, "init")
	}
	l.anything(h)
	content := "the first one that lived"
	captures.note(content, l.works(h, "-q", "remember", content))
	captures.count(l.t, h)
	want(l.t, "found", len(h.recall("one that lived")), 1)
	l.tidy(h.dir)
}

// empty removes all nodes, constraints and indexes from a server.
func empty(t *testing.T, uri string) {
	t.Helper()
	cypher(t, uri, "", "MATCH (n) DETACH DELETE n", nil)
	for _, r := range cypher(t, uri, "", "SHOW CONSTRAINTS YIELD name", nil) {
		cypher(t, uri, "", fmt.Sprint("DROP CONSTRAINT ", r.Values[0]), nil)
	}
	for _, r := range cypher(t, uri, "", "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name", nil) {
		cypher(t, uri, "", fmt.Sprint("DROP INDEX ", r.Values[0]), nil)
	}
}
