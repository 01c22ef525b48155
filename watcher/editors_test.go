package watcher

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// live runs a watcher with the system's own events.
type live struct {
	t       *testing.T
	dir     string
	w       *Watcher
	batches chan Batch
	calls   int // of changed
}

func newLive(t *testing.T, files ...string) *live {
	l := &live{t: t, dir: filepath.Join(t.TempDir(), "notes"), batches: make(chan Batch)}
	write(t, l.dir, "start/") // no matching file
	write(t, l.dir, files...)
	l.w = New(Config{Dir: l.dir, Match: markdown})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := l.w.Run(ctx, l.emit); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	if b := <-l.batches; !b.Full {
		t.Fatalf("the first batch is %+v", b)
	}
	if why := l.w.Degraded(); why != "" {
		t.Fatal("these tests need file events: ", why)
	}
	return l
}

func (l *live) emit(ctx context.Context, b Batch) error {
	select {
	case l.batches <- b:
	case <-ctx.Done():
	}
	return nil
}

// changed returns what was emitted before a file written now: events keep
// their order.
func (l *live) changed() (paths []string, full bool) {
	l.calls++
	last := fmt.Sprintf("zz-last-%d.md", l.calls)
	write(l.t, l.dir, last)
	for b := range l.batches {
		full = full || b.Full
		for _, p := range b.Paths {
			if !strings.HasPrefix(p, "zz-last") && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
		if b.Full || slices.Contains(b.Paths, last) {
			break
		}
	}
	slices.Sort(paths)
	return paths, full
}

func (l *live) path(rel string) string { return filepath.Join(l.dir, rel) }

func TestEditorsSave(t *testing.T) {
	type edit func(l *live)
	put := func(l *live, rel string) { must(l.t, os.WriteFile(l.path(rel), []byte("new text"), 0o644)) }
	move := func(l *live, from, to string) { must(l.t, os.Rename(l.path(from), l.path(to))) }
	tests := []struct {
		name string
		edit edit
		want []string
		full bool
	}{
		{"new file", func(l *live) { put(l, "new.md") }, []string{"new.md"}, false},
		{"write in place", func(l *live) { put(l, "a.md") }, []string{"a.md"}, false},
		{"append", func(l *live) {
			f, err := os.OpenFile(l.path("a.md"), os.O_APPEND|os.O_WRONLY, 0)
			must(l.t, err)
			_, err = f.WriteString("more")
			must(l.t, err)
			must(l.t, f.Close())
		}, []string{"a.md"}, false},
		{"save by rename", func(l *live) { put(l, ".a.md.tmp"); move(l, ".a.md.tmp", "a.md") }, []string{"a.md"}, false},
		{"vim's backup dance", func(l *live) {
			put(l, "4913")
			must(l.t, os.Remove(l.path("4913")))
			move(l, "a.md", "a.md~")
			put(l, "a.md")
			must(l.t, os.Remove(l.path("a.md~")))
		}, []string{"a.md"}, false},
		{"emacs' lock and backup", func(l *live) {
			must(l.t, os.Symlink("me@host.1", l.path(".#a.md")))
			put(l, "#a.md#")
			move(l, "a.md", "a.md~")
			put(l, "a.md")
			must(l.t, os.Remove(l.path("#a.md#")))
			must(l.t, os.Remove(l.path(".#a.md")))
		}, []string{"a.md"}, false},
		{"touch", func(l *live) {
			must(l.t, os.Chtimes(l.path("a.md"), time.Now(), time.Unix(1, 0)))
		}, []string{"a.md"}, false},
		{"copy over", func(l *live) {
			data, err := os.ReadFile(l.path("x/b.md"))
			must(l.t, err)
			must(l.t, os.WriteFile(l.path("a.md"), data, 0o644))
		}, []string{"a.md"}, false},
		{"rename", func(l *live) { move(l, "a.md", "c.md") }, []string{"a.md", "c.md"}, false},
		{"remove", func(l *live) { must(l.t, os.Remove(l.path("a.md"))) }, []string{"a.md"}, false},
		{"in a folder", func(l *live) { put(l, "x/b.md") }, []string{"x/b.md"}, false},
		{"mkdir -p and a file at once", func(l *live) { write(l.t, l.dir, "n/e/w/c.md") }, nil, true},
		{"folder moved in", func(l *live) {
			write(l.t, filepath.Dir(l.dir), "elsewhere/in/c.md")
			must(l.t, os.Rename(filepath.Join(filepath.Dir(l.dir), "elsewhere"), l.path("moved")))
		}, nil, true},
		{"rm -r", func(l *live) { must(l.t, os.RemoveAll(l.path("x"))) }, nil, true},
		{"folder moved", func(l *live) { move(l, "x", "y") }, nil, true},
		{"what is not ours", func(l *live) { put(l, "image.png"); put(l, ".hidden") }, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLive(t, "a.md", "x/b.md")
			tt.edit(l)
			got, full := l.changed()
			if full != tt.full {
				t.Errorf("full = %v, want %v", full, tt.full)
			}
			if d := cmp.Diff(tt.want, got); d != "" && !full {
				t.Errorf("paths (-want +got):\n%s", d)
			}
		})
	}
}

// followed wants a file to be told by its name. What came before may be two
// batches, of which the second one is of everything too.
func (l *live) followed(rel string) {
	l.t.Helper()
	for b := range l.batches {
		if b.Full {
			break
		}
	}
	for range 5 {
		write(l.t, l.dir, rel)
		paths, full := l.changed()
		if slices.Contains(paths, rel) {
			return
		}
		if !full {
			l.t.Fatalf("%s is missing in %q", rel, paths)
		}
	}
	l.t.Errorf("each write of %s is a reason to look at everything", rel)
}

// A moved folder goes on being watched, all of it, under its new name.
func TestFolderIsWatchedAfterAMove(t *testing.T) {
	l := newLive(t, "x/in/b.md")
	must(t, os.Rename(l.path("x"), l.path("y")))
	l.followed("y/in/c.md")
}

func TestDirectoryRemovedAndMadeAgain(t *testing.T) {
	l := newLive(t, "a.md")
	must(t, os.RemoveAll(l.dir))
	write(t, l.dir, "b.md")
	l.followed("c.md")
}
