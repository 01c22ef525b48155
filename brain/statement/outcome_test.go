package statement

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// What a list item in an outcome says is said once, by its own memory.
func TestStatementOfAnOutcomeWithBullets(t *testing.T) {
	for _, test := range [][4]string{
		{"notes/2026-03-02.md", "Standup", "- decision: we keep the monolith\n", "Standup"},
		{"notes/2026-03-02.md", "Standup", "- decision: we keep the monolith\n- [ ] tell Ada\n\nAll were there.\n", "Standup: All were there"},
		{"notes/2026-03-02.md", "", "- decision: we keep the monolith\n", "decision: we keep the monolith"},
		{"notes/2026-03-02.md", "Standup", "- we talked of boats\n", "Standup: we talked of boats"},
		{"import/standup.md", "Standup", "- decision: we keep the monolith\n", "Standup: decision: we keep the monolith"},
	} {
		m := brain.Memory{Group: test[0], Name: test[1], Content: test[2], MemoryType: "note"}
		if m.Name == "" {
			m.Name = brain.NameOf(m.Content)
		}
		if got := Of(&m).String(); got != test[3] {
			t.Errorf("%q of %q: %q, want %q", test[2], test[1], got, test[3])
		}
	}
}
