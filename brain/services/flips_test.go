package services_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// flipped is a store whose file is damaged, and what it said before.
type flipped struct {
	said     map[string]string // the name and the text of each memory and section by id, and its history
	memories map[string]string // of them the memories
	named    map[string]bool   // damaged nodes and records by id
	part     bool              // a part of the file is named
	refused  bool              // a read was refused with what to do next
}

// A file with random bytes in it never makes the program say what was not stored, and what it does not
// say any more is named.
func TestDamagedBytesAreNeverAnAnswer(t *testing.T) {
	path, said, memories := flippable(t)
	whole, err := os.ReadFile(path)
	works(t, err)
	flips, seed := 200, uint64(64)
	if testing.Short() {
		flips = 20
	}
	r := rand.New(rand.NewPCG(seed, 1))
	unseen, named, parts, refused := 0, 0, 0, 0
	for i := range flips {
		damaged := append([]byte(nil), whole...)
		at := r.IntN(len(damaged) - 64)
		for j := range 64 {
			if i%4 == 3 { // all over the file
				at = r.IntN(len(damaged)) - j
			}
			damaged[at+j] = byte(r.Uint32())
		}
		file := filepath.Join(t.TempDir(), "brain.db")
		works(t, os.WriteFile(file, damaged, 0o600))
		f := &flipped{said: said, memories: memories, named: map[string]bool{}}
		t.Run(strconv.Itoa(i), f.readAll(file))
		named += len(f.named)
		switch {
		case f.refused:
			refused++
		case f.part:
			parts++
		case len(f.named) == 0:
			unseen++
		}
	}
	t.Logf("%d flips of %d bytes in %d: %d changed nothing visible, %d records named, %d named a part of the file, %d refused by a read",
		flips, 64, len(whole), unseen, named, parts, refused)
}

// flippable makes a file with some of everything. Its write-ahead log is empty.
func flippable(t *testing.T) (path string, said, memories map[string]string) {
	t.Helper()
	path, said = filepath.Join(t.TempDir(), "brain.db"), map[string]string{}
	s, err := sqlite.Open(t.Context(), path, "default")
	works(t, err)
	b := services.New(s, services.Options{})
	for i := range 56 {
		text := fmt.Sprintf("The mill number %d has %d stones, as the miller said in the year %d.", i, i*7, 1700+i)
		c, err := b.Capture.New(brain.Source{Kind: brain.Learning, Concept: fmt.Sprintf("mill %d", i), Learned: text}, brain.Details{Tags: []string{"mill"}})
		works(t, err)
		done, err := b.Capture.Capture(t.Context(), c)
		works(t, err)
		if i%4 == 0 {
			_, err = b.Capture.Boost(t.Context(), done.MemoryID, 6)
			works(t, err)
			_, _, err = b.Capture.Correct(t.Context(), done.MemoryID, "", text+" He was wrong.")
			works(t, err)
		}
	}
	works(t, s.Update(t.Context(), func(tx brain.Tx) error {
		var embedded []brain.Embedded
		for i := range 30 {
			section := storetest.Section("notes", fmt.Sprintf("2026-01-%02d.md", i%28+1), i, fmt.Sprintf("The river has %d bridges of wood and a mill.", i))
			section.Transcript = i%3 == 0
			if err := tx.PutSections(section); err != nil {
				return err
			}
			if !section.Transcript {
				embedded = append(embedded, brain.Embedded{Passage: section.Passage(), Values: []float32{1, float32(i), 0, 1}})
			}
		}
		return tx.PutVectors("model", embedded...)
	}))
	var sections []string
	works(t, s.Dump(t.Context(), func(p brain.Page) error {
		for _, m := range p.Memories {
			said[m.ID] = m.Name + "\n" + m.Content
		}
		for _, x := range p.Sections {
			sections = append(sections, x.ID)
		}
		return nil
	}))
	memories = maps.Clone(said)
	for id := range memories {
		_, events, err := b.Journal.History(t.Context(), id)
		works(t, err)
		for _, e := range events {
			if e.Text != nil {
				said["history "+id] += e.Text.After
			}
		}
	}
	for _, id := range sections {
		shown, err := b.Recall.Show(t.Context(), id, true)
		works(t, err)
		said[id] = shown.Memory.Name + "\n" + shown.Memory.Content
	}
	works(t, s.Close())
	return path, said, memories
}

