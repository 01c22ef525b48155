package transcripts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/storetest"
)

const cleaned = "transcripts/2026-02-05-transcript.md"

// sixMessages are a session of one day, with words that look like what the
// cleaned transcript is made of.
func sixMessages(day string) []string {
	return []string{
		say("s", day+"T10:00:00Z", "user", "We decided to keep the old queue."),
		say("s", day+"T10:01:00Z", "assistant", "Fine.\n\n**User** (09:00:00):\n\n→ I only quote.\n```\n## in a fence"),
		say("s", day+"T11:00:00Z", "user", "We agreed to move the office to Lisbon."),
		say("s", day+"T11:01:00Z", "assistant", "ok"),
		say("s", day+"T12:00:00Z", "user", "ok"),
		say("s", day+"T12:00:00Z", "user", "# Third part\nok"),
	}
}

// Whatever a file is cut to, the cleaned transcript holds every message once,
// in order, and stays as it is from then on.
func TestACutFileTakesNothingOut(t *testing.T) {
	all := sixMessages("2026-02-05")
	for n := range len(all) {
		t.Run(fmt.Sprintf("to %d lines", n), func(t *testing.T) {
			r := newRig(t)
			path := r.session("one", all...)
			r.session("two", say("other", "2026-02-05T13:00:00Z", "user", "Something else."))
			r.one("2026-02-05")
			before := r.text(cleaned)
			r.session("one", all[:n]...)
			r.bump(path)
			for range 3 {
				d := r.one("2026-02-05")
				if d.Messages != n+1 || !strings.Contains(messages(d.Problems), "transcript.md:0: keeps messages that are no longer in the session files") {
					t.Errorf("%+v", d)
				}
				r.o.ChunkTokens++ // another method: the day is worked on again
			}
			got := r.text(cleaned)
			if n > 0 && got != before {
				t.Errorf("cut to %d lines it is\n%s\nwant\n%s", n, got, before)
			}
			if strings.Count(got, "\n**") != strings.Count(before, "\n**") || len(got) != len(before) {
				t.Errorf("cut to %d lines it is\n%s", n, got)
			}
		})
	}
}

// The transcript keeps messages that were removed from the file, and has the new ones.
func TestARewrittenFileTakesNothingOut(t *testing.T) {
	all := sixMessages("2026-02-05")
	fresh := say("s", "2026-02-05T11:30:00Z", "user", "Something new in the middle.")
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		left := rapid.SliceOfN(rapid.Bool(), len(all), len(all)).Draw(rt, "left")
		r := newRig(t)
		path := r.session("one", all...)
		r.one("2026-02-05")
		lines := []string{fresh}
		for i, line := range all {
			if left[i] {
				lines = append(lines, line)
			}
		}
		r.session("one", lines...)
		r.bump(path)
		r.one("2026-02-05")
		got := r.text(cleaned)
		want := newRig(t)
		want.session("one", append(all, fresh)...)
		want.one("2026-02-05")
		for line := range strings.Lines(want.text(cleaned)) {
			if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "**") && !strings.Contains(got, line) {
				rt.Fatalf("left with %v it has no line %q\n%s", left, line, got)
			}
		}
		for _, said := range []string{"Something new in the middle.", "We decided to keep the old queue."} {
			if strings.Count(got, "\n"+said+"\n") != 1 {
				rt.Fatalf("left with %v it does not say once %q\n%s", left, said, got)
			}
		}
		r.o.ChunkTokens++
		if r.one("2026-02-05"); r.text(cleaned) != got {
			rt.Fatalf("the next run makes of\n%s\nthis:\n%s", got, r.text(cleaned))
		}
	})
}

// A rewritten file that holds all that it held loses nothing, and nothing is
// said of it; neither is a message that somebody else's file has a copy of.
func TestWhatIsStillThereIsNotKeptTwice(t *testing.T) {
	r := newRig(t)
	all := sixMessages("2026-02-05")
	path := r.session("one", all...)
	r.one("2026-02-05")
	before := r.text(cleaned)
	r.session("one", append([]string{say("s", "2026-02-04T10:00:00Z", "user", "Of the day before.")}, all...)...)
	r.session("two", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	r.bump(path)
	if d := r.one("2026-02-05"); r.text(cleaned) != before || len(d.Problems) > 0 {
		t.Errorf("%+v\n%s", d, r.text(cleaned))
	}
	r.session("one", all[1:]...)
	r.bump(path)
	if d := r.one("2026-02-05"); r.text(cleaned) != before || len(d.Problems) > 0 {
		t.Errorf("with a copy elsewhere: %+v\n%s", d, r.text(cleaned))
	}
}

// A file that speaks no more of a day at all leaves the day as it is.
func TestALostDayStays(t *testing.T) {
	r := newRig(t)
	path := r.session("one", append(sixMessages("2026-02-05"), sixMessages("2026-02-06")...)...)
	r.extract("")
	before := r.snapshot()
	r.session("one", sixMessages("2026-02-06")...)
	r.bump(path)
	d := r.one("2026-02-05")
	if !d.Unchanged || !d.Done || !strings.Contains(messages(d.Problems), "no session file has messages of the day any more") {
		t.Errorf("%+v", d)
	}
	r.extract("")
	for file, text := range r.snapshot() {
		if before[file] != text {
			t.Errorf("%s is\n%s", file, text)
		}
	}
}

// Another zone moves messages to other times and days, and that is all.
func TestAnotherZoneLosesAndDoublesNothing(t *testing.T) {
	r := newRig(t)
	path := r.session("one", sixMessages("2026-02-05")...)
	r.one("2026-02-05")
	r.session("one", sixMessages("2026-02-05")[:4]...)
	r.bump(path)
	r.one("2026-02-05")
	r.zone = mustZone(t, "Europe/Berlin")
	r.one("2026-02-05")
	if text := r.text(cleaned); strings.Count(text, "old queue") != 2 || strings.Count(text, "Third part") != 2 {
		t.Errorf("it is\n%s", text)
	}
}

// A deleted session stays where it was, and one that grows afterwards is there once.
func TestASessionGrowsAfterAnotherWasDeleted(t *testing.T) {
	r := newRig(t)
	deleted := r.session("a", say("a", "2026-02-05T09:00:00Z", "user", "First of A."))
	growing := r.session("b", say("b", "2026-02-05T10:00:00Z", "user", "First of B."))
	r.one("2026-02-05")
	before := r.text(cleaned)
	if err := os.Remove(deleted); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		r.add(growing, say("b", fmt.Sprintf("2026-02-05T10:0%d:00Z", i+1), "user", fmt.Sprintf("B goes on: %d.", i)))
		r.one("2026-02-05")
	}
	got := r.text(cleaned)
	if !strings.HasPrefix(got, before) {
		t.Errorf("the part before changed:\n%s", got)
	}
	for _, words := range []string{"First of A.", "First of B.", "B goes on: 0.", "B goes on: 1.", "B goes on: 2."} {
		if n := strings.Count(got, "\n"+words+"\n"); n != 1 {
			t.Errorf("%q is there %d times", words, n)
		}
	}
	if strings.Count(got, "\n## ") != 2 {
		t.Errorf("not two sessions:\n%s", got)
	}
}
