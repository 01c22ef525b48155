package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestDaemonHasNoChildrenAndKeepsNoFilesOpen(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	d := h.serve()
	h.save("2026-01-01.md", note("10:00", "First", "mark0000"))
	h.once("mark0000")
	before := openFiles(t, d)
	for i := range 30 {
		mark := fmt.Sprintf("mark%04d", i+1)
		h.save(fmt.Sprintf("2026-02-%02d.md", i%28+1), note("10:00", "Note "+mark, mark))
		if i%10 == 9 {
			h.once(mark)
		}
	}
	eventually(t, func() error {
		if now := openFiles(t, d); now > before {
			return fmt.Errorf("%d open files, before 30 saves %d", now, before)
		}
		return nil
	})
	if children := childrenOf(t, d.cmd.Process.Pid); len(children) > 0 {
		t.Errorf("the daemon has child processes: %v", children)
	}
}

// openFiles counts what a daemon holds open, but for the store: how many
// connections to that stay open depends on how many were needed at once.
func openFiles(t *testing.T, d *daemon) (n int) {
	t.Helper()
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", d.cmd.Process.Pid))
	must(t, err)
	for _, fd := range fds {
		target, err := os.Readlink(fd)
		if err == nil && !strings.HasPrefix(filepath.Base(target), "brain.db") { // an error: just closed
			n++
		}
	}
	return n
}

func childrenOf(t *testing.T, pid int) []string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	must(t, err)
	var children []string
	for _, file := range stats {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		// pid (name) state ppid …, and a name may hold blanks and brackets.
		rest := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(rest) > 1 && rest[1] == strconv.Itoa(pid) {
			children = append(children, file)
		}
	}
	return children
}
