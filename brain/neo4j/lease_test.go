package neo4j

import (
	"errors"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func alive(brain.Holder) bool { return false }

func gone(brain.Holder) bool { return true }

func TestALeaseThatIsTakenOverIsLost(t *testing.T) {
	name := fresh(t)
	first, second := openTest(t, name), openTest(t, name)
	first.leases.RenewalInterval = time.Millisecond
	l, err := first.Lease(t.Context(), "run", brain.Holder{Host: "a", PID: 1, Token: "one"}, alive)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Lease(t.Context(), "run", brain.Holder{Host: "b", PID: 2, Token: "two"}, gone); err != nil {
		t.Fatal(err)
	}
	select {
	case <-l.Lost():
	case <-t.Context().Done():
		t.Fatal("the first holder was not told")
	}
}

func TestALeaseThatIsNotRenewedRunsOut(t *testing.T) {
	name := fresh(t)
	first, second := openTest(t, name), openTest(t, name)
	first.leases.Lifetime, first.leases.RenewalInterval = 50*time.Millisecond, time.Hour
	if _, err := first.Lease(t.Context(), "run", brain.Holder{Token: "one"}, alive); err != nil {
		t.Fatal(err)
	}
	for {
		_, err := second.Lease(t.Context(), "run", brain.Holder{Token: "two"}, alive)
		if err == nil {
			return
		}
		if !errors.Is(err, brain.ErrBusy) {
			t.Fatal(err)
		}
	}
}

func TestARenewedLeaseLastsLongerThanItsTime(t *testing.T) {
	name := fresh(t)
	first, second := openTest(t, name), openTest(t, name)
	first.leases.Lifetime, first.leases.RenewalInterval = 3*time.Second, time.Millisecond
	l, err := first.Lease(t.Context(), "run", brain.Holder{Token: "one"}, alive)
	if err != nil {
		t.Fatal(err)
	}
	until := func() int64 {
		n, _ := cypher(t, second, "MATCH (l:Lease {brain: $brain, id: 'run'}) RETURN l.at.epochMillis", nil).Rows[0][0].(int64)
		return n
	}
	for began := until(); until() <= began; {
		select {
		case <-l.Lost():
			t.Fatal("the lease is lost")
		default:
		}
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if n := len(cypher(t, second, "MATCH (l:Lease {brain: $brain}) RETURN l", nil).Rows); n != 0 {
		t.Errorf("%d leases are left after the release", n)
	}
}

func TestClosingGivesLeasesBack(t *testing.T) {
	name := fresh(t)
	first, second := openTest(t, name), openTest(t, name)
	l, err := first.Lease(t.Context(), "run", brain.Holder{Token: "one"}, alive)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Errorf("release after closing: %v", err)
	}
	again, err := second.Lease(t.Context(), "run", brain.Holder{Token: "two"}, alive)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Release()
}
