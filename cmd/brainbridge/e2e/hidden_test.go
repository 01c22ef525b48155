package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hiddenIn returns the first character of a text that changes how a terminal or a reader sees the
// rest: a control character other than line breaks and tabs, or a mark of direction.
func hiddenIn(text string) (r rune, found bool) {
	for _, r := range text {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return r, true
		}
	}
	return 0, false
}

// Control characters and marks of direction in memories and notes reach no terminal, agent or page
// raw, and are stored as they are.
func TestHiddenCharactersReachNobody(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		const marks = "\x1b[31m\x07\b\u009b31m\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\x7f"
		content := "falcon " + marks + "nests on " + marks + "towers"
		named := "Kestrel" + marks + "s"
		input := func(stdin string, args ...string) answer {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c := h.command(ctx, args...)
			c.Stdin = strings.NewReader(stdin)
			a, err := finish(ctx, c)
			must(t, err)
			return a
		}
		check := func(where, text string) {
			t.Helper()
			if r, found := hiddenIn(text); found {
				t.Errorf("%s gives %U raw:\n%q", where, r, text)
			}
		}
		a := input(content, "remember", "--type", "decision", "--name", named, "--tag", "t\u202e", "-q", "-")
		want(t, "exit code", a.code, 0)
		id := strings.TrimSpace(a.out)
		h.save("2026-01-05.md", note("10:00", "Port "+marks+" of staging", "a note with "+marks+" in it"))
		h.save("x"+"\u202e"+"dm.md", "# Loose "+marks+"\n\nSome prose about herons "+marks+".\n")
		h.save("2026-01-06.md", "# broken "+marks+"\n\n## [99:99] "+marks+"\n\xff\n")
		h.ok("outcome", "decision", "Owls "+marks, "hunt "+marks+" at night")
		h.ok("remind", "call "+marks+" Bob", "--due", "2031-01-01")

		session := func(event, prompt string) answer {
			return input(fmt.Sprintf(`{"session_id":"s","hook_event_name":%q,"prompt":%q,"cwd":%q}`, event, prompt, h.dir), "hook", event)
		}
		h.env = append(h.env, "BRAINBRIDGE_HOOKS_RECALL=true")
		commands := [][]string{
			{"notes", "sync"},
			{"list"},
			{"list", "--sources"},
			{"recall", "falcon"},
			{"recall", "herons", "--explain"},
			{"recall", "port staging"},
			{"context"},
			{"show", id},
			{"show", id, "--history"},
			{"show", id, "--why"},
			{"reminders"},
			{"status"},
			{"health"},
			{"reflect"},
			{"review"},
			{"consolidate", "--yes"},
			{"runs"},
			{"runs", "show"},
			{"notes", "status"},
			{"audit"},
			{"doctor"},
			{"core", "promote", id},
			{"core", "list"},
			{"show", "nothing" + marks},
			{"list", "--type", "x" + marks},
			{"forget", marks},
			{"boost", id, marks},
			{"config", "set", marks, "x"},
			{"remember", "--brain", "x" + marks},
			{marks},
			{"recall", "owls", "--since", marks},
			{"curate"},
			{"correct", id, "falcon " + marks + " moved"},
			{"relate", id, "ABOUT" + marks, id},
			{"--store", "sqlite:/nowhere/" + marks, "list"},
			{"import", "markdown", "/nowhere/" + marks},
		}
		for _, args := range commands {
			a := h.run(args...)
			check(fmt.Sprintf("%q", args), a.out)
			check(fmt.Sprintf("%q on standard error", args), a.err)
		}
		for _, args := range commands[:8] {
			a := h.run(append([]string{"--json"}, args...)...)
			check(fmt.Sprintf("--json %q on standard error", args), a.err)
		}
		start := session("SessionStart", "")
		check("the start of a session", start.out)
		check("a prompt", session("UserPromptSubmit", "where do falcons nest on towers").out)
		m := h.mcp()
		for tool, arguments := range map[string]string{
			"recall": `{"query":"falcon"}`, "context": `{}`, "open_memory": `{"id":"` + id + `"}`, "review": `{}`, "consolidate": `{}`, "forget": `{"id":"x\u202ey"}`,
		} {
			check("the tool "+tool, m.call(tool, arguments))
		}
		memoryFile, err := os.ReadFile(h.path("MEMORY.md"))
		must(t, err)
		check("MEMORY.md", string(memoryFile))

		h.env = append(h.env, "BRAINBRIDGE_WEB_LISTEN=127.0.0.1:0")
		d := h.serve()
		base := ask[struct{ Web string }](h, "status").Web
		h.get(base + "/api/v1/memories/none%E2%80%AE")
		check("the daemon", d.said.String())
		d.stop()
		log, err := os.ReadFile(h.state("daemon.log"))
		must(t, err)
		check("the log", string(log))

		// What is stored is what was given.
		if got := ask[struct{ Memory memory }](h, "show", id).Memory.Content; got != "falcon "+marks+" moved" {
			t.Errorf("stored is %q", got)
		}
		folder := filepath.Join(t.TempDir(), "out")
		h.ok("export", "markdown", folder)
		found := false
		must(t, filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
			if raw, readErr := os.ReadFile(path); readErr == nil {
				found = found || strings.Contains(string(raw), "falcon "+marks+" moved")
			}
			return err
		}))
		if !found {
			t.Error("no exported file has the text")
		}
	})
}
