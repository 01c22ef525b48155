package memorymd

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/markdown"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newFile(t *testing.T, text string) File {
	t.Helper()
	dir := t.TempDir()
	f := File{Path: filepath.Join(dir, "MEMORY.md"), Lock: filepath.Join(dir, "state", "memory.lock")}
	if text != "" {
		if err := os.WriteFile(f.Path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func planThree(st State) func(text []byte) (Result, State, error) {
	return func(text []byte) (Result, State, error) {
		res, err := planned(text, st, three(), Options{Now: clock})
		return res, st, err
	}
}

// write does with the file what [Curator.Apply] does: it replaces the file with the result of
// plan, under the lock. plan gets the text of the
// file, and also returns the state of that text. Just before the replacement, keep stores
// the result and the change that undoes it; if it fails, the file stays as it is. If the
// file changes meanwhile, both are called again, up to five times; then the error is
// [brain.ErrBusy]. If the plan changes nothing, keep is not called and written is false.
//
// The file keeps its mode. If it is read-only, keep is not called; after any other error it
// may have been.
func (f File) write(ctx context.Context, plan func(text []byte) (Result, State, error), keep func(Result, Change) error) (res Result, written bool, err error) {
	err = f.locked(ctx, func(seen durable.Snapshot) error {
		planned, st, err := plan(seen.Text)
		if res = planned; err != nil || !res.Changed {
			return err
		}
		err = f.replace(ctx, seen, res.Text, func() error {
			return keep(res, newChange(f.Path, seen.Text, seen.Exists, st, res))
		})
		if errors.Is(err, durable.ErrUnsynced) {
			res.Warnings = append(res.Warnings, err.Error())
			err = nil
		}
		written = err == nil
		return err
	})
	return res, written, err
}

func keepNothing(Result, Change) error { return nil }

func kept() error { return nil }

func write(t *testing.T, f File, st State, entries []Entry) (Result, Change) {
	t.Helper()
	var c Change
	plan := func(text []byte) (Result, State, error) {
		res, err := planned(text, st, entries, Options{Now: clock})
		return res, st, err
	}
	res, written, err := f.write(t.Context(), plan, func(_ Result, change Change) error {
		c = change
		return nil
	})
	if err != nil || !written {
		t.Fatalf("written %v, %v", written, err)
	}
	// What the journal keeps is what it gives back.
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var kept Change
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	return res, kept
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clean wants nothing in the folder but the file and the lock's folder.
func clean(t *testing.T, f File) {
	t.Helper()
	left, err := os.ReadDir(filepath.Dir(f.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != filepath.Base(f.Path) && e.Name() != "state" {
			t.Errorf("%s is left behind", e.Name())
		}
	}
}

func TestWriteAndUndoIsExact(t *testing.T) {
	for name, own := range map[string]string{
		"no file": "", "LF": "# Mine\n", "no last newline": "# Mine\n\ttabs", "CRLF": "# Mine\r\n\r\nx\r\n", "mark": bom + "x",
		"block": "a\n" + begin + "typed by hand ü\n" + end + "b", "only a mark": bom, "blank": "\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFile(t, own)
			res, c := write(t, f, State{}, three())
			if got := content(t, f.Path); got != string(res.Text) {
				t.Errorf("%q was written", got)
			}
			if info, _ := os.Stat(f.Path); own != "" && info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v", info.Mode())
			}
			// A second writing, taken back and then the first one.
			more, c2 := write(t, f, res.State, many(30))
			if err := f.undo(t.Context(), c2, kept); err != nil || cmp.Diff(res.State, c2.State) != "" {
				t.Fatalf("%v", err)
			}
			if got := content(t, f.Path); got != string(res.Text) {
				t.Error(cmp.Diff(string(res.Text), got))
			}
			if len(c2.Old)+len(c2.New) > len(res.Text)+len(more.Text) {
				t.Error("the change holds more than the file")
			}
			if err := f.undo(t.Context(), c, kept); err != nil {
				t.Fatal(err)
			}
			_, err := os.Stat(f.Path)
			if own == "" && !errors.Is(err, fs.ErrNotExist) {
				t.Error("the file is still there")
			}
			if own != "" && content(t, f.Path) != own {
				t.Errorf("got %q, want %q", content(t, f.Path), own)
			}
			clean(t, f)
		})
	}
}

func TestUndoWhereOnlyOwnTextChanged(t *testing.T) {
	f := newFile(t, "mine\n")
	first, _ := write(t, f, State{}, three())
	edited := swap(t, string(first.Text), "### Lessons\n", "typed inside\n### Lessons\n")
	if err := os.WriteFile(f.Path, []byte(edited), 0o640); err != nil {
		t.Fatal(err)
	}
	second, c := write(t, f, first.State, three()[:2])
	now := "new above\n" + string(second.Text) + "new below\n"
	if err := os.WriteFile(f.Path, []byte(now), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := f.undo(t.Context(), c, kept); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("new above\n"+edited+"new below\n", content(t, f.Path)); diff != "" {
		t.Error(diff)
	}
}

func TestUndoOfAChangedBlockTouchesNothing(t *testing.T) {
	f := newFile(t, "mine\n")
	res, c := write(t, f, State{}, three())
	for _, now := range []string{
		swap(t, string(res.Text), "Use SQLite", "Use Neo4j"), "mine too\n", begin + string(res.Text),
	} {
		if err := os.WriteFile(f.Path, []byte(now), 0o640); err != nil {
			t.Fatal(err)
		}
		if err := f.undo(t.Context(), c, kept); !errors.Is(err, brain.ErrConflict) || !strings.Contains(err.Error(), "changed since") {
			t.Errorf("%v", err)
		}
		if got := content(t, f.Path); got != now {
			t.Error(cmp.Diff(now, got))
		}
	}
}

// A process that ended between the file and the store undoes it again.
func TestUndoneBefore(t *testing.T) {
	for _, own := range []string{"mine\n", ""} {
		f := newFile(t, own)
		_, c := write(t, f, State{}, three())
		for range 2 {
			called := false
			err := f.undo(t.Context(), c, func() error { called = true; return nil })
			if err != nil || !called {
				t.Fatalf("%q: %v, kept %v", own, err, called)
			}
		}
		if own != "" && content(t, f.Path) != own {
			t.Errorf("got %q", content(t, f.Path))
		}
	}
}

func TestWhatCannotBeKeptIsNotWritten(t *testing.T) {
	f := newFile(t, "mine\n")
	keep := func(Result, Change) error { return brain.ErrUnavailable }
	if _, written, err := f.write(t.Context(), planThree(State{}), keep); written || !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("written %v, %v", written, err)
	}
	if content(t, f.Path) != "mine\n" {
		t.Error("it was written")
	}
	clean(t, f)
}

func TestNothingToWrite(t *testing.T) {
	f := newFile(t, "mine\n")
	res, _ := write(t, f, State{}, three())
	before, _ := os.Stat(f.Path)
	if err := os.Chmod(f.Path, 0o440); err != nil {
		t.Fatal(err)
	}
	if _, written, err := f.write(t.Context(), planThree(res.State), keepNothing); written || err != nil {
		t.Errorf("written %v, %v", written, err)
	}
	if after, _ := os.Stat(f.Path); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
}

func TestReadOnlyFile(t *testing.T) {
	f := newFile(t, "mine\n")
	if err := os.Chmod(f.Path, 0o440); err != nil {
		t.Fatal(err)
	}
	_, written, err := f.write(t.Context(), planThree(State{}), keepNothing)
	if written || !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	}
	if content(t, f.Path) != "mine\n" {
		t.Error("it was written")
	}
	clean(t, f)
}

