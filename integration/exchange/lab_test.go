package exchange

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// noon is when every test begins.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// lab is a brain on a store of its own with a clock that a test sets.
type lab struct {
	*services.Services
	t     tester
	now   time.Time
	close func()
}

func newLab(t tester, dir string) *lab {
	t.Helper()
	s, err := sqlite.Open(context.Background(), filepath.Join(dir, "brain.db"), "lab")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, now: noon}
	archive := backups.NewArchive(filepath.Join(dir, "archive"), func(string) {})
	l.Services = services.New(s, services.Options{Now: func() time.Time { return l.now }, Archive: archive, Journal: archive, Session: "s"})
	l.close = func() {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// open is a lab that closes with its test.
func open(t *testing.T) *lab {
	t.Helper()
	l := newLab(t, t.TempDir())
	t.Cleanup(l.close)
	return l
}

func format(name string) Format {
	for _, f := range Formats() {
		if f.Name == name {
			return f
		}
	}
	panic("there is no format " + name)
}

// take imports a path and wants no error.
func (l *lab) take(name, path string, with ...func(*Options)) Report {
	l.t.Helper()
	o := Options{Path: path, Location: time.UTC}
	for _, set := range with {
		set(&o)
	}
	r, err := Import(context.Background(), l.Services, format(name), o)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

// exported returns all memories by id.
func (l *lab) exported() map[string]recall.FullMemory {
	l.t.Helper()
	all := map[string]recall.FullMemory{}
	for w, err := range l.Recall.AllMemories(context.Background()) {
		if err != nil {
			l.t.Fatal(err)
		}
		all[w.Memory.ID] = w
	}
	return all
}

// contents are the texts of all memories, sorted.
func (l *lab) contents() []string {
	var all []string
	for _, w := range l.exported() {
		all = append(all, w.Memory.Content)
	}
	slices.Sort(all)
	return all
}

// sections are the headings and texts of all sections, sorted.
func (l *lab) sections() []string {
	l.t.Helper()
	var all []string
	err := l.Base.Store.(brain.Dumper).Dump(context.Background(), func(p brain.Page) error {
		for _, s := range p.Sections {
			all = append(all, s.Heading+"\n"+s.Text)
		}
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// find is the one memory whose content begins so.
func (l *lab) find(prefix string) recall.FullMemory {
	l.t.Helper()
	for _, w := range l.exported() {
		if strings.HasPrefix(w.Memory.Content, prefix) {
			return w
		}
	}
	l.t.Fatalf("no memory begins with %q; there are %q", prefix, l.contents())
	return recall.FullMemory{}
}

// files writes a folder of files, by their relative path.
func files(t tester, dir string, all map[string]string) string {
	t.Helper()
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func placesOf(all []Problem) []string {
	var out []string
	for _, p := range all {
		out = append(out, p.File)
	}
	return out
}
