package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Notes that come and go while they are read are no error.
func TestNotesThatVanishWhileTheyAreRead(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for i := range 200 {
		h.save(fmt.Sprintf("2026-01-01-%03d.md", i), note("10:00", fmt.Sprint("Note ", i), "steadymark"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	type end struct {
		a   answer
		err error
	}
	ended := make(chan end)
	go func() {
		a, err := finish(ctx, h.command(ctx, "--json", "notes", "sync"))
		ended <- end{a, err}
	}()
	for i := 0; ; i++ {
		name := fmt.Sprintf("2026-01-01-%03d-x.md", i%200)
		h.save(name, note("10:00", "Passing", "passingmark"))
		must(t, os.Remove(h.note(name)))
		select {
		case e := <-ended:
			must(t, e.err)
			want(t, "exit code", e.a.code, 0)
			s, err := decode[synced](e.a.out)
			must(t, err)
			for _, p := range s.Problems {
				says(t, p.Message, "disappeared")
			}
			want(t, "problems once it is quiet", len(ask[synced](h, "notes", "sync").Problems), 0)
			want(t, "files", ask[notesStatus](h, "notes", "status").Files, 200)
			return
		default:
		}
	}
}

// The directory itself goes away, as a disk that is not mounted, and comes
// back: nothing counts as deleted.
func TestNotesDirectoryThatGoesAway(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.serve()
	h.save("2026-01-05.md", note("10:00", "Port", "mountmark"))
	before := h.once("mountmark")
	must(t, os.Rename(h.notes(), h.path("away")))
	if a := h.run("--json", "notes", "sync"); a.code == 0 {
		t.Errorf("a sync of a directory that is gone: %s", a)
	}
	must(t, os.Rename(h.path("away"), h.notes()))
	h.save("2026-01-06.md", note("10:00", "Back", "backmark"))
	h.once("backmark")
	want(t, "id", h.once("mountmark").ID, before.ID)
	want(t, "total", h.status().Total, 2)
	want(t, "files", ask[notesStatus](h, "notes", "status").Files, 2)
}

// A daemon is killed in the middle of its first scan; the next one completes it.
func TestKilledFirstScanIsCompleted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(_ *testing.T, h *home) { h.scanInTwo(syscall.SIGKILL, -1) })
}

// One that is asked to stop there stops, without waiting for the whole scan.
func TestStoppedFirstScanIsCompleted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(_ *testing.T, h *home) { h.scanInTwo(syscall.SIGTERM, 0) })
}

// scanInTwo ends a daemon by a signal in the middle of its first scan, wants
// an exit code of it, and lets another one complete the scan.
func (h *home) scanInTwo(by syscall.Signal, code int) {
	h.t.Helper()
	const each = 3
	files := 1500
	if h.embedded() {
		files = 4000 // it is that much faster
	}
	for i := range files {
		var text strings.Builder
		for j := range each {
			text.WriteString(outcome(fmt.Sprintf("1%d:00", j), fmt.Sprint("Note ", j), fmt.Sprintf("fact %d of %d", j, i)))
		}
		h.save(fmt.Sprintf("2026-01-%02d-%04d.md", i%28+1, i), text.String())
	}
	d := h.serve()
	pause(h.t, d.cmd.Process, func() bool { return h.status().Total > 0 })
	d.signal(by)
	resume(h.t, d.cmd.Process)
	want(h.t, "exit code", d.code(), code)
	there := h.status().Total
	if there == 0 || there >= files*each {
		h.t.Fatalf("%d of %d were there at the end: it was not in the middle", there, files*each)
	}

	h.serve()
	eventually(h.t, func() error {
		if s := ask[notesStatus](h, "notes", "status"); s.Files != files || s.LastScan == nil {
			return fmt.Errorf("%d files are known", s.Files)
		}
		return nil
	})
	want(h.t, "total", h.status().Total, files*each)
	for content, n := range h.contents() {
		if n != 1 {
			h.t.Fatalf("%q is there %d times", content, n)
		}
	}
	got := ask[synced](h, "notes", "sync")
	want(h.t, "unchanged outcomes", got.Unchanged, files*each)
	want(h.t, "other outcomes", got.New+got.Changed+got.Gone, 0)
}
