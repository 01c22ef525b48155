package services_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// noteMerge is an outcome of a note that was merged with a capture by hand; the
// outcome is the keeper or the source.
type noteMerge struct {
	*lab
	note         ingest.Note
	outcome      string // its memory
	hand         string
	kept, merged string
	source       string // the outcome itself
	run          brain.Run
}

func mergedNote(t *testing.T, noteKeeps bool) *noteMerge {
	l := newLab(t)
	n := &noteMerge{lab: l, note: repeated(false, []string{"the port is 5432"})}
	n.take()
	n.hand = l.remember("The port is 5432.", nil)
	for _, v := range must[[]brain.View](l)(l.Recall.List(l.ctx(), lifecycle.ListQuery{})) {
		if v.ID != n.hand {
			n.outcome = v.ID
		}
	}
	n.source = l.node(n.outcome).SourceNodeID
	n.kept, n.merged = n.hand, n.outcome
	if noteKeeps {
		n.kept, n.merged = n.outcome, n.hand
	}
	l.later(time.Hour)
	n.run, _ = l.merge(n.kept, n.merged)
	l.later(time.Hour)
	return n
}

func (n *noteMerge) take() ingest.Ingested {
	n.t.Helper()
	return must[ingest.Ingested](n.lab)(n.Ingest.Ingest(n.ctx(), "dir", []ingest.Note{n.note}))
}

func (n *noteMerge) live() []string {
	var texts []string
	for _, v := range must[[]brain.View](n.lab)(n.Recall.List(n.ctx(), lifecycle.ListQuery{})) {
		texts = append(texts, v.Content)
	}
	slices.Sort(texts)
	return texts
}

func both(t *testing.T, fn func(t *testing.T, n *noteMerge)) {
	for name, keeps := range map[string]bool{"the outcome keeps": true, "the outcome is merged away": false} {
		t.Run(name, func(t *testing.T) { fn(t, mergedNote(t, keeps)) })
	}
}

// Reading the note again brings nothing back.
func TestMergedOutcomeStaysMerged(t *testing.T) {
	both(t, func(t *testing.T, n *noteMerge) {
		n.note.Outcomes[0].Line = 7
		if got := n.take(); got.Unchanged != 1 || got.New+got.Changed > 0 {
			t.Errorf("the note became %+v", got)
		}
		if live := n.live(); len(live) != 1 {
			t.Errorf("live: %q", live)
		}
		if got := n.show(n.source).Memory.ID; got != n.kept {
			t.Errorf("the outcome leads to %s, want %s", got, n.kept)
		}
	})
}

// An edit gives the outcome a memory of its own; what was merged says what it
// said.
func TestMergedOutcomeIsEdited(t *testing.T) {
	both(t, func(t *testing.T, n *noteMerge) {
		said := n.node(n.kept).Content
		edited := repeated(false, []string{"the port is 6543"})
		n.note = edited
		if got := n.take(); got.Changed != 1 || got.New > 0 {
			t.Errorf("the note became %+v", got)
		}
		if live := n.live(); !slices.Equal(live, []string{said, "the port is 6543"}) && !slices.Equal(live, []string{"the port is 6543", said}) {
			t.Errorf("live: %q", live)
		}
		own := n.show(n.source)
		if own.Memory.Content != "the port is 6543" || own.Source == nil || own.Memory.Source.File != "2026-03-01.md" {
			t.Errorf("the outcome leads to %+v", own.Memory)
		}
		if n.show(n.kept).Memory.Content != said || n.node(n.merged).Tier != tiers.Superseded || n.show(n.merged).Memory.ID != n.kept {
			t.Error("what was merged is not as it was")
		}
		if got := n.take(); got.Unchanged != 1 {
			t.Errorf("read again: %+v", got)
		}
		n.note = repeated(false, []string{"the port is 7777"})
		n.take()
		if live := n.live(); len(live) != 2 || n.show(n.source).Memory.ID != own.Memory.ID {
			t.Errorf("after the next edit: %q", live)
		}
	})
}

// The merge cannot be undone then: the note says something else.
func TestUndoOfAMergeAfterAnEdit(t *testing.T) {
	both(t, func(t *testing.T, n *noteMerge) {
		n.note = repeated(false, []string{"the port is 6543"})
		n.take()
		u := must[journal.Undone](n.lab)(n.Journal.Undo(n.ctx(), n.run.ID, nil, nil))
		if u.Undone != 0 || len(u.Skipped) != 1 || !strings.Contains(u.Skipped[0].Reason, "changed since") {
			t.Errorf("undone: %+v", u)
		}
		ran[brain.Memory](n.lab)(n.Journal.Forget(n.ctx(), n.kept, "not needed"))
		if live := n.live(); !slices.Equal(live, []string{"the port is 6543"}) || n.show(n.source).Source == nil {
			t.Errorf("forgetting what was merged leaves %q", live)
		}
	})
}

// New tags of a merged outcome are no new text.
func TestMergedOutcomeGetsATag(t *testing.T) {
	both(t, func(t *testing.T, n *noteMerge) {
		n.note.Outcomes[0].Tags = []string{"db"}
		n.take()
		if live := n.live(); len(live) != 1 || n.show(n.source).Memory.ID != n.kept {
			t.Errorf("live: %q", live)
		}
	})
}
