package brain_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// A capture that read the numbers just before they changed, and is stored just
// after all was recomputed, gets the new expiry all the same.
func TestWhatIsWrittenByOldNumbersIsRecomputedLater(t *testing.T) {
	l := newLab(t)
	id := l.shelve(1, func(int, *brain.Memory) {})[0]
	stored := func() brain.Memory {
		var ms []brain.Memory
		err := l.Store().View(l.ctx(), func(r brain.Reader) (err error) {
			ms, err = r.Memories(id)
			return err
		})
		if err != nil || len(ms) != 1 {
			t.Fatalf("%d memories, error %v", len(ms), err)
		}
		return ms[0]
	}
	old := stored()
	l.later(time.Hour)
	if err := l.SetPolicy(l.ctx(), "lambda.working", 0.1); err != nil {
		t.Fatal(err)
	}
	want := stored().ExpiresAt
	if want.Equal(old.ExpiresAt) {
		t.Fatal("the change of the numbers changes no expiry")
	}
	if err := l.Store().Update(l.ctx(), func(tx brain.Tx) error { return tx.PutLives(old) }); err != nil {
		t.Fatal(err)
	}
	l.later(61 * time.Second)
	if idle, err := l.Idle(l.ctx(), l.now); err != nil || idle {
		t.Errorf("a minute later there is nothing to do: %v, %v", idle, err)
	}
	if err := l.Recompute(l.ctx()); err != nil {
		t.Fatal(err)
	}
	if got := stored().ExpiresAt; !got.Equal(want) {
		t.Errorf("it expires at %v, want %v", got, want)
	}
	s := l.counted()
	if err := l.Recompute(l.ctx()); err != nil || s.listed != 0 {
		t.Errorf("%d memories are read when all is done, error %v", s.listed, err)
	}
}
