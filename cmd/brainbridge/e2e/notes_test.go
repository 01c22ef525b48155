package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// note is a daily note with one outcome.
func note(clock, title, body string) string {
	return "# Daily Notes\n\n" + outcome(clock, title, body)
}

func outcome(clock, title, body string) string {
	return fmt.Sprintf("## [%s] 💡 lesson: %s\n\n%s\n\n", clock, title, body)
}

// save writes a note in place.
func (h *home) save(name, text string) {
	h.t.Helper()
	file := filepath.Join(h.notes(), name)
	must(h.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(h.t, os.WriteFile(file, []byte(text), 0o644))
}

func (h *home) note(name string) string { return filepath.Join(h.notes(), name) }

// The ways in which programs save a file that is there.
func editors() map[string]func(h *home, name, text string) {
	return map[string]func(h *home, name, text string){
		"in place": (*home).save,
		"by rename": func(h *home, name, text string) {
			h.save("."+name+".tmp", text)
			must(h.t, os.Rename(h.note("."+name+".tmp"), h.note(name)))
		},
		"vim's backup dance": func(h *home, name, text string) {
			h.save("4913", "")
			must(h.t, os.Remove(h.note("4913")))
			must(h.t, os.Rename(h.note(name), h.note(name+"~")))
			h.save(name, text)
			must(h.t, os.Remove(h.note(name+"~")))
		},
		"emacs' lock and backup": func(h *home, name, text string) {
			must(h.t, os.Symlink("me@host.1", h.note(".#"+name)))
			must(h.t, os.Rename(h.note(name), h.note(name+"~")))
			h.save(name, text)
			must(h.t, os.Remove(h.note(".#"+name)))
		},
		"copied over": func(h *home, name, text string) {
			must(h.t, os.WriteFile(h.path("elsewhere.md"), []byte(text), 0o600))
			must(h.t, exec.Command("cp", h.path("elsewhere.md"), h.note(name)).Run())
		},
		"removed and written anew": func(h *home, name, text string) {
			must(h.t, os.Remove(h.note(name)))
			h.save(name, text)
		},
	}
}

// What editors do arrives once, under the id that the memory has.
func TestSavesOfEditorsArriveOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.serve()
		day := 0
		for how, save := range editors() {
			day++
			name, mark := fmt.Sprintf("2026-01-%02d.md", day), fmt.Sprintf("mark%d", day)
			h.save(name, note("10:00", how, mark+"first"))
			first := h.once(mark + "first")
			save(h, name, note("10:00", how, mark+"second"))
			second := h.once(mark + "second")
			want(t, "id after a save "+how, second.ID, first.ID)
			want(t, "memories with the text before", len(h.recall(mark+"first")), 0)

			file := h.note(name)
			must(t, exec.Command("touch", file).Run())
		}
		h.save("2026-02-01.md", note("10:00", "Last", "markafter"))
		h.once("markafter") // and so the touches before it were looked at
		for i := range day {
			h.once(fmt.Sprintf("mark%dsecond", i+1))
		}
		want(t, "total", h.status().Total, day+1)
		got := ask[synced](h, "notes", "sync")
		want(t, "unchanged outcomes", got.Unchanged, day+1)
		want(t, "other outcomes", got.New+got.Changed+got.Gone, 0)
	})
}

func TestGitCheckoutOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		must(t, os.MkdirAll(h.notes(), 0o755))
		h.git("init", "-q")
		h.serve()
		h.save("2026-01-05.md", note("10:00", "Port", "oldmark 5432"))
		first := h.once("oldmark")
		h.git("add", "-A")
		h.git("commit", "-q", "-m", "old")
		h.save("2026-01-05.md", note("10:00", "Port", "newmark 5433")+outcome("11:00", "Other", "othermark"))
		h.once("newmark")
		other := h.once("othermark")
		h.git("commit", "-q", "-a", "-m", "new")

		h.git("checkout", "-q", "HEAD~1")
		want(t, "id of the older version", h.once("oldmark").ID, first.ID)
		want(t, "memories of the newer version", len(h.recall("newmark")), 0)
		want(t, "id of what is no longer there", h.once("othermark").ID, other.ID)

		h.git("checkout", "-q", "-")
		want(t, "id of the newer version", h.once("newmark").ID, first.ID)
		want(t, "id of what came back", h.once("othermark").ID, other.ID)
		want(t, "total", h.status().Total, 2)
	})
}

// git runs git in the notes directory, as nobody in particular.
func (h *home) git(args ...string) {
	h.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = h.notes()
	c.Env = append(h.environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := c.CombinedOutput(); err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func TestMemoryOfADeletedNoteStays(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.serve()
		h.save("2026-01-05.md", note("10:00", "Port", "deletedmark"))
		before := h.once("deletedmark")
		must(t, os.Remove(h.note("2026-01-05.md")))
		eventually(t, func() error {
			if n := ask[notesStatus](h, "notes", "status").Files; n != 0 {
				return fmt.Errorf("%d files are known", n)
			}
			return nil
		})
		want(t, "id after the note was deleted", h.once("deletedmark").ID, before.ID)

		h.save("2026-01-05.md", note("10:00", "Port", "deletedmark"))
		eventually(t, func() error {
			if n := ask[notesStatus](h, "notes", "status").Files; n != 1 {
				return fmt.Errorf("%d files are known", n)
			}
			return nil
		})
		want(t, "id after it came back", h.once("deletedmark").ID, before.ID)
		want(t, "total", h.status().Total, 1)
	})
}

