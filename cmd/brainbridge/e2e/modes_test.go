package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// umask runs the program under a file mode creation mask, with an input.
func (h *home) umask(mask, stdin string, args ...string) answer {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	c := h.command(ctx)
	shell := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", "umask " + mask + ` && exec "$0" "$@"`, binary}, args...)...)
	shell.Env, shell.Dir, shell.Stdin = c.Env, c.Dir, strings.NewReader(stdin)
	a, err := finish(ctx, shell)
	must(h.t, err)
	return a
}

// Whatever the mask is, all that the program makes below its folders can be read by its owner
// alone, and the files of a person keep their modes.
func TestOnlyTheOwnerReadsWhatIsMade(t *testing.T) {
	t.Parallel()
	for _, mask := range []string{"0022", "0000"} {
		t.Run(mask, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.dir = h.path("home")
			run := func(stdin string, args ...string) string {
				t.Helper()
				a := h.umask(mask, stdin, args...)
				if a.code != 0 {
					t.Fatal(a)
				}
				return strings.TrimSpace(a.out)
			}
			must(t, os.Mkdir(h.dir, 0o700))
			must(t, os.Mkdir(h.notes(), 0o755))
			must(t, os.Chmod(h.notes(), 0o755))
			own := map[string]os.FileMode{"2026-01-05.md": 0o644, "2026-01-06.md": 0o664, "tools.md": 0o640}
			for name, mode := range own {
				h.save(name, note("10:00", "Port", "a note of a person"))
				must(t, os.Chmod(filepath.Join(h.notes(), name), mode))
			}
			must(t, os.WriteFile(h.path("MEMORY.md"), []byte("# Mine\n"), 0o644))
			must(t, os.Chmod(h.path("MEMORY.md"), 0o644))

			run("", "init")
			run("", "notes", "sync")
			id := run("", "-q", "remember", "something for core memory")
			run("", "learn", "falcon", "nests on the tower")
			run("", "outcome", "decision", "Title", "body")
			run("", "remind", "call Bob", "--due", "2031-01-01")
			run("", "core", "promote", id)
			run("", "config", "set", "hooks.heartbeat", "20")
			run("", "consolidate", "--yes")
			run("", "curate")
			run("", "backup", "create")
			run("", "forget", run("", "-q", "remember", "to be forgotten"), "--yes")
			run(fmt.Sprintf(`{"session_id":"s","hook_event_name":"SessionStart","cwd":%q}`, h.dir), "hook", "SessionStart")
			run(`{"session_id":"s","prompt":"falcon"}`, "hook", "UserPromptSubmit")
			run("", "goodbye")
			run("", "attention", "--focus", "falcons")
			run("", "--test-only", "remember", "a test")
			run("", "transcript", "extract")
			run("", "doctor")
			away := *h
			away.env = []string{"BRAINBRIDGE_STORE=bolt://127.0.0.1:1"}
			if a := away.umask(mask, "", "remember", "for the spool"); a.code != 0 {
				t.Error(a)
			}
			run("", "backup", "restore", "newest", "--yes")
			serve := exec.Command("/bin/sh", "-c", "umask "+mask+` && exec "$0" serve`, binary)
			serve.Env, serve.Dir = h.environ(), h.dir
			d := h.start(serve, "Ctrl-C stops it.")
			h.save("2026-01-07.md", note("10:00", "Later", "latermark"))
			must(t, os.Chmod(filepath.Join(h.notes(), "2026-01-07.md"), 0o644))
			h.once("latermark")
			d.stop()
			own["2026-01-07.md"] = 0o644

			files := 0
			must(t, filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := e.Info()
				if err != nil {
					return err
				}
				files++
				rel, _ := filepath.Rel(h.dir, path)
				mode, of := own[filepath.Base(path)]
				switch {
				case rel == "memory" && info.Mode().Perm() == 0o755, rel == "MEMORY.md" && info.Mode().Perm() == 0o644: // of the person
				case of && filepath.Dir(rel) == "memory":
					want(t, "mode of "+rel, info.Mode().Perm(), mode)
				case info.Mode().Perm()&0o077 != 0:
					t.Errorf("others can read %s: %v", rel, info.Mode())
				}
				return nil
			}))
			if files < 40 {
				t.Errorf("only %d files were looked at", files)
			}
		})
	}
}
