package transcripts_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// An agent is asked about the last part of a session that was resumed, and what was said
// before that part is extracted by the rules.
func TestABigSessionIsReadInPart(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		lines := []string{say("s", "2026-02-05T08:00:00Z", "user", "We decided to keep the old queue.")}
		long := strings.Repeat("The harbour crane is loud again today. ", 2700)
		for i := range 60 {
			lines = append(lines, say("s", fmt.Sprintf("2026-02-05T09:%02d:00Z", i), "assistant", long))
		}
		path := r.session("s", append(lines, say("s", "2026-02-05T10:00:00Z", "user", "We agreed to move the office to Lisbon."))...)
		items, next, err := r.door().Candidates(t.Context(), path, 0)
		if err != nil || len(items) != 1 || !strings.Contains(items[0].Quote, "Lisbon") {
			t.Fatalf("asked about %+v, %v", items, err)
		}
		if items, _, err := r.door().Candidates(t.Context(), path, next); err != nil || len(items) > 0 {
			t.Errorf("asked again about %+v, %v", items, err)
		}
		if r.one("2026-02-05"); strings.TrimSpace(r.quotes("2026-02-05")) != "We decided to keep the old queue." {
			t.Errorf("extracted %q", r.quotes("2026-02-05"))
		}
	})
}

// Of many statements an agent is asked about those with the most evidence, not about the first.
func TestTheStrongestAreAskedAbout(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		lines := []string{say("s", "2026-02-05T09:00:00Z", "user", "The office moved to Lisbon last year.")}
		for i, name := range []string{"Ada", "Ben", "Cleo", "Dan", "Eve"} {
			text := fmt.Sprintf("Our customer %s has %d seats in her contract now.", name, i+20)
			lines = append(lines, say("s", fmt.Sprintf("2026-02-05T10:%02d:00Z", i), "user", text))
		}
		items, _, err := r.door().Candidates(t.Context(), r.session("s", lines...), 0)
		if err != nil || len(items) != 5 || strings.Contains(items[0].Quote, "Lisbon") {
			t.Errorf("asked about %+v, %v", items, err)
		}
	})
}

// A statement that cannot be recorded as asked about is not asked about, because it would be
// asked about again.
func TestNothingIsAskedTwiceIfTheStoreFails(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		path := r.session("s", say("s", "2026-02-05T10:00:00Z", "user", "We agreed to move the office to Lisbon."))
		r.store.left = 0
		if items, _, err := r.door().Candidates(t.Context(), path, 0); !errors.Is(err, errDied) || len(items) > 0 {
			t.Errorf("asked about %+v, %v", items, err)
		}
		r.store.left = -1
		if items, _, err := r.door().Candidates(t.Context(), path, 0); err != nil || len(items) != 1 {
			t.Errorf("later asked about %+v, %v", items, err)
		}
	})
}
