package services_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
)

// note remembers a text and returns the id of its memory.
func (l *lab) note(text string) string {
	l.t.Helper()
	return l.remember(text, func(*brain.Memory, *brain.Details) {})
}

// conflicts returns the pending conflicts.
func (l *lab) conflicts() []brain.ReviewItem {
	l.t.Helper()
	items := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending))
	var found []brain.ReviewItem
	for _, item := range items {
		if item.Kind == brain.ReviewConflict {
			found = append(found, item)
		}
	}
	return found
}

// wantDiffers expects a memory to be contested by one and to differ from others.
func (l *lab) wantDiffers(id, contestedBy string, from ...string) {
	l.t.Helper()
	m := l.show(id).Memory
	if m.ContestedBy != contestedBy || !cmp.Equal(m.DiffersFrom, from) {
		l.t.Errorf("%q is contested by %q and differs from %v, want %q and %v", m.Content, m.ContestedBy, m.DiffersFrom, contestedBy, from)
	}
}

func TestTheNewerOfTwoClaimsHolds(t *testing.T) {
	l := newLab(t)
	older := l.note("The staging port is 5432.")
	l.later(time.Hour)
	newer := l.note("The staging port is 5500.")
	other := l.note("The production port is 5432.")
	l.wantDiffers(older, newer)
	l.wantDiffers(newer, "", older)
	l.wantDiffers(other, "")
	if items := l.conflicts(); len(items) != 1 || !cmp.Equal(items[0].Memories, []string{newer, older}) {
		t.Fatalf("asked about %+v", items)
	}
	l.later(time.Hour)
	newest := l.note("The staging port is 5600.")
	l.wantDiffers(older, newest)
	l.wantDiffers(newer, newest, older)
	if items := l.conflicts(); len(items) != 1 || !cmp.Equal(items[0].Memories, []string{newest, newer}) {
		t.Errorf("asked about %+v, want the newest and the one that held until then", items)
	}
}

func TestDecisionsEndConflicts(t *testing.T) {
	for _, c := range []struct {
		keep                     string
		newerHolds, olderCurrent bool
	}{{brain.DecidedNewer, true, false}, {brain.DecidedOlder, false, true}, {brain.DecidedBoth, true, true}, {"", true, true}} {
		t.Run(c.keep, func(t *testing.T) {
			l := newLab(t)
			older := l.note("The staging port is 5432.")
			l.later(time.Hour)
			newer := l.note("The staging port is 5500.")
			item := l.conflicts()[0]
			var done brain.ReviewItem
			if c.keep == "" {
				done = must[brain.ReviewItem](l)(l.Review.Reject(l.ctx(), item.ID))
			} else {
				done = must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, c.keep))
			}
			for id, current := range map[string]bool{newer: c.newerHolds, older: c.olderCurrent} {
				m := l.node(id)
				if m.Current() != current {
					t.Errorf("%q: current %v, want %v", m.Content, m.Current(), current)
				}
				l.wantDiffers(id, "")
			}
			must[[]brain.Memory](l)(l.Review.NoteConflicts(l.ctx(), newer))
			l.wantDiffers(newer, "")
			if len(l.conflicts()) > 0 {
				t.Error("asked again about what was decided")
			}
			must[journal.Undone](l)(l.Journal.Undo(l.ctx(), done.RunID, nil))
			l.wantDiffers(older, newer)
			l.wantDiffers(newer, "", older)
		})
	}
}

func TestACorrectionEndsOrTurnsAConflict(t *testing.T) {
	l := newLab(t)
	older := l.note("The staging port is 5432.")
	l.later(time.Hour)
	newer := l.note("The staging port is 5500.")
	l.later(time.Hour)
	turned := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), older, "", "The staging port is 5700.")).ID
	l.wantDiffers(turned, "", newer)
	l.wantDiffers(newer, turned)
	same := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), newer, "", "The staging port is 5700.")).ID
	l.wantDiffers(turned, "")
	l.wantDiffers(same, "")
}
