package main

import (
	"bytes"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// The words that matched are bold on a terminal, and nothing is without one.
func TestRecallMarksWords(t *testing.T) {
	found := recall.Recollection{Results: []recall.Recalled{{
		Memory:  brain.View{ID: "de2a99cb-68fe", Name: "staging", MemoryType: "note", Date: "2026-03-01"},
		Excerpt: "Staging has a port.", Marks: []recall.Mark{{Start: 0, End: 7}, {Start: 14, End: 18}},
	}}}
	found.Results[0].Title.Text, found.Results[0].Title.Marks = "staging", []recall.Mark{{Start: 0, End: 7}}
	for name, c := range map[string]struct {
		terminal bool
		env      map[string]string
		want     string
	}{
		"piped": {want: "staging\n  Staging has a port.\n  de2a99cb · note · 2026-03-01\n"},
		"on a terminal": {
			terminal: true,
			want:     "\x1b[1mstaging\x1b[0m\n  \x1b[1mStaging\x1b[0m has a \x1b[1mport\x1b[0m.\n  \x1b[2mde2a99cb · note · 2026-03-01\x1b[0m\n",
		},
		"without colours": {
			terminal: true, env: map[string]string{"NO_COLOR": "1"},
			want: "staging\n  Staging has a port.\n  de2a99cb · note · 2026-03-01\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			a := &cli{out: &out, outTTY: c.terminal, env: func(key string) string { return c.env[key] }}
			a.showRecalled(found, false)
			if out.String() != c.want {
				t.Errorf("printed %q, want %q", out.String(), c.want)
			}
		})
	}
}
