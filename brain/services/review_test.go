package services_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// flag puts one item about these memories into the queue.
func (l *lab) flag(kind brain.ReviewKind, proposed *brain.Memory, ids ...string) brain.ReviewItem {
	l.t.Helper()
	made, err := l.Review.Flag(l.ctx(), brain.ReviewItem{Kind: kind, Reason: "they are alike", Memories: ids, Proposed: proposed})
	if err != nil || made != 1 {
		l.t.Fatalf("flagged %d, %v", made, err)
	}
	return must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending))[0]
}

func TestFlagAsksOnce(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("a red thing", nil), l.remember("a blue thing", nil)
	item := l.flag(brain.ReviewConflict, nil, a, z)
	again := brain.ReviewItem{Kind: brain.ReviewMerge, Memories: []string{z, a}}
	for _, state := range []brain.ReviewState{brain.ReviewPending, brain.ReviewRejected} {
		if made, err := l.Review.Flag(l.ctx(), again, again); made != 0 || err != nil {
			t.Errorf("%s: it is asked again: %d, %v", state, made, err)
		}
		if got := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), state)); len(got) != 1 || got[0].ID != item.ID || got[0].Kind != brain.ReviewConflict {
			t.Errorf("%s: %+v", state, got)
		}
		must[brain.ReviewItem](l)(l.Review.Reject(l.ctx(), item.ID[:8]))
	}
	if no := l.keptApart(); !no[item.Fingerprint] {
		t.Error("it is not remembered as rejected")
	}
	if _, err := l.Review.Flag(l.ctx(), brain.ReviewItem{Kind: brain.ReviewMerge, Memories: []string{a, "nothing"}}); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("a memory that is not there: %v", err)
	}
}

func TestReviewsNewestFirst(t *testing.T) {
	l := newLab(t)
	var want []string
	for _, text := range []string{"a", "b", "c"} {
		item := l.flag(brain.ReviewMerge, nil, l.remember(text+" thing", nil), l.remember(text+" things", nil))
		want = append([]string{item.ID}, want...)
		l.later(time.Minute)
	}
	var got []string
	for _, item := range must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), "")) {
		got = append(got, item.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Accepted, undone and accepted again: the queue follows.
func TestAcceptMerges(t *testing.T) {
	l := newLab(t)
	a := l.remember("the port is 5432", nil)
	l.later(time.Minute)
	z := l.remember("our port is 5432", nil)
	before := l.nodes(a, z)
	item := l.flag(brain.ReviewMerge, nil, a, z)
	done := must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, ""))
	if done.State != brain.ReviewAccepted || done.RunID == "" || l.show(a).Memory.ID != z {
		t.Errorf("accepted: %+v, %s leads to %s", done, a, l.show(a).Memory.ID)
	}
	if run := must[brain.Run](l)(l.Journal.LastRun(l.ctx())); run.ID != done.RunID || run.Kind != brain.RunReview {
		t.Errorf("the last run is %+v", run)
	}
	if _, err := l.Review.Accept(l.ctx(), item.ID, ""); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "was accepted") {
		t.Errorf("accepted twice: %v", err)
	}
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), done.RunID, nil))
	if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
		t.Error(diff)
	}
	pending := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending))
	if len(pending) != 1 || pending[0].ID != item.ID || pending[0].RunID != "" {
		t.Errorf("after the undo there wait %+v", pending)
	}
	if no := l.keptApart(); !no[item.Fingerprint] {
		t.Error("a run may merge again what was undone")
	}
	must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, ""))
	if l.show(a).Memory.ID != z {
		t.Error("it was not merged the second time")
	}
}

func TestAcceptOfAConflict(t *testing.T) {
	for keep, kept := range map[string]int{"": 1, brain.DecidedNewer: 1, brain.DecidedOlder: 0} {
		t.Run(keep, func(t *testing.T) {
			l := newLab(t)
			ids := []string{l.remember("the port is 5432", nil)}
			l.later(time.Minute)
			ids = append(ids, l.remember("the port is 5433", nil))
			must[brain.Memory](l)(l.Capture.Boost(l.ctx(), ids[0], 1.5)) // promoted, it is no newer
			before := l.nodes(ids...)
			item := l.flag(brain.ReviewConflict, nil, ids[1], ids[0])
			if _, err := l.Review.Accept(l.ctx(), item.ID, "other"); !errors.Is(err, brain.ErrInvalid) {
				t.Errorf("keep other: %v", err)
			}
			l.later(time.Minute)
			done := must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, keep))
			want := before[kept].Content
			for _, id := range ids {
				if got := l.show(id).Memory; got.Content != want || !got.Tier.Live() {
					t.Errorf("%s leads to %+v, want %q", id, got, want)
				}
			}
			if got := l.recall(recall.Query{Words: words.Parse("port"), NoTouch: true}); len(got) != 1 {
				t.Errorf("recall finds %v", got)
			}
			must[journal.Undone](l)(l.Journal.Undo(l.ctx(), done.RunID, nil))
			for i, id := range ids {
				if got := l.show(id).Memory; got.Content != before[i].Content || !got.Tier.Live() {
					t.Errorf("undone, %s leads to %+v", id, got)
				}
			}
		})
	}
}

