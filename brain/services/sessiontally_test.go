package services_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
)

// A session has what was captured since it began, also when others ended
// meanwhile, each memory once, and what was there before not at all.
func TestASessionHasItsCaptures(t *testing.T) {
	l := newLab(t)
	keep := func(text string) string {
		c := must[brain.Capture](l)(l.Capture.NewMemory(brain.Memory{Content: text}, brain.Details{}))
		return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
	}
	tally := func(since time.Time, ids ...string) capture.Tally {
		return must[capture.Tally](l)(l.Capture.SessionTally(l.ctx(), capture.Uses{ID: "hook", Connections: ids, Since: since, Until: l.now}))
	}
	keep("long ago")
	l.later(time.Hour)
	began := l.now
	first := keep("of the session")
	keep("of the session too")
	for range 3 {
		l.later(time.Minute)
		if err := l.Capture.EndSession(l.ctx(), "", l.now); err != nil { // of others
			t.Fatal(err)
		}
	}
	l.later(time.Minute)
	id := keep("of its last minute")
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), first, "", "of the session, in better words"))
	l.later(time.Minute)
	must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, brain.Helpful, ""))
	if got := tally(began, l.Base.SessionAt(l.now)); got.Captures != 3 || got.Used != 1 {
		t.Errorf("the session is said to have %+v", got)
	}
	if got := tally(began); got.Used != 0 {
		t.Errorf("without its connections it is said to have %+v", got)
	}
	of := func(u capture.Uses) int { return must[capture.Tally](l)(l.Capture.SessionTally(l.ctx(), u)).Captures }
	if got := of(capture.Uses{ID: "hook", Since: began, Others: []string{l.Base.SessionAt(l.now)}}); got != 0 {
		t.Errorf("%d captures of another session are counted", got)
	}
	if got := of(capture.Uses{ID: "hook", Since: began, Until: l.now.Add(-90 * time.Second)}); got != 1 { // the other one was corrected later
		t.Errorf("%d captures came before the next session of the agent", got)
	}
	if got := tally(l.now); got.Captures != 0 {
		t.Errorf("of the last instant it is said to have %+v", got)
	}
}
