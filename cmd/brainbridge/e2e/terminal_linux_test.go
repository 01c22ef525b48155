package e2e

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/brainbridge/brainbridge/brain"
)

// serveInTerminal starts a daemon whose output a person sees.
func (h *home) serveInTerminal() *daemon {
	h.t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(h.t, err)
	must(h.t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	must(h.t, err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	must(h.t, err)

	d := newDaemon(h.t, h.command(context.Background(), "serve"))
	d.cmd.Stdin, d.cmd.Stdout, d.cmd.Stderr = terminal, terminal, terminal
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		_, _ = io.Copy(d.said, screen) // ends with an error when the last process has closed the terminal
	}()
	h.t.Cleanup(func() { // after the daemon was killed
		must(h.t, terminal.Close())
		<-seen
		must(h.t, screen.Close())
	})
	return d.start("Ctrl-C stops it.")
}

// shows waits for a line on the terminal, and returns it.
func (d *daemon) shows(pattern string) string {
	d.t.Helper()
	line := regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  ` + pattern + `\r$`)
	var found string
	eventually(d.t, func() error {
		if found = line.FindString(d.said.String()); found == "" {
			return fmt.Errorf("no line is like %q:\n%s", pattern, d.said)
		}
		return nil
	})
	return found
}

// A person who started the daemon in a terminal sees what happens, whichever process does it.
func TestTerminalShowsWhatHappens(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.ok("learn", "old", "captured before the daemon was there")
		d := h.serveInTerminal()
		says(t, d.said.String(), "brainbridge install ", "brainbridge remember ", "brainbridge recall ", h.notes())

		h.save("2026-01-05.md", note("10:00", "Port", "staging listens on 5433"))
		d.shows(`note      2026-01-05\.md: 1 new`)
		d.shows(`captured  lesson: Port: staging listens on 5433 \[\w{8}\]`)
		h.save("2026-01-05.md", note("10:00", "Port", "staging listens on 5500"))
		d.shows(`note      2026-01-05\.md: 1 changed`)
		h.save("2026-01-06.md", "Only prose.\n")
		d.shows(`note      2026-01-06\.md: .*its text can be found`)

		tea := ask[captured](h, "learn", "tea", "green \x1b[31mnot\x07 black")
		d.shows(`captured  learning: tea: green \[31mnot black \[` + brain.ShortID(tea.MemoryID) + `\]`)
		h.ok("boost", tea.MemoryID)
		h.ok("boost", tea.MemoryID)
		shown := d.shows(`run       settle \w{8}: 1 promoted`)
		says(t, h.ok("runs").out, strings.Fields(strings.TrimSuffix(shown, ": 1 promoted\r"))[3])

		h.ok("remind", "call Mara", "--due", time.Now().Add(2*time.Second).Format(time.RFC3339))
		d.shows(`due       call Mara \[\w{8}\]`)
		d.stop()

		text := d.said.String()
		if strings.ContainsAny(text, "\x1b\x07") || strings.Contains(text, "captured before") {
			t.Errorf("it shows control characters, or what was there before:\n%q", text)
		}
		for _, once := range []string{"captured  lesson", "captured  learning", "captured  reminder", "due  ", "1 promoted"} {
			want(t, "number of lines with "+once, strings.Count(text, once), 1)
		}
		log, err := os.ReadFile(h.state("daemon.log"))
		must(t, err)
		if strings.Contains(string(log), "black") || strings.Contains(string(log), "Mara") {
			t.Errorf("the log has texts of memories:\n%s", log)
		}
	})
}

// A service, whose output goes to a journal, prints nothing but its start.
func TestDaemonWithoutTerminalPrintsOnlyItsStart(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	d := h.serve()
	before := d.said.String()
	h.save("2026-01-05.md", note("10:00", "Port", "staging listens on 5433"))
	h.once("staging listens")
	d.stop()
	want(t, "what it said", d.said.String(), before)
}
