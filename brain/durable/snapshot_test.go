package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// A file that changed after it was read is not replaced.
func TestReplaceKeepsAChangedFile(t *testing.T) {
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o640) }
	cases := []struct {
		name      string
		meanwhile func(path string) error
		text      string // afterwards
	}{
		{"nothing", func(string) error { return nil }, "new"},
		{"another text", func(path string) error { return write(path, "saved") }, "saved"},
		{"another text of the same length", func(path string) error { return write(path, "odd") }, "odd"},
		{"the same text", func(path string) error { return write(path, "old") }, "new"},
		{"other rights", func(path string) error { return os.Chmod(path, 0o600) }, "old"},
		{"removed", os.Remove, ""},
		{"replaced by a link", func(path string) error {
			return errors.Join(write(path+".other", "old"), os.Remove(path), os.Symlink(path+".other", path))
		}, "old"},
	}
	for _, c := range cases {
		for _, late := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "file")
			if err := errors.Join(write(path, "old"), os.Chmod(path, 0o640)); err != nil {
				t.Fatal(err)
			}
			seen, err := durable.ReadSnapshot(path)
			if err != nil {
				t.Fatal(err)
			}
			var before func() error
			if late {
				before = func() error { return c.meanwhile(path) }
			} else if err := c.meanwhile(path); err != nil {
				t.Fatal(err)
			}
			err = seen.Replace([]byte("new"), durable.Options{KeepMode: true}, before)
			if moved := errors.Is(err, durable.ErrChanged); moved != (c.text != "new") || !moved && err != nil {
				t.Errorf("%s, late %v: %v", c.name, late, err)
			}
			if text, err := durable.ReadFile(path); err != nil || string(text) != c.text {
				t.Errorf("%s, late %v: the file is %q, %v", c.name, late, text, err)
			}
		}
	}
}

func TestReplaceFollowsALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "dotfiles"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(target, []byte("old"), 0o600), os.Symlink(target, link)); err != nil {
		t.Fatal(err)
	}
	seen, err := durable.ReadSnapshot(link)
	if err != nil || !seen.Exists || string(seen.Text) != "old" {
		t.Fatalf("%+v, %v", seen, err)
	}
	if err := seen.Replace([]byte("new"), durable.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestReplaceKeepsAFileCreatedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	seen, err := durable.ReadSnapshot(path)
	if err != nil || seen.Exists || seen.Text != nil {
		t.Fatalf("%+v, %v", seen, err)
	}
	theirs := func() error { return os.WriteFile(path, []byte("theirs"), 0o600) }
	if err := seen.Replace([]byte("ours"), durable.Options{}, theirs); !errors.Is(err, durable.ErrChanged) {
		t.Errorf("%v", err)
	}
	if seen, err = durable.ReadSnapshot(path); err != nil || string(seen.Text) != "theirs" {
		t.Errorf("%+v, %v", seen, err)
	}
	refuse := errors.New("refused")
	if err := seen.Remove(func() error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("%v", err)
	}
	if err := seen.Remove(nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestRetryChangedEnds(t *testing.T) {
	busy := errors.New("busy")
	for _, times := range []int{0, 1, 4, 5} {
		n := 0
		err := durable.RetryChanged(busy, func() error {
			if n++; n <= times {
				return durable.ErrChanged
			}
			return nil
		})
		if ended := times == 5; ended != errors.Is(err, busy) || n > 5 {
			t.Errorf("changed %d times: %v after %d", times, err, n)
		}
	}
}