func TestSymbolicLinkIsFollowed(t *testing.T) {
	f := newFile(t, "")
	target := filepath.Join(t.TempDir(), "dotfiles.md")
	if err := os.WriteFile(target, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, f.Path); err != nil {
		t.Fatal(err)
	}
	res, c := write(t, f, State{}, three())
	if info, _ := os.Lstat(f.Path); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if content(t, target) != string(res.Text) {
		t.Error("the target was not written")
	}
	if err := f.undo(t.Context(), c, kept); err != nil || content(t, target) != "mine\n" {
		t.Errorf("undo: %v", err)
	}
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if res, _ := write(t, f, State{}, three()); content(t, target) != string(res.Text) {
		t.Error("the target was not made")
	}
}

func TestNoFile(t *testing.T) {
	f := newFile(t, "")
	if err := os.Mkdir(f.Path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.write(t.Context(), planThree(State{}), keepNothing); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
	f = newFile(t, "")
	f.Path = filepath.Join(filepath.Dir(f.Path), "new", "MEMORY.md")
	write(t, f, State{}, three())
}

func TestReplacedWhileWritten(t *testing.T) {
	for _, times := range []int{1, 4, 5} {
		f := newFile(t, "mine\n")
		saves := 0
		plan := planThree(State{})
		saving := func(text []byte) (Result, State, error) { // the file is read by now
			if saves++; saves <= times {
				if err := os.WriteFile(f.Path, []byte("mine\n"+strings.Repeat("saved\n", saves)), 0o640); err != nil {
					t.Error(err)
				}
			}
			return plan(text)
		}
		res, written, err := f.write(t.Context(), saving, keepNothing)
		saved := "mine\n" + strings.Repeat("saved\n", times)
		if times < 5 {
			if err != nil || !written || !strings.HasPrefix(string(res.Text), saved) || content(t, f.Path) != string(res.Text) {
				t.Errorf("%d times: %v\n%s", times, err, content(t, f.Path))
			}
		} else if !errors.Is(err, brain.ErrBusy) || written || content(t, f.Path) != saved {
			t.Errorf("%d times: %v\n%s", times, err, content(t, f.Path))
		}
		clean(t, f)
	}
}

func TestOneAtATime(t *testing.T) {
	f := newFile(t, "mine\n")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, _, err := f.write(t.Context(), planThree(State{}), keepNothing); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := strings.Count(content(t, f.Path), markdown.BlockBegin); n != 1 {
		t.Errorf("%d blocks", n)
	}
	unlock, err := durable.Lock{Path: f.Lock}.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ended, cancel := contextEnded(t)
	defer cancel()
	if _, _, err := f.write(ended, planThree(State{}), keepNothing); err == nil {
		t.Error("written while another process held the lock")
	}
}

func TestPlanErrorWritesNothing(t *testing.T) {
	f := newFile(t, begin)
	if _, written, err := f.write(t.Context(), planThree(State{}), keepNothing); written || !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("%v", err)
	}
	clean(t, f)
}
