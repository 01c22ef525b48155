package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// paired stores two statements as a pair that waits for a verdict, and returns its id.
func paired(t *testing.T, b home, newer, older string) string {
	t.Helper()
	second := stored(t, b, older)
	pair := brain.ReviewItem{Kind: brain.ReviewPair, Reason: "about the same", Memories: []string{stored(t, b, newer), second}}
	if made, err := b.Review.Flag(t.Context(), pair); made != 1 || err != nil {
		t.Fatal(made, err)
	}
	items, err := b.Review.Reviews(t.Context(), brain.ReviewPending)
	if err != nil || len(items) == 0 {
		t.Fatal(items, err)
	}
	return items[0].ID
}

type listedItems struct {
	Items []struct {
		ID, Kind string
		Memories []string
	}
	Memories  []struct{ ID, Text string }
	MoreItems int
}

func TestAPairIsReviewedAndDecided(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		id := paired(t, b, "Staging moves to port 5500", "Staging listens on port 5433")
		r := c.call("review", map[string]any{})
		got := structured[listedItems](t, r)
		if len(got.Items) != 1 || got.Items[0].ID != id || got.Items[0].Kind != "pair" || len(got.Memories) != 2 || got.Memories[0].ID != got.Items[0].Memories[0] {
			t.Fatalf("review answers %+v: %s", got, r.text())
		}
		if !strings.Contains(r.text(), "Staging moves to port 5500") || !strings.Contains(r.text(), "Staging listens on port 5433") {
			t.Errorf("review says %s", r.text())
		}
		for _, says := range []string{"newer|older|both|same", "newer: ", "older: "} {
			if !strings.Contains(r.text(), says) {
				t.Errorf("review does not say %q: %s", says, r.text())
			}
		}
		if wrong := c.call("decide", map[string]any{"id": id, "verdict": "accept"}); !wrong.IsError || !strings.Contains(wrong.text(), "newer, older, both") {
			t.Errorf("a verdict of another kind is answered with %s", wrong.text())
		}
		r = c.call("decide", map[string]any{"id": id[:8], "verdict": "newer"})
		decided := structured[struct {
			Item  struct{ ID, State, Verdict string }
			RunID string
		}](t, r)
		if decided.Item.ID != id || decided.Item.State != "decided" || decided.Item.Verdict != "newer" || !strings.Contains(r.text(), "brainbridge undo "+decided.RunID[:8]) {
			t.Errorf("decide answers %+v: %s", decided, r.text())
		}
		if text := c.call("review", map[string]any{}).text(); text != "nothing waits for a decision" {
			t.Errorf("then review says %s", text)
		}
		held := c.call("recall", map[string]any{"query": "staging port"}).text()
		if !strings.Contains(held, "5500") || strings.Contains(held, "5433") {
			t.Errorf("recall says %s", held)
		}
	})
}

func TestOneMemoryReplacesAnother(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		older, newer := stored(t, b, "Staging listens on port 5433"), stored(t, b, "Staging moves to port 5500")
		r := c.call("replace", map[string]any{"old": older[:8], "new": newer[:8]})
		got := structured[struct {
			Memory          struct{ ID string }
			Replaced, RunID string
		}](t, r)
		if got.Memory.ID != newer || got.Replaced != older || got.RunID == "" || !strings.HasPrefix(r.text(), "["+older[:8]+"] is replaced by: ") {
			t.Errorf("replace answers %+v: %s", got, r.text())
		}
		if opened := structured[struct{ Memory struct{ ID string } }](t, c.call("open_memory", map[string]any{"id": older})); opened.Memory.ID != newer {
			t.Errorf("the replaced one leads to %s", opened.Memory.ID)
		}
	})
}

// Each connection is a session. A pair is shown in three, and as often as a session asks.
func TestTheContextEndsWithTwoPairs(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		for i := range 3 {
			paired(t, b, fmt.Sprintf("Port %d is for staging now, %s", i, strings.Repeat("really ", 60)), fmt.Sprintf("Port %d is for tests", i))
		}
		ask := func(session string) (text string, pairs int) {
			c := serve(t, mcp.Options{Tools: mcp.Memory, UseCases: b.app.As, Session: session})
			c.greet()
			text = c.call("context", map[string]any{"budget": 2500}).text()
			if n := utf8.RuneCountInString(text); n > 10_000 {
				t.Errorf("%d characters", n)
			}
			return text, strings.Count(text, "\nTwo statements that may not both hold: ")
		}
		for session, want := range map[string]int{"a": 2, "b": 2, "c": 2} {
			for range 2 {
				if text, got := ask(session); got != want || !strings.Contains(text, `? decide {"id": "`) || !strings.HasPrefix(text, "What brainbridge remembers") {
					t.Errorf("session %s is shown %d pairs, want %d: %s", session, got, want, text)
				}
			}
		}
		if text, got := ask("d"); got != 1 {
			t.Errorf("the fourth session is shown %d pairs, want only the third: %s", got, text)
		}
	})
}

func TestManyItemsFit(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	for i := range 40 {
		paired(t, b, fmt.Sprintf("Port %d is for staging, %s", i, strings.Repeat("really ", 60)), fmt.Sprintf("Port %d is for tests", i))
	}
	r := c.call("review", map[string]any{})
	got := structured[listedItems](t, r)
	if n := utf8.RuneCountInString(r.text()); n > 10_000 || len(got.Items) < 5 || len(got.Items)+got.MoreItems != 40 {
		t.Errorf("%d characters, %d items and %d more", n, len(got.Items), got.MoreItems)
	}
	if !strings.HasSuffix(r.text(), fmt.Sprintf("\n%d more; decide these first", got.MoreItems)) {
		t.Errorf("review ends with %q", r.text()[len(r.text())-60:])
	}
}
