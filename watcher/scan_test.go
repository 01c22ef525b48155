package watcher

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func markdown(rel string) bool { return strings.HasSuffix(rel, ".md") }

// write makes files (and their directories) below dir; a name with " -> "
// makes a symbolic link, one that ends in "/" a directory.
func write(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		link, target, isLink := strings.Cut(name, " -> ")
		full := filepath.Join(dir, link)
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		switch {
		case isLink:
			must(t, os.Symlink(target, full))
		case strings.HasSuffix(name, "/"):
			must(t, os.MkdirAll(full, 0o755))
		default:
			must(t, os.WriteFile(full, []byte(name), 0o644))
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func scan(t testing.TB, cfg Config) (paths, problems []string) {
	t.Helper()
	files, ps, err := Scan(context.Background(), cfg)
	must(t, err)
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	for _, p := range ps {
		problems = append(problems, p.Path+": "+p.Message)
	}
	return paths, problems
}

func TestScanFinds(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.md", "sub/other.md")
	tests := []struct {
		name     string
		files    []string
		want     []string
		problems []string // a part of each
	}{
		{"nothing", nil, nil, nil},
		{"plain and nested", []string{"b.md", "a.md", "knowledge/x/y.md", "image.png"}, []string{"a.md", "b.md", "knowledge/x/y.md"}, nil},
		{"temporary files and hidden folders", []string{"a.md", ".a.md.swp", "a.md~", ".git/x.md", "#a.md#"}, []string{"a.md"}, nil},
		{"skipped folder", []string{"a.md", "skip/b.md", "x/skip/c.md"}, []string{"a.md", "x/skip/c.md"}, nil},
		{"directory in place of a file", []string{"day.md/", "day.md/in.md"}, []string{"day.md/in.md"}, []string{"day.md: is a directory"}},
		{"name with a newline", []string{"a\nb.md", "c.md"}, []string{"c.md"}, []string{`"a\nb.md": the name has`}},
		{"name that is not UTF-8", []string{"a\xff.md", "c.md"}, []string{"c.md"}, []string{`"a\xff.md": the name has`}},
		{"link to a file that is found anyway", []string{"a.md", "b.md -> a.md"}, []string{"a.md"}, nil},
		{"link to a file that does not match by itself", []string{"a.txt", "b.md -> a.txt"}, []string{"b.md"}, nil},
		{"two links to one hidden file", []string{".h/a.md", "b.md -> .h/a.md", "c.md -> .h/a.md"}, []string{"b.md"}, nil},
		{"link to a folder that is found anyway", []string{"x/a.md", "y -> x"}, []string{"x/a.md"}, nil},
		{"link to a hidden folder inside", []string{".store/n/a.md", "y -> .store"}, []string{"y/n/a.md"}, nil},
		{"link to itself", []string{"a.md", "loop.md -> loop.md"}, []string{"a.md"}, []string{"loop.md: symbolic link cannot be followed"}},
		{"link to its own folder", []string{"x/a.md", "x/up -> ..", "x/me -> ."}, []string{"x/a.md"}, nil},
		{"links that lead to each other", []string{".a/f.md", ".a/b -> ../.b", ".b/g.md", ".b/a -> ../.a", "in -> .a"}, []string{"in/b/g.md", "in/f.md"}, nil},
		{"dangling link", []string{"a.md -> nowhere.md", "b.txt -> nowhere"}, nil, []string{"a.md: symbolic link cannot be followed"}},
		{"link to a file outside", []string{"a.md -> " + outside + "/secret.md"}, nil, []string{"a.md: symbolic link leads outside"}},
		{"link to a folder outside", []string{"a -> " + outside}, nil, []string{"a: symbolic link leads outside"}},
		{"link outside through a link inside", []string{".h/o -> " + outside, "a -> .h"}, nil, []string{"a/o: symbolic link leads outside"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.files...)
			cfg := Config{Dir: dir, Match: markdown, SkipDir: func(rel string) bool { return rel == "skip" }}
			paths, problems := scan(t, cfg)
			if d := cmp.Diff(tt.want, paths); d != "" {
				t.Errorf("files (-want +got):\n%s", d)
			}
			if len(problems) != len(tt.problems) {
				t.Fatalf("problems = %q, want %q", problems, tt.problems)
			}
			for i, want := range tt.problems {
				if !strings.HasPrefix(problems[i], want) {
					t.Errorf("problem %q, want %q…", problems[i], want)
				}
			}
		})
	}
}

func TestScanGivesHints(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md")
	at := time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC)
	must(t, os.Chtimes(filepath.Join(dir, "a.md"), at, at))
	files, _, err := Scan(context.Background(), Config{Dir: dir})
	must(t, err)
	if len(files) != 1 || files[0].Size != 4 || !files[0].ModTime.Equal(at) {
		t.Errorf("hints = %+v", files)
	}
	if runtime.GOOS == "linux" && files[0].Inode == 0 {
		t.Error("no inode on Linux")
	}
}