func works(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readAll reads the file as the commands do.
func (f *flipped) readAll(file string) func(*testing.T) {
	return func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		s, err := sqlite.Open(ctx, file, "default", sqlite.Requires("default"))
		if !f.answers(t, err) {
			return
		}
		defer s.Close()
		b := services.New(s, services.Options{})
		for _, memories := range []bool{true, false} {
			f.answers(t, s.Scan(ctx, memories, func(p brain.Page) error {
				for _, m := range p.Memories {
					f.check(t, "Scan", m.ID, m.Name, m.Content)
				}
				for _, u := range p.Unreadable {
					f.named[u.ID] = true
					f.part = f.part || u.ID == ""
				}
				return nil
			}))
		}
		delete(f.named, "")
		f.shows(ctx, t, b)
		f.lists(ctx, t, b)
	}
}

// shows reads every id.
func (f *flipped) shows(ctx context.Context, t *testing.T, b *services.Services) {
	for id := range f.said {
		if strings.HasPrefix(id, "history ") {
			continue
		}
		shown, err := b.Recall.Show(ctx, id, true)
		if errors.Is(err, brain.ErrNotFound) && (f.named[id] || f.part) {
			continue
		}
		if f.answers(t, err) {
			f.check(t, "show", shown.Memory.ID, shown.Memory.Name, shown.Memory.Content)
		}
		_, events, err := b.Journal.History(ctx, id)
		for _, e := range events {
			if e.Text != nil && !strings.Contains(f.said["history "+id], e.Text.After) {
				t.Errorf("the history of %s has the text %q", id, e.Text.After)
			}
		}
		if !errors.Is(err, brain.ErrNotFound) { // a section
			f.answers(t, err)
		}
	}
}

// lists reads what answers with many texts.
func (f *flipped) lists(ctx context.Context, t *testing.T, b *services.Services) {
	listed, err := b.Recall.List(ctx, lifecycle.ListQuery{All: true, Limit: 1000})
	f.answers(t, err)
	seen := map[string]bool{}
	for _, v := range listed {
		f.check(t, "list", v.ID, v.Name, v.Content)
		seen[v.ID] = true
	}
	for id := range f.memories {
		if err == nil && !seen[id] && !f.named[id] && !f.part {
			t.Errorf("%s is neither listed nor named", id)
		}
	}
	for _, q := range []recall.Query{{Words: words.Parse("mill stones")}, {Words: words.Parse("bridges"), Transcripts: true}, {Words: words.Parse("wrong miller"), AsOf: time.Now(), Tags: []string{"mill"}}} {
		q.NoTouch, q.Limit, q.Vector = true, 200, &brain.Vector{Model: "model", Values: []float32{1, 1, 1, 1}}
		found, err := b.Recall.Recall(ctx, q)
		f.answers(t, err)
		for _, r := range found.Results {
			f.check(t, "recall", r.Memory.ID, r.Memory.Name, r.Memory.Content)
		}
	}
	lines, err := b.Recall.Context(ctx, recall.ContextQuery{Budget: 2000})
	f.answers(t, err)
	for line := range strings.Lines(lines.Text) {
		if strings.Contains(line, "mill number") && !f.isSaid(line) {
			t.Errorf("the context says %q", line)
		}
	}
	for w, err := range b.Recall.AllMemories(ctx) {
		if !f.answers(t, err) {
			break
		}
		f.check(t, "export", w.Memory.ID, w.Memory.Name, w.Memory.Content)
	}
}

// isSaid reports whether a line has the first sentence of some text.
func (f *flipped) isSaid(line string) bool {
	for _, text := range f.said {
		_, content, _ := strings.Cut(text, "\n")
		if len(content) > 40 && strings.Contains(line, content[:40]) {
			return true
		}
	}
	return false
}

// check compares an answer with what was stored.
func (f *flipped) check(t *testing.T, where, id, name, content string) {
	t.Helper()
	if got := name + "\n" + content; f.said[id] != got {
		t.Errorf("%s answers %s with %q, stored was %q", where, id, got, f.said[id])
	}
}

// answers reports whether there is an answer. A refusal must say what to do next.
func (f *flipped) answers(t *testing.T, err error) bool {
	t.Helper()
	var ours *brain.Error
	if err != nil {
		f.refused = true
		if !errors.As(err, &ours) || ours.Hint == "" || !errors.Is(err, sqlite.ErrDamaged) && !errors.Is(err, sqlite.ErrForeign) && !errors.Is(err, brain.ErrNotFound) {
			t.Errorf("refused with %v", err)
		}
	}
	return err == nil
}
