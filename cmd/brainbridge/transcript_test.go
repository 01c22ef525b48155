package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// listener is a home with a session of five chunks, and a model that reads it.
type listener struct {
	t     *testing.T
	env   map[string]string
	calls atomic.Int64
	// answer says what the endpoint makes of a chunk.
	answer func(w http.ResponseWriter, chunk string)
}

func newListener(t *testing.T, store string) *listener {
	t.Helper()
	l := &listener{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.calls.Add(1)
		var asked struct {
			Messages []struct{ Content string } `json:"messages"`
		}
		raw, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(raw, &asked)
		}
		if err != nil || len(asked.Messages) != 2 {
			t.Errorf("the request is %s, %v", raw, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("x-should-retry", "false")
		l.answer(w, asked.Messages[1].Content)
	}))
	t.Cleanup(server.Close)
	home := t.TempDir()
	l.env = map[string]string{
		"BRAINBRIDGE_HOME": home, "HOME": home, "BRAINBRIDGE_NOTES_TIMEZONE": "UTC", "BRAINBRIDGE_NOW": "2026-02-08T09:00:00Z",
		"BRAINBRIDGE_TRANSCRIPTS_SOURCES": fmt.Sprintf("[%q]", filepath.Join(home, "*.jsonl")),
		"BRAINBRIDGE_LLM_BASE_URL":        server.URL + "/v1", "BRAINBRIDGE_LLM_MODEL": "small", "BRAINBRIDGE_STORE": store,
	}
	if store != "" {
		name := "listener-" + brain.NewID()
		l.env["BRAINBRIDGE_BRAIN"] = name
		if err := recordNotes(home, name); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dropBrains(t, store, name) })
	}
	var lines strings.Builder
	for i := range 5 { // an hour between them: a chunk each
		fmt.Fprintf(&lines, `{"type":"user","uuid":"00000000-0000-4000-8000-%012d","sessionId":"s","timestamp":"2026-02-05T%02d:00:00Z","message":{"role":"user","content":"The codeword of hour %d is heron%d, and it stays."}}`+"\n", i, 10+i, i, i)
	}
	if err := os.WriteFile(filepath.Join(home, "s.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, code := l.run("init"); code != 0 { // the brain has a name of its own
		t.Fatalf("init: exit code %d", code)
	}
	return l
}

// run is one command, and what it answered.
func (l *listener) run(args ...string) (answer map[string]any, code int) {
	l.t.Helper()
	out, code := l.said(append([]string{"--json"}, args...)...)
	if code != 0 {
		return nil, code
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		l.t.Fatalf("%v in %s", err, out)
	}
	return answer, 0
}

// said is one command, and what it printed.
func (l *listener) said(args ...string) (out string, code int) {
	l.t.Helper()
	var stdout, stderr bytes.Buffer
	a := &cli{in: strings.NewReader(""), out: &stdout, err: &stderr, env: func(k string) string { return l.env[k] }}
	if err := errors.Join(a.execute(l.t.Context(), args), a.close()); err != nil {
		return "", a.fail(err)
	}
	return stdout.String(), 0
}

// extract runs the day and compares some of its numbers.
func (l *listener) extract(want string) map[string]any {
	l.t.Helper()
	answer, code := l.run("transcript", "extract", "2026-02-05")
	if code != 0 {
		l.t.Fatalf("exit code %d", code)
	}
	got := fmt.Sprintf("chunks %v items %v nothings %v failures %v added %v done %v", answer["chunks"], answer["items"],
		answer["nothings"], answer["failures"], answer["added"], answer["done"])
	if got != want {
		l.t.Errorf("got  %s\nwant %s\n(problems %v, partial %v)", got, want, answer["problems"], answer["partial"])
	}
	return answer
}

// codeword answers with the item that a chunk holds.
func codeword(w io.Writer, chunk string) {
	at := strings.Index(chunk, "The codeword")
	quote, _, _ := strings.Cut(chunk[at:], ",")
	listed(w, quote)
}

