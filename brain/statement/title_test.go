package statement_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// A title that says nothing gives way to the description or the first statement.
func TestTitlesThatSayNothing(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"Notes of session 3", "The kiln is fired on Mondays.\n\nMore.", "The kiln is fired on Mondays"},
		{"Session 12", "Long text about it.\n\n(how the kiln is fired)", "how the kiln is fired"},
		{"Untitled 2", "Clay comes from Ostrava.", "Clay comes from Ostrava"},
		{"Daily log – 5 March 2026", "Clay comes from Ostrava.", "Clay comes from Ostrava"},
		{"Session tokens expire", "After an hour they are gone.", "Session tokens expire, after an hour they are gone"},
		{"Notes on glazing", "Ash is fine.", "Notes on glazing: Ash is fine"},
	} {
		m := brain.Memory{Name: c.name, Content: c.content, MemoryType: "note"}
		m.Complete()
		if got := statement.Of(&m).String(); got != c.want {
			t.Errorf("%q says %q, want %q", c.name, got, c.want)
		}
	}
}
