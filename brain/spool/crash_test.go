package spool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// reporter is a test, or a property at one of its cases.
type reporter interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// tear ends the file as a writer does that dies in the middle of a line.
func tear(t reporter, s *Spool, bytes string) {
	t.Helper()
	f, err := os.OpenFile(s.captures(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(bytes); err != nil {
		t.Fatal(err)
	}
}

func rejections(t reporter, s *Spool) []rejection {
	t.Helper()
	content, err := durable.ReadFile(s.rejected())
	if err != nil {
		t.Fatal(err)
	}
	var all []rejection
	for _, raw := range split(content) {
		var r rejection
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		all = append(all, r)
	}
	return all
}

func TestATornLineIsNeverGluedTo(t *testing.T) {
	for name, torn := range map[string]string{
		"half a line":     `{"brain":"default","store":"neo4j://localhost:7687","capt`,
		"no UTF-8":        "{\"brain\":\"\xc3",
		"zeros":           "\x00\x00\x00\x00",
		"JSON of another": `{"hello": "world"}`,
		"a bare value":    "null",
	} {
		t.Run(name, func(t *testing.T) {
			s, sh := newSpool(t), &shelf{}
			add(t, s, "a")
			tear(t, s, torn)
			wantLen(t, s, 2)
			add(t, s, "b")
			drainAll(t, s, sh, Drained{Stored: 2, Rejected: 1, RejectedFile: s.rejected()})
			if !slices.Equal(sh.ids, []string{"a", "b"}) {
				t.Errorf("stored %v", sh.ids)
			}
			r := rejections(t, s)[0]
			kept := string(r.Line) + r.Text + string(r.Bytes)
			if strings.ReplaceAll(kept, " ", "") != strings.ReplaceAll(torn, " ", "") || r.Reason == "" {
				t.Errorf("set aside %+v, want %q", r, torn)
			}
		})
	}
}

func TestALineWithoutItsEndIsWhole(t *testing.T) {
	s, sh := newSpool(t), &shelf{}
	add(t, s, "a", "b")
	content, _ := os.ReadFile(s.captures())
	if err := os.WriteFile(s.captures(), bytes.TrimSuffix(content, []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	wantLen(t, s, 2)
	drainAll(t, s, sh, Drained{Stored: 2})
}

func TestATornSideFileIsContinuedOnANewLine(t *testing.T) {
	s := newSpool(t)
	add(t, s, "bad")
	if err := os.WriteFile(s.rejected(), []byte(`{"at":"2026`), 0o600); err != nil {
		t.Fatal(err)
	}
	drainAll(t, s, &shelf{answer: refuse("bad", brain.ErrConflict)}, Drained{Rejected: 1, RejectedFile: s.rejected()})
	content, _ := os.ReadFile(s.rejected())
	if lines := split(content); len(lines) != 2 || !json.Valid(lines[1]) {
		t.Errorf("side file %q", content)
	}
}

func TestAFullSideFileKeepsTheCapture(t *testing.T) {
	s := newSpool(t)
	add(t, s, "a", "bad", "b")
	if err := os.Mkdir(s.rejected(), 0o700); err != nil { // cannot be written to, not even by root
		t.Fatal(err)
	}
	d, err := s.Drain(t.Context(), (&shelf{answer: refuse("bad", brain.ErrConflict)}).store)
	if err == nil || d != (Drained{Stored: 2, Left: 1}) {
		t.Errorf("Drain() = %+v, %v", d, err)
	}
	wantLen(t, s, 1)
}

func TestADrainThatDiedIsTakenUp(t *testing.T) {
	s, sh := newSpool(t), &shelf{}
	add(t, s, "a", "b", "c")
	die(t, s, sh, 2)
	wantLen(t, s, 3)
	add(t, s, "d")
	drainAll(t, s, sh, Drained{Stored: 4})
	if !slices.Equal(sh.ids, []string{"a", "b", "a", "b", "c", "d"}) { // again by the same ids
		t.Errorf("stored %v", sh.ids)
	}
}

// die drains as a process does that is killed after n captures: its locks go,
// nothing else of it is done.
func die(t reporter, s *Spool, sh *shelf, n int) {
	t.Helper()
	defer func() { _ = recover() }()
	left := n
	_, _ = s.Drain(context.Background(), func(ctx context.Context, c brain.Capture) error {
		if left == 0 {
			panic("killed")
		}
		left--
		return sh.store(ctx, c)
	})
}

// world is the spool, and what must hold of it.
type world struct {
	handles []*Spool
	shelf   *shelf
	acked   []string
	tears   int
}

// check holds: every capture that was acknowledged is stored, set aside or waits.
func (w *world) check(t *rapid.T, rejected []rejection) {
	content, err := durable.ReadFile(w.handles[0].captures())
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, id := range w.shelf.ids {
		have[id] = true
	}
	for _, raw := range split(content) {
		if l, err := parse(raw); err == nil {
			have[l.Capture.Memory.ID] = true
		}
	}
	for _, r := range rejected {
		if l, err := parse(r.Line); err == nil {
			have[l.Capture.Memory.ID] = true
		}
	}
	for _, id := range w.acked {
		if !have[id] {
			t.Fatalf("%s was acknowledged and is lost", id)
		}
	}
}

func TestNothingAcknowledgedIsLost(t *testing.T) {
	dir := t.TempDir()
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		folder := fmt.Sprintf("%s/%d", dir, round)
		a := New(folder, "default", "neo4j://a")
		w := &world{handles: []*Spool{a, New(folder, "default", "neo4j://a")}, shelf: &shelf{}}
		handle := func(t *rapid.T) *Spool { return rapid.SampledFrom(w.handles).Draw(t, "handle") }
		addOne := func(t *rapid.T) {
			id := fmt.Sprintf("%03d%s", len(w.acked), rapid.SampledFrom([]string{"", "", "bad"}).Draw(t, "kind"))
			if err := handle(t).Add(context.Background(), capture(id)); err != nil {
				t.Fatal(err)
			}
			w.acked = append(w.acked, id)
		}
		drain := func(t *rapid.T, upFor int) {
			w.shelf.answer = func(c brain.Capture) error {
				switch {
				case upFor == 0:
					return brain.ErrUnavailable
				case strings.HasSuffix(c.Memory.ID, "bad"):
					return brain.ErrNotFound
				}
				upFor--
				return nil
			}
			_, _ = handle(t).Drain(context.Background(), w.shelf.store)
		}
		rt.Repeat(map[string]func(*rapid.T){
			"add":   addOne,
			"drain": func(t *rapid.T) { drain(t, rapid.IntRange(0, 4).Draw(t, "upFor")) },
			"die": func(t *rapid.T) {
				w.shelf.answer = nil
				n := rapid.IntRange(0, 3).Draw(t, "after")
				w.shelf.answer = func(c brain.Capture) error {
					if strings.HasSuffix(c.Memory.ID, "bad") {
						return brain.ErrNotFound
					}
					return nil
				}
				die(t, handle(t), w.shelf, n)
			},
			"tear": func(t *rapid.T) {
				if len(w.acked) > 0 {
					tear(t, a, rapid.StringMatching(`\{"brain":"[a-z]{0,9}|\x00{1,5}`).Draw(t, "torn"))
					w.tears++
				}
			},
			"": func(t *rapid.T) { w.check(t, rejections(t, a)) },
		})
		drain(rt, -1)
		if n, elsewhere, err := a.Waiting(); n+len(elsewhere) != 0 || err != nil {
			rt.Fatalf("%d wait after the store came back, %v", n, err)
		}
		w.check(rt, rejections(rt, a))
		w.inOrder(rt)
	})
}

// inOrder holds: captures were stored for the first time in the order in which
// they were added, and all but the refused ones.
func (w *world) inOrder(t *rapid.T) {
	var first, want []string
	for _, id := range w.shelf.ids {
		if !slices.Contains(first, id) {
			first = append(first, id)
		}
	}
	for _, id := range w.acked {
		if !strings.HasSuffix(id, "bad") {
			want = append(want, id)
		}
	}
	if !slices.Equal(first, want) {
		t.Fatalf("stored %v, want %v", first, want)
	}
}

// TestKilledWriter adds captures in a process of its own, which is killed in
// the middle of it, and compares what it acknowledged with what is there.
func TestKilledWriter(t *testing.T) {
	if dir := os.Getenv("SPOOL_TEST_WRITER"); dir != "" {
		s := New(dir, "default", "neo4j://a")
		for i := 0; ; i++ {
			id := fmt.Sprintf("%d-%d", os.Getpid(), i)
			if err := s.Add(t.Context(), capture(id)); err != nil {
				t.Fatal(err)
			}
			fmt.Println("acked", id)
		}
	}
	s := New(t.TempDir()+"/spool", "default", "neo4j://a")
	var acked []string
	for round := range 3 {
		acked = append(acked, writeUntilKilled(t, s.dir, 5+7*round)...)
	}
	sh := &shelf{}
	if _, err := s.Drain(t.Context(), sh.store); err != nil {
		t.Fatal(err)
	}
	for _, id := range acked {
		if !slices.Contains(sh.ids, id) {
			t.Errorf("%s was acknowledged before the kill and is lost", id)
		}
	}
	if len(acked) < 3*5 {
		t.Errorf("only %d captures were acknowledged", len(acked))
	}
}

func writeUntilKilled(t *testing.T, dir string, after int) (acked []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledWriter$")
	cmd.Env = append(os.Environ(), "SPOOL_TEST_WRITER="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "acked "); ok {
			acked = append(acked, id)
		}
		if len(acked) == after {
			_ = cmd.Process.Kill() // what it still acknowledges before it dies is read, too
		}
	}
	_ = cmd.Wait()
	return acked
}