func listed(w io.Writer, quotes ...string) {
	type item struct {
		Type  string `json:"type"`
		Title string `json:"title"`
		Text  string `json:"text"`
		Quote string `json:"quote"`
	}
	items := []item{}
	for _, q := range quotes {
		items = append(items, item{"fact", q, "It was said that: " + q, q})
	}
	list, _ := json.Marshal(map[string]any{"items": items})
	text, _ := json.Marshal(string(list))
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"small","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":700,"completion_tokens":50,"total_tokens":750}}`, text)
}

func TestAModelReadsTheChunks(t *testing.T) {
	stores := map[string]func(*testing.T) string{
		"sqlite": func(*testing.T) string { return "" },
		"neo4j":  func(t *testing.T) string { return neo4jtest.Server(t) },
	}
	for kind, uri := range stores {
		t.Run(kind, func(t *testing.T) {
			l := newListener(t, uri(t))
			l.answer = func(w http.ResponseWriter, chunk string) {
				switch {
				case strings.Contains(chunk, "heron1"):
					listed(w)
				case strings.Contains(chunk, "heron2"): // one that was never said, beside one that was
					listed(w, "The codeword of hour 2 is heron2", "The codeword of hour 2 is stork")
				default:
					codeword(w, chunk)
				}
			}
			l.extract("chunks 5 items 4 nothings 1 failures 0 added 4 done true")
			raw, err := os.ReadFile(filepath.Join(l.env["BRAINBRIDGE_HOME"], "memory", "2026-02-05.md"))
			if err != nil || strings.Contains(string(raw), "stork") || strings.Count(string(raw), "\n> The codeword") != 4 {
				t.Errorf("the note is %s, %v", raw, err)
			}
			l.extract("chunks 5 items 4 nothings 1 failures 0 added 0 done true")
			if n := l.calls.Load(); n != 5 {
				t.Errorf("%d calls for 5 chunks", n)
			}
			status, _ := l.run("status")
			if spend, ok := status["spend"].(map[string]any); !ok || spend["tokens"] != 3750.0 || spend["limit"] != 200_000.0 || spend["calls"] != 5.0 {
				t.Errorf("spend is %v", status["spend"])
			}
		})
	}
}

// A chunk that failed leaves the day open; the next run asks for it alone.
func TestAFailedChunkIsAskedForAgain(t *testing.T) {
	for name, spoil := range map[string]func(w http.ResponseWriter){
		"garbage":  func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>") },
		"error":    func(w http.ResponseWriter) { w.WriteHeader(http.StatusInternalServerError) },
		"invented": func(w http.ResponseWriter) { listed(w, "Nobody ever said this here") },
	} {
		t.Run(name, func(t *testing.T) {
			l := newListener(t, "")
			l.answer = func(w http.ResponseWriter, chunk string) {
				if strings.Contains(chunk, "heron2") {
					spoil(w)
					return
				}
				codeword(w, chunk)
			}
			answer := l.extract("chunks 5 items 4 nothings 0 failures 1 added 4 done false")
			if problems := fmt.Sprint(answer["problems"]); !strings.Contains(problems, `session "s", 2026-02-05T12:00:00Z`) {
				t.Errorf("problems: %s", problems)
			}
			calls := l.calls.Load()
			l.answer = func(w http.ResponseWriter, chunk string) { codeword(w, chunk) }
			l.extract("chunks 5 items 5 nothings 0 failures 0 added 1 done true")
			if n := l.calls.Load() - calls; n != 1 {
				t.Errorf("%d calls for the one chunk that was left", n)
			}
		})
	}
}

func TestThreeFailuresEndTheRun(t *testing.T) {
	l := newListener(t, "")
	l.answer = func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusBadGateway) }
	answer := l.extract("chunks 5 items 0 nothings 0 failures 5 added 0 done false")
	if n := l.calls.Load(); n != 3 || !strings.Contains(fmt.Sprint(answer["partial"]), "three times in a row") {
		t.Errorf("%d calls, partial %v", n, answer["partial"])
	}
	l.answer = func(w http.ResponseWriter, chunk string) { codeword(w, chunk) }
	l.env["BRAINBRIDGE_NOW"] = "2026-02-08T09:09:00Z"
	l.extract("chunks 5 items 0 nothings 0 failures 5 added 0 done false")
	if n := l.calls.Load(); n != 3 {
		t.Errorf("it was asked while it rests: %d calls", n)
	}
	l.env["BRAINBRIDGE_NOW"] = "2026-02-08T09:11:00Z"
	l.extract("chunks 5 items 5 nothings 0 failures 0 added 5 done true")
}

func TestTheBudgetOfTheDayHolds(t *testing.T) {
	l := newListener(t, "")
	l.answer = func(w http.ResponseWriter, chunk string) { codeword(w, chunk) }
	l.env["BRAINBRIDGE_LLM_DAILY_TOKENS"] = "5800" // a call sets some 4,500 aside, and uses 750
	answer := l.extract("chunks 5 items 2 nothings 0 failures 3 added 2 done false")
	if !strings.Contains(fmt.Sprint(answer["partial"]), "1,500 of 5,800 tokens (llm.daily_tokens)") {
		t.Errorf("partial: %v", answer["partial"])
	}
	l.extract("chunks 5 items 2 nothings 0 failures 3 added 0 done false")
	if n := l.calls.Load(); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
	l.env["BRAINBRIDGE_NOW"] = "2026-02-09T00:00:00Z"
	l.extract("chunks 5 items 4 nothings 0 failures 1 added 2 done false")
}

func TestADryRunAsksNoModel(t *testing.T) {
	l := newListener(t, "")
	answer, code := l.run("transcript", "extract", "2026-02-05", "--dry-run")
	days, _ := answer["days"].([]any)
	if code != 0 || len(days) != 1 || days[0].(map[string]any)["unasked"] != 5.0 || l.calls.Load() != 0 {
		t.Errorf("code %d, %v, %d calls", code, answer, l.calls.Load())
	}
}
