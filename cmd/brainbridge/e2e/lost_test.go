package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// database is the file of the embedded store.
func (h *home) database() string { return h.path("data", h.brain, "brain.db") }

// lose removes the brain behind the program's back.
func (h *home) lose() {
	h.t.Helper()
	if !h.embedded() {
		cypher(h.t, neo4jtest.Server(h.t), "", "MATCH (b:BrainbridgeBrain {name: $name}) DETACH DELETE b", map[string]any{"name": h.brain})
		return
	}
	for _, part := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(h.database() + part); err != nil && !os.IsNotExist(err) {
			h.t.Fatal(err)
		}
	}
}

// Commits that were only in the write-ahead log are gone with it. That is said, and what the
// notes hold is stored again.
func TestADeletedLogIsReported(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.ok("learn", "before", "in the database")
	d := h.serve() // as long as it has the file open, the log is not moved into the database
	for i := range 5 {
		h.ok("learn", "after", fmt.Sprint("in the log ", i))
	}
	h.ok("outcome", "decision", "Written down", "the note holds it")
	d.kill()
	must(t, os.Remove(h.database()+"-wal"))
	a := h.ok("list")
	says(t, a.err, "acknowledged writes may be missing from the brain default")
	got := h.contents()
	want(t, "memories", len(got), 2)
	want(t, "the one in the database", got["in the database"], 1)
	want(t, "the one in the note", got["the note holds it"], 1)
	if again := h.ok("list"); again.err != "" {
		t.Errorf("it is said again: %s", again)
	}
	want(t, "new in the notes", ask[synced](h, "notes", "sync").New, 0)
}

func TestADaemonWaitsForALostBrain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.ok("learn", "kept", "in the backup")
		h.ok("backup", "create")
		d := h.serve()
		if h.embedded() {
			h.lose()
			want(t, "exit code without its file", d.code(), 5)
		} else {
			d.stop()
			h.lose()
		}
		d = h.launch("waiting until the brain is back")
		says(t, d.said.String(), "had 1 memory, this")
		want(t, "spooled", ask[captured](h, "learn", "waits", "for the restore").Spooled, true)
		h.exits(5, "status")
		h.ok("backup", "restore", "newest", "--yes") // which needs no daemon to be stopped
		eventually(t, func() error {
			if !strings.Contains(d.said.String(), "Ctrl-C stops it.") {
				return fmt.Errorf("the daemon does not go on:\n%s", d.said)
			}
			return nil
		})
		got := h.contents()
		want(t, "memories", len(got), 2)
		want(t, "the restored one", got["in the backup"], 1)
		want(t, "the spooled one", got["for the restore"], 1)
		d.stop()
	})
}

// A server of tools that has the store open spools captures meanwhile, and uses the brain
// that was restored.
func TestAServerOfToolsOutlivesALostBrain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.ok("learn", "kept", "in the backup")
		h.ok("backup", "create")
		m := h.mcp()
		says(t, m.call("remember", `{"content":"before the loss"}`), `"spooled":false`)
		h.lose()
		says(t, m.call("remember", `{"content":"during the loss"}`), `"spooled":true`)
		says(t, m.call("recall", `{"query":"backup"}`), `"isError":true`)
		h.ok("backup", "restore", "newest", "--yes")
		says(t, m.call("recall", `{"query":"backup"}`), "in the backup")
		says(t, m.call("remember", `{"content":"after the restore"}`), `"spooled":false`)
		got := h.contents()
		want(t, "memories", len(got), 3)
		want(t, "the spooled one", got["during the loss"], 1)
		want(t, "the last one", got["after the restore"], 1)
	})
}

// tools is a running `brainbridge mcp`.
type tools struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
	no  int
}

func (h *home) mcp() *tools {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	c := h.command(ctx, "mcp")
	in, err := c.StdinPipe()
	must(h.t, err)
	out, err := c.StdoutPipe()
	must(h.t, err)
	must(h.t, c.Start())
	h.t.Cleanup(func() {
		_ = in.Close()
		_ = c.Wait() // answers have been read
		cancel()
	})
	m := &tools{t: h.t, in: in, out: bufio.NewReader(out)}
	m.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}`)
	_, err = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	must(h.t, err)
	return m
}

// ask sends a request and returns the line of the answer.
func (m *tools) ask(method, params string) string {
	m.t.Helper()
	m.no++
	_, err := fmt.Fprintf(m.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", m.no, method, params)
	must(m.t, err)
	for {
		line, err := m.out.ReadString('\n')
		must(m.t, err)
		if strings.Contains(line, fmt.Sprintf(`"id":%d,`, m.no)) || strings.Contains(line, fmt.Sprintf(`"id":%d}`, m.no)) {
			return line
		}
	}
}

func (m *tools) call(tool, arguments string) string {
	m.t.Helper()
	return m.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}
