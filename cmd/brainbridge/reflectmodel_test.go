package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/app"
)

// says answers with this text.
func says(w io.Writer, v any) {
	raw, _ := json.Marshal(v)
	text, _ := json.Marshal(string(raw))
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"small","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":70,"completion_tokens":5,"total_tokens":75}}`, text)
}

type object = map[string]any

// A model judges beliefs; a quote that stands nowhere is dropped, and one that
// cannot be asked leaves it to the rules.
func TestAModelWeighsBeliefs(t *testing.T) {
	l := newListener(t, "")
	l.with(func(s brain.Store) {
		b := services.New(s, services.Options{})
		c, err := b.Capture.NewMemory(brain.Memory{Content: "Deploys are safe on Fridays", MemoryType: "belief", Retention: "core"}, brain.Details{})
		if err == nil {
			_, err = b.Capture.Capture(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	l.seed("lesson", "Deploys on Fridays were calm all spring", "The Friday deploys broke the till twice")
	l.answer = func(w http.ResponseWriter, asked string) {
		about := func(n int, word string) string {
			_, rest, _ := strings.Cut(asked, fmt.Sprintf("===== note %d of", n))
			_, rest, _ = strings.Cut(rest, "\ntext:\n")
			text, _, _ := strings.Cut(rest, "\n")
			if strings.Contains(text, word) {
				return "supports"
			}
			return "contradicts"
		}
		says(w, object{"evidence": []object{
			{"note": 2, "verdict": about(2, "calm"), "quote": "on Fridays were calm"},
			{"note": 2, "verdict": about(2, "calm"), "quote": "deploys broke the till"},
			{"note": 3, "verdict": about(3, "calm"), "quote": "on Fridays were calm"},
			{"note": 3, "verdict": about(3, "calm"), "quote": "deploys broke the till"},
			{"note": 9, "verdict": "supports", "quote": "nobody said this"},
		}})
	}
	answer, code := l.run("reflect", "--beliefs")
	beliefs, _ := answer["beliefs"].([]any)
	if code != 0 || len(beliefs) != 1 || l.calls.Load() != 1 {
		t.Fatalf("code %d, %v, %d calls", code, answer, l.calls.Load())
	}
	belief, _ := beliefs[0].(object)
	for side, want := range map[string]string{"supports": "on Fridays were calm", "contradicts": "deploys broke the till"} {
		if quotes, _ := belief[side].([]any); len(quotes) != 1 || quotes[0].(object)["quote"] != want {
			t.Errorf("%s: %v", side, belief[side])
		}
	}
	if belief["judgedBy"] != "model" || belief["dropped"] != 2.0 {
		t.Errorf("belief %v", belief)
	}
	l.answer = func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusInternalServerError) }
	for _, key := range []string{"", filepath.Join(t.TempDir(), "no key")} {
		l.env["BRAINBRIDGE_LLM_API_KEY_FILE"] = key
		answer, code = l.run("reflect", "--beliefs")
		beliefs, _ = answer["beliefs"].([]any)
		if code != 0 || len(beliefs) != 1 || beliefs[0].(object)["judgedBy"] != "rules" {
			t.Errorf("key file %q: code %d, %v", key, code, answer)
		}
	}
}

// A model says in three sentences what a session was about, and none that holds
// what nobody noted.
func TestAModelRecountsASession(t *testing.T) {
	l := newListener(t, "")
	end := func(id string, sentences ...string) object {
		t.Helper()
		l.answer = func(w http.ResponseWriter, _ string) { says(w, object{"sentences": sentences}) }
		l.env["BRAINBRIDGE_SESSION"] = id
		kept := app.AgentSessionsIn(filepath.Join(l.env["HOME"], "state", "default"))
		if _, err := kept.Update(t.Context(), id, time.Date(2026, 2, 8, 8, 0, 0, 0, time.UTC), func(*app.AgentSession) {}); err != nil {
			t.Fatal(err)
		}
		if _, code := l.run("learn", "the till "+id, "the till takes cards again"); code != 0 {
			t.Fatalf("learn: code %d", code)
		}
		answer, code := l.run("goodbye")
		if code != 0 {
			t.Fatalf("goodbye: code %d, %v", code, answer)
		}
		return answer
	}
	answer := end("s-1", "The till takes cards again.", "It takes cards.", "Cards again.", "And a fourth.")
	if answer["summary"] != "The till takes cards again. It takes cards. Cards again." {
		t.Errorf("summary %v", answer["summary"])
	}
	listed, _ := l.run("list", "--sources", "Activity")
	if raw, _ := json.Marshal(listed); !strings.Contains(string(raw), "0 memories used. The till takes cards again.") {
		t.Errorf("the activity is %s", raw)
	}
	if answer := end("s-2", "The till takes 400 cards again."); answer["summary"] != nil || answer["activityId"] == nil {
		t.Errorf("an invented number: %v", answer)
	}
}
