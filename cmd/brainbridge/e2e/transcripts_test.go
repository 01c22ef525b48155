package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// session writes a session of two days ago, and returns its day.
func (h *home) session(texts ...string) (day string) {
	h.t.Helper()
	day = time.Now().UTC().AddDate(0, 0, -2).Format(time.DateOnly)
	var lines strings.Builder
	for i, text := range texts {
		quoted, err := json.Marshal(text)
		must(h.t, err)
		fmt.Fprintf(&lines, `{"type":"user","uuid":"00000000-0000-4000-8000-%012d","sessionId":"s","timestamp":"%sT10:%02d:00Z","message":{"role":"user","content":%s}}`+"\n", i, day, i, quoted)
	}
	dir := h.path("user", ".claude", "projects", "p")
	must(h.t, os.MkdirAll(dir, 0o700))
	must(h.t, os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(lines.String()), 0o600))
	return day
}

// The daemon finds by itself what is over and not done, once.
func TestDaemonExtractsTranscripts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		day := h.session("We decided to use Postgres 17 for the ledger.")
		d := h.serve()
		m := h.once("Postgres ledger")
		want(t, "name", m.Name, "We decided to use Postgres 17 for the ledger.")
		d.stop()
		before, err := os.ReadFile(h.note(day + ".md"))
		must(t, err)
		says(t, string(before), "> We decided to use Postgres 17 for the ledger.", "<!-- transcript: ")
		h.serve().stop()
		after, err := os.ReadFile(h.note(day + ".md"))
		must(t, err)
		want(t, "the note", string(after), string(before))
	})
}

// A command that is killed at any time is finished by the next, without doubles.
func TestKilledExtractionIsFinished(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "BRAINBRIDGE_NOW=2026-02-10T09:00:00Z")
	made := fixture.Generate(fixture.Options{Characters: 60_000, Sessions: 8, Planted: 6})
	must(t, made.Write(h.path("user")))
	whole := newHome(t)
	whole.env = h.env
	must(t, made.Write(whole.path("user")))
	whole.ok("transcript", "extract")
	wanted := noteTexts(t, whole)

	for after := 5 * time.Millisecond; after < 200*time.Millisecond; after += 15 * time.Millisecond {
		c := h.command(t.Context(), "transcript", "extract")
		must(t, c.Start())
		dies := time.AfterFunc(after, func() { _ = c.Process.Signal(syscall.SIGKILL) }) // it may have ended
		_ = c.Wait()
		dies.Stop()
	}
	h.ok("transcript", "extract")
	got := noteTexts(t, h)
	for name, text := range wanted {
		want(t, name, got[name], text)
	}
	want(t, "files", len(got), len(wanted))
	want(t, "outcomes", len(h.all()), len(whole.all()))
}

// noteTexts are the files of the notes directory, by name.
func noteTexts(t *testing.T, h *home) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, glob := range []string{"*.md", "transcripts/*", "knowledge/*/*"} {
		found, err := filepath.Glob(filepath.Join(h.notes(), filepath.FromSlash(glob)))
		must(t, err)
		for _, path := range found {
			if strings.HasPrefix(filepath.Base(path), ".") {
				continue // what a killed process was about to put in place
			}
			raw, err := os.ReadFile(path)
			must(t, err)
			rel, err := filepath.Rel(h.notes(), path)
			must(t, err)
			texts[rel] = string(raw)
		}
	}
	return texts
}