// What replaces a decision is one, and undo takes that back.
func TestAcceptOfAConflictKeepsTheType(t *testing.T) {
	l := newLab(t)
	was := l.remember("the port is 5432", func(m *brain.Memory, d *brain.Details) { m.MemoryType, d.Importance = "decision", brain.Critical })
	l.later(time.Minute)
	kept := l.remember("the port is 5433", nil)
	before := l.nodes(was, kept)
	done := must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), l.flag(brain.ReviewConflict, nil, kept, was).ID, ""))
	if got := l.show(was).Memory; got.ID != kept || got.MemoryType != "decision" || got.Importance != brain.Critical || got.Content != "the port is 5433" {
		t.Errorf("kept %+v", got)
	}
	undone := must[journal.Undone](l)(l.Journal.Undo(l.ctx(), done.RunID, nil))
	if diff := cmp.Diff(before, l.nodes(was, kept)); diff != "" || len(undone.Skipped) > 0 {
		t.Errorf("%+v\n%s", undone, diff)
	}
}

// To keep both, and to reject, changes no memory; it is a run, whose undo asks again.
func TestDecisionsToLeaveThingsAreRuns(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("the port is 5432", nil), l.remember("the port is 5433", nil)
	before := l.nodes(a, z)
	item := l.flag(brain.ReviewConflict, nil, z, a)
	both := func() (brain.ReviewItem, error) { return l.Review.Accept(l.ctx(), item.ID, brain.DecidedBoth) }
	reject := func() (brain.ReviewItem, error) { return l.Review.Reject(l.ctx(), item.ID) }
	for state, decide := range map[brain.ReviewState]func() (brain.ReviewItem, error){brain.ReviewAccepted: both, brain.ReviewRejected: reject} {
		done := must[brain.ReviewItem](l)(decide())
		if run := must[brain.Run](l)(l.Journal.Run(l.ctx(), done.RunID)); run.Kind != brain.RunReview || run.Actions != 1 || done.State != state {
			t.Errorf("%+v, %+v", done, run)
		}
		if diff := cmp.Diff(before, l.nodes(a, z)); diff != "" {
			t.Error(diff)
		}
		if no := l.keptApart(); !no[item.Fingerprint] {
			t.Errorf("%s: a run may merge them", state)
		}
		if _, err := both(); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "was "+string(state)) {
			t.Errorf("decided again: %v", err)
		}
		must[journal.Undone](l)(l.Journal.Undo(l.ctx(), done.RunID, nil))
		if got := must[brain.ReviewItem](l)(l.Review.Review(l.ctx(), item.ID)); got.State != brain.ReviewPending || got.RunID != "" {
			t.Errorf("after the undo: %+v", got)
		}
	}
}

func TestAcceptOfAModelsText(t *testing.T) {
	l := newLab(t)
	a, z := l.remember("the port is 5432", nil), l.remember("postgres has the port 5432", nil)
	item := l.flag(brain.ReviewModelMerge, &brain.Memory{Name: "Port", Content: "Postgres listens on 5432."}, a, z)
	must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, ""))
	if got := l.show(a).Memory; got.Content != "Postgres listens on 5432." || got.ID != l.show(z).Memory.ID || got.MemoryType != "note" {
		t.Errorf("%+v", got)
	}
	if got := l.node(a).Tier; got != tiers.Superseded {
		t.Errorf("the source is %s", got)
	}
}

// A decision is about the texts that were seen.
func TestAcceptOfWhatChanged(t *testing.T) {
	change := map[string]struct {
		do   func(l *lab, id string) error
		want error
	}{
		"corrected": {func(l *lab, id string) error {
			_, _, err := l.Capture.Correct(l.ctx(), id, "", "quite another")
			return err
		}, brain.ErrConflict},
		"forgotten": {func(l *lab, id string) error { _, _, err := l.Forget.Forget(l.ctx(), id, "gone"); return err }, brain.ErrNotFound},
		"merged": {func(l *lab, id string) error {
			l.merge(l.remember("one more", nil), id)
			return nil
		}, brain.ErrConflict},
	}
	for name, c := range change {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			a, z := l.remember("the port is 5432", nil), l.remember("our port is 5432", nil)
			item := l.flag(brain.ReviewMerge, nil, a, z)
			if err := c.do(l, z); err != nil {
				t.Fatal(err)
			}
			_, err := l.Review.Accept(l.ctx(), item.ID, "")
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), z) {
				t.Errorf("the error is %v", err)
			}
			got := must[brain.ReviewItem](l)(l.Review.Review(l.ctx(), item.ID))
			outdated := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewOutdated))
			if got.State != brain.ReviewOutdated || len(outdated) != 1 || outdated[0].ID != item.ID {
				t.Errorf("it is %s; outdated are %v", got.State, outdated)
			}
			must[brain.ReviewItem](l)(l.Review.Reject(l.ctx(), item.ID))
		})
	}
}

// The newest text of a conflict is the one that was corrected last.
func TestNewerIsTheTextThatWasWrittenLast(t *testing.T) {
	l := newLab(t)
	a := l.remember("the port is 5431", nil)
	l.later(time.Minute)
	z := l.remember("the port is 5433", nil)
	l.later(time.Minute)
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), a, "", "the port is 5432"))
	item := l.flag(brain.ReviewConflict, nil, l.show(a).Memory.ID, z)
	must[brain.ReviewItem](l)(l.Review.Accept(l.ctx(), item.ID, brain.DecidedNewer))
	if got := l.show(z).Memory; got.Content != "the port is 5432" {
		t.Errorf("kept %q", got.Content)
	}
}

func TestReviewsAreInABackup(t *testing.T) {
	if !slices.Contains(brain.RecordKinds(), brain.ReviewRecord) {
		t.Error("the queue is in no backup")
	}
}

// keptApart returns the fingerprints of memories that are not to be merged.
func (l *lab) keptApart() map[string]bool {
	l.t.Helper()
	apart := map[string]bool{}
	for _, item := range must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), "")) {
		if item.KeepsApart() {
			apart[item.Fingerprint] = true
		}
	}
	return apart
}
