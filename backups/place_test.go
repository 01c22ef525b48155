package backups

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// place is a brain with the files around it.
type place struct {
	t     testing.TB
	home  string
	brain *services.Services
	now   time.Time
	warns []string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "one")
	if err != nil {
		t.Fatal(err)
	}
	return placeOn(t, s)
}

func placeOn(t testing.TB, s brain.Store) *place {
	t.Helper()
	t.Cleanup(func() { _ = s.Close() })
	p := &place{t: t, home: t.TempDir(), now: noon}
	p.brain = services.New(s, services.Options{Now: func() time.Time { return p.now }, Archive: NewArchive(filepath.Join(p.home, "archive"), unheard)})
	return p
}

func (p *place) options() Options {
	return Options{
		Brain: p.brain, Dir: filepath.Join(p.home, "backups"), Version: "test", Executable: "/no/brainbridge",
		Contents: []Content{
			{Name: "notes", Path: filepath.Join(p.home, "memory")},
			{Name: "MEMORY.md", Path: filepath.Join(p.home, "MEMORY.md")},
			{Name: "archive", Path: filepath.Join(p.home, "archive")},
			{Name: "config.toml", Path: filepath.Join(p.home, "config.toml"), Once: true, Text: func(b []byte) []byte {
				return bytes.ReplaceAll(b, []byte("secret"), []byte("[redacted]"))
			}},
		},
		Warn: func(m string) { p.warns = append(p.warns, m) },
	}
}

func (p *place) create() Backup {
	p.t.Helper()
	b, err := Create(p.t.Context(), p.options())
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func (p *place) restoreOptions(path string) RestoreOptions {
	p.t.Helper()
	o := RestoreOptions{Options: p.options(), Marker: filepath.Join(p.home, "state", "restore.json")}
	var err error
	if o.From, err = Verify(p.t.Context(), path, o.Options); err != nil {
		p.t.Fatal(err)
	}
	return o
}

func (p *place) restore(path string) Restored {
	p.t.Helper()
	r, err := Restore(p.t.Context(), p.restoreOptions(path), Restored{})
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// path is where a file is, below the home.
func (p *place) path(name string) string { return filepath.Join(p.home, filepath.FromSlash(name)) }

func (p *place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) read(name string) string {
	text, err := os.ReadFile(filepath.Join(p.home, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func (p *place) remember(text string) string {
	p.t.Helper()
	c, err := p.brain.Capture.New(brain.Source{Kind: brain.Learning, Concept: "a concept", Learned: text}, brain.Details{Tags: []string{"t"}})
	if err == nil {
		_, err = p.brain.Capture.Capture(p.t.Context(), c)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return c.Memory.ID
}

// lines is everything that a brain holds, sorted, as the graph file has it.
func (p *place) lines() []string {
	p.t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if err := p.brain.Base.Store.Dump(p.t.Context(), func(page brain.Page) error { return encodePage(e, page) }); err != nil {
		p.t.Fatal(err)
	}
	var lines []string
	for d := json.NewDecoder(&b); ; { // a store may order the keys of a record as it likes
		d.UseNumber()
		var line any
		err := d.Decode(&line)
		if errors.Is(err, io.EOF) {
			slices.Sort(lines)
			return lines
		}
		ordered, marshalErr := json.Marshal(line)
		if err := errors.Join(err, marshalErr); err != nil {
			p.t.Fatal(err)
		}
		lines = append(lines, string(ordered))
	}
}

// wantLines fails the test unless the brain holds these lines.
func (p *place) wantLines(what string, want []string) {
	p.t.Helper()
	if d := cmp.Diff(want, p.lines()); d != "" {
		p.t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}
