package statement_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/statement"
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
		if got := statement.Of(&m).String(); got != want {
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
		if got := statement.Of(&m).String(); got != want {
			t.Errorf("%q says %q, want %q", content, got, want)
		}
	}
}

// A title that is part of a sentence, or the beginning of one, is not repeated behind itself.
func TestStatementSaysItsTitleOnce(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{
			"The fridge stays, it is only two years old", "And the fridge stays, it is only two years old, because we bought it new.",
			"The fridge stays, it is only two years old, because we bought it new",
		},
		{
			"Beatriz is reworking the checkout until Friday", "No. Beatriz is reworking the checkout until Friday, she'd kill us.",
			"Beatriz is reworking the checkout until Friday, she'd kill us",
		},
		{
			"The crash came from the autosave", "Found it: the crash came from the autosave, whose task outlived the view.",
			"The crash came from the autosave, whose task outlived the view",
		},
		{
			"The deploy failed because the migration locked the table…", "So the deploy failed because the migration locked the table of orders for two minutes. It runs at night now.",
			"The deploy failed because the migration locked the table of orders for two minutes. It runs at night now",
		},
		{
			"Das Sommerfest ist am 10. Juli 2027 im Hof", "> Übrigens, das Sommerfest ist am 10. Juli 2027 im Hof.\n\nSaid by the user at 08:06",
			"Das Sommerfest ist am 10. Juli 2027 im Hof",
		},
		{"Queue in Postgres, but not before May", "Queue in Postgres.\n\nSaid by the assistant", "Queue in Postgres, but not before May"},
		{"Retries", "We retry three times. Then we give up.", "Retries: We retry three times. Then we give up"},
	} {
		m := brain.Memory{Name: c.name, Content: c.content, MemoryType: "decision"}
		m.Complete()
		if got := statement.Of(&m).String(); got != c.want {
			t.Errorf("%q says %q, want %q", c.content, got, c.want)
		}
	}
}
