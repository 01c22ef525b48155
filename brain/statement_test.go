package brain_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// A bullet of a note says its statement once, without its label and the heading above it.
func TestStatementOfABullet(t *testing.T) {
	for content, name := range map[string]string{
		"The gateway moves to port 5433\n\n(Decisions)":  "",
		"决定：我们以后只用一号仓库发货\n\n(进展)":                        "我们以后只用一号仓库发货",
		"**Erkenntnis:** Türen klemmen\n\n(Log)":         "Türen klemmen",
		"💡 Ask first, then act in this house\n\n(Today)": "Ask first, then act in this house",
	} {
		m := brain.Memory{Name: name, Content: content, MemoryType: "decision"}
		m.Complete()
		want := name
		if name == "" {
			want = "The gateway moves to port 5433"
		}
		if got := brain.StatementOf(&m).String(); got != want {
			t.Errorf("%q says %q, want %q", content, got, want)
		}
	}
}

// The label of a kind is not repeated behind the kind, in whatever language it is.
func TestStatementWithoutItsLabel(t *testing.T) {
	for content, want := range map[string]string{
		"Entscheidung: Die Warteschlange heißt orders": "Die Warteschlange heißt orders",
		"**Decision:** The queue is named orders":      "The queue is named orders",
		"Queue: it is named orders":                    "Queue: it is named orders",
		"Lesson: ask before you delete a queue":        "Lesson: ask before you delete a queue",
	} {
		m := brain.Memory{Content: content, MemoryType: "decision"}
		m.Complete()
		if got := brain.StatementOf(&m).String(); got != want {
			t.Errorf("%q says %q, want %q", content, got, want)
		}
	}
}

// A title that begins in the middle of a sentence is not repeated behind itself.
func TestStatementOfALaterClause(t *testing.T) {
	m := brain.Memory{
		Name: "The fridge stays, it is only two years old", MemoryType: "decision",
		Content: "And the fridge stays, it is only two years old, because we bought it new.",
	}
	m.Complete()
	want := "The fridge stays, it is only two years old, because we bought it new"
	if got := brain.StatementOf(&m).String(); got != want {
		t.Errorf("says %q, want %q", got, want)
	}
}