func TestScanFollowsALinkedRoot(t *testing.T) {
	base := t.TempDir()
	write(t, base, "real/a.md", "real/.h/b.md", "real/l -> .h", "root -> real")
	paths, problems := scan(t, Config{Dir: filepath.Join(base, "root"), Match: markdown})
	if d := cmp.Diff([]string{"a.md", "l/b.md"}, paths); d != "" || problems != nil {
		t.Errorf("files (-want +got):\n%s problems %q", d, problems)
	}
}

func TestScanDoesNotOpenAPipe(t *testing.T) {
	dir := t.TempDir()
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o644))
	paths, problems := scan(t, Config{Dir: dir, Match: markdown})
	if paths != nil || len(problems) != 1 || !strings.Contains(problems[0], "not a regular file") {
		t.Errorf("files %q, problems %q", paths, problems)
	}
}

func TestScanReportsAFolderWithoutPermission(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	dir := t.TempDir()
	write(t, dir, "a.md", "locked/b.md")
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "locked"), 0o755) })
	paths, problems := scan(t, Config{Dir: dir, Match: markdown})
	if len(paths) != 1 || len(problems) != 1 || !strings.HasPrefix(problems[0], "locked: directory cannot be read") {
		t.Errorf("files %q, problems %q", paths, problems)
	}
}

// A caller that took an empty answer for the truth would mark all files gone.
func TestScanWithoutTheDirectoryIsAnError(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file")
	_, _, err := Scan(context.Background(), Config{Dir: filepath.Join(dir, "none")})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
	if _, _, err = Scan(context.Background(), Config{Dir: filepath.Join(dir, "file")}); err == nil {
		t.Error("a file in place of the directory is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err = Scan(ctx, Config{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// What is removed between the listing and the look at it is no problem.
func TestScanSurvivesWhatVanishes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md", "b/c.md", "d.md")
	cfg := Config{Dir: dir, Match: func(rel string) bool {
		_ = os.RemoveAll(filepath.Join(dir, "b"))
		_ = os.Remove(filepath.Join(dir, "d.md"))
		return markdown(rel)
	}}
	paths, problems := scan(t, cfg)
	if d := cmp.Diff([]string{"a.md"}, paths); d != "" || problems != nil {
		t.Errorf("files (-want +got):\n%s problems %q", d, problems)
	}
}

// However links are laid, each file counts once and the scan ends.
func TestScanCountsEachFileOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		must(t, err)
		dirs := []string{".", "a", "b", "a/c", ".h"}
		for i, d := range dirs {
			write(t, dir, d+"/", fmt.Sprintf("%s/f%d.md", d, i))
		}
		for i, n := 0, rapid.IntRange(0, 6).Draw(rt, "links"); i < n; i++ {
			at := rapid.SampledFrom(dirs).Draw(rt, "at")
			to := rapid.SampledFrom(dirs).Draw(rt, "to")
			must(t, os.Symlink(filepath.Join(dir, to), filepath.Join(dir, at, fmt.Sprintf("l%d", i))))
		}
		files, _, err := Scan(context.Background(), Config{Dir: dir, Match: markdown})
		must(t, err)
		inodes := map[uint64]bool{}
		for _, f := range files {
			if inodes[f.Inode] {
				rt.Fatalf("a file counts twice: %v", files)
			}
			inodes[f.Inode] = true
		}
		if len(files) < 4 {
			rt.Fatalf("files are missing: %v", files)
		}
	})
}

func BenchmarkScan10000(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		write(b, dir, fmt.Sprintf("%02d/%05d.md", i%50, i))
	}
	cfg := Config{Dir: dir, Match: markdown}
	b.ReportAllocs()
	for b.Loop() {
		if files, _ := scan(b, cfg); len(files) != 10_000 {
			b.Fatal(len(files))
		}
	}
}
