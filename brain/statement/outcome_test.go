package statement

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// Only the prose of an outcome is pushed: what a list item or an outcome in it says is said by its
// own memory, and fields, headings, tables and code say nothing in one line.
func TestStatementOfAnOutcome(t *testing.T) {
	for _, test := range [][4]string{
		{"notes/2026-03-02.md", "Standup", "- decision: we keep the monolith\n", "Standup"},
		{"notes/2026-03-02.md", "Standup", "- decision: we keep the monolith\n- [ ] tell Ada\n\nAll were there.\n", "Standup: All were there"},
		{"notes/2026-03-02.md", "", "- decision: we keep the monolith\n", "decision: we keep the monolith"},
		{"notes/2026-03-02.md", "Standup", "- we talked of boats\n", "Standup: we talked of boats"},
		{"notes/2026-03-02.md", "Ship format", "**Importance:** important\n**Tags:** #ship\n\nUse the narrow hull.\n", "Ship format: Use the narrow hull"},
		{"notes/2026-03-02.md", "Ship format", "**ID:** 7\n**Tags:** #ship\nUse the narrow hull.\n", "Ship format: Use the narrow hull"},
		{"notes/2026-03-02.md", "Ship format", "**Date:** 2026-03-02\n**Time:** 07:10\n**Type:** decision\n\n### Captured Content\n\nUse the narrow hull.\n\n---\n", "Ship format: Use the narrow hull"},
		{"notes/2026-03-02.md", "", "**Tags:** #ship\n\nUse the narrow hull.\n", "Use the narrow hull"},
		{"notes/2026-03-02.md", "Ship format", "**Importance:** critical\n", "Ship format"},
		{"notes/2026-03-02.md", "Ship format", "| a | b |\n|---|---|\n| 1 | 2 |\n", "Ship format"},
		{"notes/2026-03-02.md", "Clean up", "```sh\nrm -r old\n```\n", "Clean up"},
		{"notes/2026-03-02.md", "Pump stuck", "No pressure\n#### [16:30] [IMPORTANT] note - Rope order\n\nTwo coils.\n", "Pump stuck: No pressure"},
		{"notes/2026-03-02.md", "Ropes rot", "### [07:30] decision: Use hemp now\n\nBuy in Riga.\n\n### Todo\n\n- [x] bought it\n", "Ropes rot"},
		{"notes/2026-03-02.md", "Ropes rot", "### Why\n\nThe salt.\n\n### Todo\n- [x] bought it\n", "Ropes rot: The salt"},
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
