package transcripts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// talk returns a session of 20 messages with three explicit statements, and others that may
// matter.
func talk() (lines []string) {
	said := map[int]string{
		2: "We decided to keep the old queue until the summer.", 5: "I want the report to load in under 2 seconds.",
		9: "From now on, answer in German.", 13: "Our staging database listens on port 5433.", 16: "I prefer short functions over long ones.",
	}
	for i := range 20 {
		who, text := "assistant", "I looked at the handler and it reads the body once."
		if i%2 == 0 {
			who, text = "user", fmt.Sprintf("And what happens in step %d then?", i)
		}
		if said[i] != "" {
			who, text = "user", said[i]
		}
		lines = append(lines, say("s", fmt.Sprintf("2026-02-05T10:%02d:00Z", i), who, text))
	}
	return lines
}

// An agent is shown what a person said and the forms do not keep, the newest first, once.
// Whether it was shown changes nothing in what is kept.
func TestBeingShownChangesNothingThatIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		path := r.session("s", talk()...)
		items, next, err := r.door().Candidates(t.Context(), path, 0)
		if err != nil || len(items) != 2 || !strings.Contains(items[0].Quote, "5433") || !strings.Contains(items[1].Quote, "2 seconds") {
			t.Fatalf("shown %+v, %v", items, err)
		}
		if items, _, err := r.door().Candidates(t.Context(), path, next); err != nil || len(items) > 0 {
			t.Errorf("shown again %+v, %v", items, err)
		}
		r.one("2026-02-05")
		shown := r.quotes("2026-02-05")

		other := newRig(t)
		other.session("s", talk()...)
		other.one("2026-02-05")
		if ignored := other.quotes("2026-02-05"); ignored != shown || strings.Count(shown, "\n") != 3 {
			t.Errorf("with candidates it keeps\n%s\nwithout them\n%s", shown, ignored)
		}
	})
}

// Only the last part of a session that was resumed is searched for candidates, but all of it
// for what is explicit.
func TestABigSessionIsReadInPart(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		lines := []string{say("s", "2026-02-05T08:00:00Z", "user", "Our queue holds 400 jobs. We decided to keep the old queue.")}
		long := strings.Repeat("The harbour crane is loud again today. ", 2700)
		for i := range 60 {
			lines = append(lines, say("s", fmt.Sprintf("2026-02-05T09:%02d:00Z", i), "assistant", long))
		}
		path := r.session("s", append(lines, say("s", "2026-02-05T10:00:00Z", "user", "The office is in Lisbon since May."))...)
		items, _, err := r.door().Candidates(t.Context(), path, 0)
		if err != nil || len(items) != 1 || !strings.Contains(items[0].Quote, "Lisbon") {
			t.Fatalf("shown %+v, %v", items, err)
		}
		if r.one("2026-02-05"); strings.TrimSpace(r.quotes("2026-02-05")) != "We decided to keep the old queue." {
			t.Errorf("extracted %q", r.quotes("2026-02-05"))
		}
	})
}

// At most five sentences are shown, the newest ones, and none that a memory says.
func TestTheNewestCandidatesAreShown(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		var lines []string
		for i := range 8 {
			text := fmt.Sprintf("Our customer Ada has %d seats in contract number %d.", i+20, i)
			lines = append(lines, say("s", fmt.Sprintf("2026-02-05T10:%02d:00Z", i), "user", text))
		}
		c, err := r.brain.Capture.NewMemory(brain.Memory{Content: "our customer Ada has 27 seats in contract number 7"}, brain.Details{})
		if err == nil {
			_, err = r.brain.Capture.Capture(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
		items, _, err := r.door().Candidates(t.Context(), r.session("s", lines...), 0)
		if err != nil || len(items) != 5 || !strings.Contains(items[0].Quote, "26 seats") || !strings.Contains(items[4].Quote, "22 seats") {
			t.Errorf("shown %+v, %v", items, err)
		}
	})
}
