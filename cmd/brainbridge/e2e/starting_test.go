package e2e

import (
	"context"
	"testing"
)

// A server that accepts connections and does not answer yet is waited for, with a line that
// says so, and without a terminal too.
func TestAServerThatIsStartingIsWaitedFor(t *testing.T) {
	t.Parallel()
	h, p := behindProxy(t)
	for _, c := range []struct {
		args  []string
		until string
	}{
		{[]string{"init"}, "(up to 60 s)"},
		{[]string{"--json", "status"}, "(up to 10 s)"},
		{[]string{"remember", "the kettle is red"}, "(up to 10 s)"},
	} {
		release := p.hold()
		t.Cleanup(release)
		waiting := h.start(h.command(context.Background(), c.args...), "waiting for Neo4j at bolt://"+p.listener.Addr().String()+" "+c.until)
		release()
		<-waiting.ended
		want(t, c.args[0]+" ends with", waiting.code(), 0)
	}
	h.once("kettle")
}

// A server that is not there is waited for by init alone: captures have a place to wait.
func TestOnlyInitWaitsForAServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "BRAINBRIDGE_STORE=bolt://127.0.0.1:1")
	for code, args := range map[int][]string{0: {"remember", "spooled"}, 5: {"recall", "spooled"}} {
		if a := h.exits(code, args...); a.err == "" {
			t.Errorf("%v says nothing", args)
		}
	}
	waiting := h.start(h.command(context.Background(), "init"), "waiting for Neo4j at bolt://127.0.0.1:1 (up to 15 s)")
	waiting.kill()
}