// A bad file is named, and stops nothing.
func TestBadNotesStopNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.ok("init")
		bad := h.badNotes()
		h.save("2026-01-09.md", note("10:00", "Good", "goodmark"))
		h.unprivileged()

		got := ask[synced](h, "notes", "sync")
		named(t, got.Problems, bad)
		h.once("goodmark")

		s := ask[notesStatus](h, "notes", "status")
		named(t, s.Problems, bad)
		want(t, "files", s.Files, 1)
		for line := range strings.Lines(h.ok("notes", "status").out) {
			if strings.HasPrefix(line, "b.md") {
				t.Errorf("a name broke a line in two: %q", line)
			}
		}

		// The daemon goes on beside them, and takes in what was mended.
		h.serve()
		h.save("2026-01-01.md", note("10:00", "Mended", "mendedmark"))
		h.once("mendedmark")
		eventually(t, func() error {
			s := ask[notesStatus](h, "notes", "status")
			if slices.ContainsFunc(s.Problems, func(p problem) bool { return p.File == "2026-01-01.md" }) {
				return fmt.Errorf("the mended note is still a problem: %+v", s.Problems)
			}
			return nil
		})
		want(t, "total", h.status().Total, 2)
	})
}

// badNotes makes what cannot be read, and returns a word of each complaint.
func (h *home) badNotes() map[string]string {
	h.t.Helper()
	h.save("2026-01-01.md", "## [10:00] 💡 lesson: Caf\xe9\n\nlatin text\n")
	h.save("2026-01-02.md", "")
	must(h.t, os.Truncate(h.note("2026-01-02.md"), 8<<20+1))
	must(h.t, os.MkdirAll(h.note("2026-01-03.md"), 0o755))
	h.save("2026-01-04.md", note("10:00", "Closed", "closedmark"))
	must(h.t, os.Chmod(h.note("2026-01-04.md"), 0))
	must(h.t, syscall.Mkfifo(h.note("2026-01-05.md"), 0o644)) // a read would wait for ever
	must(h.t, os.Symlink("nowhere.md", h.note("2026-01-06.md")))
	must(h.t, os.WriteFile(h.path("outside.md"), []byte(note("10:00", "Outside", "outsidemark")), 0o644))
	must(h.t, os.Symlink(h.path("outside.md"), h.note("2026-01-07.md")))
	h.save("2026-01-08-a\nb.md", note("10:00", "Newline", "newlinemark"))
	return map[string]string{
		`"2026-01-08-a\nb.md"`: "rename", // quoted, so that it is one line
		"2026-01-01.md":        "UTF-8", "2026-01-02.md": "max_file", "2026-01-03.md": "", "2026-01-04.md": "permission",
		"2026-01-05.md": "", "2026-01-06.md": "", "2026-01-07.md": "",
	}
}

// named wants a problem for each of these files, and no other.
func named(t *testing.T, problems []problem, files map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, p := range problems {
		got[p.File] = p.Message
	}
	for file, word := range files {
		if message, ok := got[file]; !ok || message == "" || !strings.Contains(message, word) {
			t.Errorf("%s is not reported with %q but %q", file, word, message)
		}
		delete(got, file)
	}
	for file, message := range got {
		t.Errorf("%s is reported: %s", file, message)
	}
}

// unprivileged lets the home's processes run as one whom permissions stop,
// which root is not.
func (h *home) unprivileged() {
	h.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	must(h.t, filepath.WalkDir(h.dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}))
	h.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// The settings give both one notes folder, which is that of the first one.
func TestTwoBrainsInOneHome(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, one *home) {
		two := one.sibling("two")
		two.ok("init")
		two.ok("config", "set", "brains."+two.brain+".notes", "memory")
		d := one.serve()
		one.save("2026-01-05.md", note("10:00", "Port", "notemark"))
		one.once("notemark")
		mine := ask[captured](one, "learn", "topic", "onemark sharedmark")
		yours := ask[captured](two, "learn", "topic", "twomark sharedmark")

		want(t, "what one finds", one.once("sharedmark").ID, mine.MemoryID)
		want(t, "what two finds", two.once("sharedmark").ID, yours.MemoryID)
		want(t, "notes that two finds", len(two.recall("notemark")), 0)
		two.exits(3, "show", mine.MemoryID)
		one.exits(3, "show", yours.MemoryID)
		want(t, "total of one", one.status().Total, 2)
		want(t, "total of two", two.status().Total, 1)
		want(t, "daemon of one", one.status().Watching, true)
		want(t, "daemon of two", two.status().Watching, false)

		f := two.exits(4, "--json", "notes", "sync").failed(t)
		says(t, f.Error.Message, one.brain)
		says(t, f.Error.Hint, "--brain", "--notes")

		// A daemon of the other one runs too, and leaves the notes alone.
		second := two.serve()
		says(t, second.said.String(), "not watched", one.brain)
		one.save("2026-01-06.md", note("10:00", "More", "moremark"))
		one.once("moremark")
		want(t, "notes that two finds", len(two.recall("moremark")), 0)
		second.stop()
		d.stop()
		want(t, "total of two", two.status().Total, 1)
	})
}
