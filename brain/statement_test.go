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
