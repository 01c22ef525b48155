package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// place is where a person, a program or an agent looks for what is wrong.
type place struct {
	name string
	// says returns what is wrong there, one line each.
	says func() string
}

func (h *home) places() []place {
	return []place{
		{"status", func() string { return strings.Join(ask[struct{ Warnings []string }](h, "status").Warnings, "\n") }},
		{"health", func() string {
			var lines []string
			for _, i := range ask[struct{ Indicators []indicator }](h, "health").Indicators {
				if i.State == "warn" {
					lines = append(lines, i.Name+": "+i.Detail)
				}
			}
			return strings.Join(lines, "\n")
		}},
		{"hook", func() string { return h.sessionStart("s") }},
	}
}

type indicator struct{ Name, State, Detail string }

// allPlaces adds those that the daemon serves, first /healthz.
func (h *home) allPlaces() []place {
	base := ask[struct{ Web string }](h, "status").Web
	return append(h.places(), []place{
		{"/healthz", func() string { _, text := h.get(base + "/healthz"); return text }},
		{"/metrics", func() string { _, text := h.get(base + "/metrics"); return text }},
		{"the page", func() string { _, text := h.get(base + "/api/v1/health"); return text }},
	}...)
}

// get asks the daemon with its token.
func (h *home) get(url string) (code int, text string) {
	h.t.Helper()
	token, err := os.ReadFile(h.state("token"))
	must(h.t, err)
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	must(h.t, err)
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	res, err := http.DefaultClient.Do(r)
	must(h.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(h.t, err)
	return res.StatusCode, string(body)
}

// sessionStart is what the hook gives an agent that begins a session.
func (h *home) sessionStart(session string) string {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := h.command(ctx, "hook", "SessionStart")
	c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"SessionStart","source":"startup","cwd":%q}`, session, h.dir))
	a, err := finish(ctx, c)
	must(h.t, err)
	want(h.t, "exit code of the hook", a.code, 0)
	return a.out
}

// shown counts the places that name a fault, and wants all of them to.
func shown(t *testing.T, places []place, words ...string) (n int) {
	t.Helper()
	for _, p := range places {
		found := ""
		deadline := time.Now().Add(time.Minute)
		tick := time.NewTicker(200 * time.Millisecond)
		for found = p.says(); !containsAny(found, words) && time.Now().Before(deadline); found = p.says() {
			<-tick.C
		}
		tick.Stop()
		if !containsAny(found, words) {
			t.Errorf("%s does not say %q within a minute:\n%s", p.name, words, found)
			continue
		}
		n++
	}
	return n
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// What does not work is visible within a minute wherever somebody may look, and is not once it
// works again.
func TestEachFaultIsShownInEachPlace(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		ago := *h
		ago.env = append(slices.Clone(h.env), "BRAINBRIDGE_NOW="+time.Now().AddDate(0, 0, -5).UTC().Format(time.RFC3339))
		ago.ok("learn", "falcon", "nests on the tower")
		h.env = append(h.env, "BRAINBRIDGE_BACKUP_SCHEDULE=off", "BRAINBRIDGE_WEB_LISTEN=127.0.0.1:0")
		faults, named := 0, 0
		fault := func(places []place, name string, words ...string) {
			t.Helper()
			faults++
			named += shown(t, places, append(words, name+": ", name+")", name+", ", `name="`+name+`"} 1`, `"name":"`+name+`","state":"warn"`)...)
		}

		// A job of the daemon fails, and nothing was captured for days.
		core := h.path("data", h.brain, "core-memory.json")
		must(t, os.MkdirAll(filepath.Join(core, "x"), 0o700))
		d := h.serve()
		all := h.allPlaces()
		fault(all, "captureSilence")
		fault(all, "lastRun", "close-day failed")
		d.stop()
		must(t, os.RemoveAll(core))
		h.ok("learn", "falcon", "has flown")

		d = h.serve()
		all = h.allPlaces()
		well := func() {
			t.Helper()
			eventually(t, func() error {
				if said := all[len(h.places())].says(); said != "ok\n" {
					return errors.New(said)
				}
				return nil
			})
		}
		h.ok("backup", "create")
		h.ok("doctor")
		well()
		if text := h.sessionStart("well"); strings.Contains(text, "needs attention") {
			t.Errorf("nothing is wrong: %s", text)
		}

		// Doctor found damage.
		graphs, err := filepath.Glob(h.path("data", h.brain, "backups", "brain-*", "graph.jsonl.zst"))
		must(t, err)
		whole, err := os.ReadFile(graphs[0])
		must(t, err)
		must(t, os.Chmod(graphs[0], 0o600))
		must(t, os.WriteFile(graphs[0], whole[:len(whole)/2], 0o600))
		h.exits(1, "doctor")
		fault(all, "doctor")
		must(t, os.WriteFile(graphs[0], whole, 0o600))
		h.ok("doctor")

		// The store refused captures.
		must(t, os.MkdirAll(h.state("spool"), 0o700))
		must(t, os.WriteFile(h.state("spool/rejected.jsonl"), []byte("{\"reason\":\"x\"}\n"), 0o600))
		fault(all, "spool")
		must(t, os.Remove(h.state("spool/rejected.jsonl")))
		well()

		// The daemon hangs, or was killed.
		past := time.Now().Add(-time.Minute)
		d.signal(syscall.SIGSTOP)
		must(t, os.Chtimes(h.state("daemon.json"), past, past))
		fault(h.places(), "watcher", "does not respond")
		d.kill()
		fault(h.places(), "watcher", "the daemon has died")
		_, store, _ := strings.Cut(t.Name(), "/")
		testlab.Report(t, store, "%d faults, named in %d places", faults, named)
	})
}

// A store that is away is named in each place too.
func TestAStoreThatIsAwayIsShown(t *testing.T) {
	t.Parallel()
	h, p := behindProxy(t)
	h.env = append(h.env, "BRAINBRIDGE_WEB_LISTEN=127.0.0.1:0")
	p.cut(1, 200_000) // so that no connection lasts
	d := h.serve()
	base := ask[struct{ Web string }](h, "status").Web
	p.refuse()
	h.exits(5, "status")
	h.exits(5, "health")
	says(t, h.sessionStart("s"), "memory cannot be reached")
	for _, path := range []string{"/healthz", "/metrics", "/api/v1/health"} {
		eventually(t, func() error {
			if code, text := h.get(base + path); code != http.StatusServiceUnavailable {
				return fmt.Errorf("%s answers %d: %s", path, code, text)
			}
			return nil
		})
	}
	p.pass()
	eventually(t, func() error {
		if code, text := h.get(base + "/healthz"); code != http.StatusOK {
			return fmt.Errorf("%d: %s", code, text)
		}
		return nil
	})
	d.stop()
}
