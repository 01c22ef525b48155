package transcripts_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/transcripts"
	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// The day that the documentation speaks of: 372,000 characters in 28 sessions
// over midnight, with 60 facts planted in it.
func TestTheWholeDay(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		day := fixture.Generate(fixture.Options{})
		if err := day.Write(r.home); err != nil {
			t.Fatal(err)
		}
		rep := r.extract("")
		if len(rep.Days) != 2 || rep.Days[0].Date != "2026-02-05" || rep.Days[1].Date != "2026-02-06" {
			t.Fatalf("days: %+v", rep.Days)
		}
		messages := 0
		for _, d := range rep.Days {
			messages += d.Messages
			if !d.Done || d.Failures != 0 || d.Chunks == 0 || d.Added+d.Duplicates != d.Items {
				t.Errorf("%s: %+v", d.Date, d)
			}
		}
		if messages != day.Messages {
			t.Errorf("%d messages, want %d", messages, day.Messages)
		}
		checkPlanted(t, r, day, rep.Days)
		checkMemories(t, r, rep.Days[0].Added+rep.Days[1].Added)

		before, updates := r.snapshot(), r.store.updates.Load()
		for _, ask := range []string{"", "2026-02-05", "2026-02-06"} {
			for _, d := range r.extract(ask).Days {
				if !d.Unchanged || d.Added != 0 || ask == "" {
					t.Errorf("asked for %q again: %+v", ask, d)
				}
			}
		}
		if !maps.Equal(before, r.snapshot()) {
			t.Error("the second run changed files")
		}
		if n := r.store.updates.Load() - updates; n > 0 {
			t.Errorf("the second run wrote %d times to the store", n)
		}
	})
}

// checkPlanted: each planted sentence that is explicit is an item of its own day.
func checkPlanted(t *testing.T, r *rig, day fixture.Day, reports []transcripts.Day) {
	t.Helper()
	found := 0
	for _, d := range reports {
		quotes := words.Key(r.quotes(d.Date))
		for _, p := range day.Planted {
			if p.Day != d.Date || p.Speaker != "user" || extract.KindOf(p.Sentence) == "" {
				continue
			}
			if found++; !strings.Contains(quotes, words.Key(p.Sentence)) {
				t.Errorf("lost on %s: %s: %q", d.Date, p.Type, p.Sentence)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d planted sentences are explicit", found)
	}
}

// checkMemories: every outcome is a memory, and says when it was said.
func checkMemories(t *testing.T, r *rig, want int) {
	t.Helper()
	ss, err := r.brain.Recall.Sources(t.Context(), brain.SourceFilter{Kind: brain.Outcome, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if len(ss) != want {
		t.Errorf("%d outcomes in the graph, want the %d that were added", len(ss), want)
	}
	for _, s := range ss {
		if s.Created.Format(time.DateOnly) != s.Date || !slices.Contains(s.Tags, "transcript") {
			t.Errorf("outcome %+v", s)
		}
	}
}

func TestAnItemSaysWhereItWasSaid(t *testing.T) {
	r := newRig(t)
	r.zone = mustZone(t, "Europe/Berlin")
	r.session("one",
		say("s-1", "2026-02-05T08:10:00Z", "user", "# Plan\nGood. We decided to use Postgres 17 for the ledger."),
		say("s-1", "2026-02-05T08:11:00Z", "assistant", "Fine.\n```go\n# no heading"))
	d := r.one("2026-02-05")
	if d.Added != 1 || d.Types["decision"] != 1 || !d.Done {
		t.Fatalf("report %+v", d)
	}
	want := ": We decided to use Postgres 17 for the ledger.\n\n" +
		"> We decided to use Postgres 17 for the ledger.\n\n" +
		"Said by the user at 09:10 in session s-1: transcripts/2026-02-05-transcript.md#09:10:00 Plan <!-- transcript: "
	if note := r.text("2026-02-05.md"); !strings.Contains(note, want) || !strings.Contains(note, "## [09:10] ") {
		t.Errorf("the note is\n%s", note)
	}
	if got, want := r.text("transcripts/2026-02-05-transcript.md"), `# 2026-02-05 - Transcript

## 09:10 claude-code s-1

### 09:10:00 Plan

**User** (09:10:00):

\# Plan
Good. We decided to use Postgres 17 for the ledger.

**Assistant** (09:11:00):

Fine.
`+"```go\n# no heading\n```\n"; got != want {
		t.Errorf("the transcript is\n%s\nwant\n%s", got, want)
	}
	// What was said is found where the item says.
	found, err := r.brain.Recall.Recall(t.Context(), recall.Query{Words: words.Parse("Plan ledger Postgres"), Transcripts: true, NoTouch: true})
	if err != nil || !slices.ContainsFunc(found.Results, func(f recall.Recalled) bool {
		return f.Memory.Name == "transcripts/2026-02-05-transcript.md#09:10:00 Plan"
	}) {
		t.Errorf("recall gives %+v, %v", found.Results, err)
	}
}

// A message that is longer than a chunk is read as a whole: what is code or pasted stays so
// to its end.
func TestALongMessageIsReadAsAWhole(t *testing.T) {
	r := newRig(t)
	r.o.ChunkTokens = 50
	r.session("one",
		say("s", "2026-02-05T08:10:00Z", "user", "Here:\n```\n"+strings.Repeat("we decided to drop Redis\n", 30)+"```\nAnd now we decided to keep Postgres for the queue."),
		say("s", "2026-02-05T08:20:00Z", "user", "Summarize this:\n\n"+strings.Repeat("We decided to move to Lisbon.\n\n", 30)))
	if d := r.one("2026-02-05"); d.Items != 1 || d.Chunks < 5 || d.Chunks != d.Nothings+1 || !strings.Contains(r.quotes(d.Date), "keep Postgres") {
		t.Errorf("%+v\n%s", d, r.quotes(d.Date))
	}
}

func TestALateMessageOpensItsDayAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		path := r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
		first := r.one("2026-02-05")
		r.add(path, say("s", "2026-02-06T10:00:00Z", "user", "Something of the day after."))
		if d := r.one("2026-02-05"); !d.Unchanged {
			t.Errorf("a message of another day opened it: %+v", d)
		}
		r.add(path, say("s", "2026-02-05T09:00:00Z", "user", "We agreed to move the office to Lisbon."))
		rep := r.extract("")
		if first.Added != 1 || len(rep.Days) != 2 || rep.Days[0].Added != 1 || rep.Days[0].Messages != 2 {
			t.Fatalf("reports %+v, %+v", first, rep.Days)
		}
		if n := strings.Count(r.text("2026-02-05.md"), "<!-- transcript: "); n != 2 {
			t.Errorf("%d outcomes in the note, want 2", n)
		}
		if text := r.text("transcripts/2026-02-05-transcript.md"); strings.Index(text, "Lisbon") > strings.Index(text, "old queue") {
			t.Errorf("out of order:\n%s", text)
		}
	})
}

func TestARewrittenFileIsReadAgain(t *testing.T) {
	r := newRig(t)
	path := r.session("one",
		say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."),
		say("s", "2026-02-05T11:00:00Z", "user", "We agreed to move the office to Lisbon."))
	r.one("2026-02-05")
	r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	r.bump(path)
	d := r.one("2026-02-05")
	if d.Messages != 1 || d.Added != 0 || !strings.Contains(messages(d.Problems), "transcript.md:0: keeps messages that are no longer in the session files") {
		t.Errorf("truncated: %+v", d)
	}
	if !strings.Contains(r.text("2026-02-05.md"), "Lisbon") {
		t.Error("what was extracted before is gone")
	}
}

// bump makes sure that the hints of a file differ.
func (r *rig) bump(path string) {
	r.Helper()
	at := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		r.Fatal(err)
	}
}

// A program that cleans up after itself takes nothing out of the transcript.
func TestWhatAGoneFileSaidStays(t *testing.T) {
	r := newRig(t)
	gone := r.session("one", say("old", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue.\n```\n## in a fence"))
	r.one("2026-02-05")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if d := r.one("2026-02-05"); !d.Unchanged {
		t.Errorf("the loss of a file opened the day: %+v", d)
	}
	r.session("two", say("new", "2026-02-05T09:00:00Z", "user", "We agreed to move the office to Lisbon."))
	for range 2 {
		d := r.one("2026-02-05")
		text := r.text("transcripts/2026-02-05-transcript.md")
		if !strings.Contains(text, "old queue") || !strings.Contains(text, "Lisbon") || strings.Count(text, "\n## ") != 3 || !strings.Contains(messages(d.Problems), "is gone") {
			t.Errorf("%+v\n%s", d, text)
		}
		r.o.ChunkTokens++ // another method: the day is worked on again
	}
}

func TestDaysOfTheZone(t *testing.T) {
	r := newRig(t)
	r.zone = mustZone(t, "Europe/Berlin")
	r.now = time.Date(2026, 4, 8, 9, 0, 0, 0, time.UTC)
	// The clocks go forward on March 29: that day has 23 hours.
	r.session("one",
		say("s", "2026-03-28T22:59:59.999Z", "user", "We decided to keep the first."),
		say("s", "2026-03-28T23:00:00Z", "user", "We decided to keep the second."),
		say("s", "2026-03-29T21:59:59.999Z", "user", "We decided to keep the third."),
		say("s", "2026-03-29T22:00:00Z", "user", "We decided to keep the fourth."))
	rep := r.extract("")
	var got []string
	for _, d := range rep.Days {
		got = append(got, d.Date+" "+strings.ReplaceAll(strings.TrimSpace(r.quotes(d.Date)), "\n", " "))
	}
	want := []string{
		"2026-03-28 We decided to keep the first.",
		"2026-03-29 We decided to keep the second. We decided to keep the third.",
		"2026-03-30 We decided to keep the fourth.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func mustZone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestTheDaySoFarIsCompletedAfterMidnight(t *testing.T) {
	r := newRig(t)
	r.now = time.Date(2026, 2, 5, 23, 0, 0, 0, time.UTC)
	path := r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	if rep := r.extract(""); len(rep.Days) != 0 {
		t.Errorf("a day that is not over was extracted: %+v", rep.Days)
	}
	soFar := func() []transcripts.Day {
		rep, err := r.door().Extract(t.Context(), transcripts.Request{SoFar: true})
		if err != nil {
			t.Fatal(err)
		}
		return rep.Days
	}
	if days := soFar(); len(days) != 1 || days[0].Done || days[0].Added != 1 {
		t.Errorf("so far: %+v", days)
	}
	if days := soFar(); len(days) != 0 {
		t.Errorf("so far, again: %+v", days)
	}
	r.add(path, say("s", "2026-02-05T23:30:00Z", "user", "We agreed to move the office to Lisbon."))
	r.now = r.now.Add(2 * time.Hour)
	if rep := r.extract(""); len(rep.Days) != 1 || !rep.Days[0].Done || rep.Days[0].Added != 1 {
		t.Errorf("after midnight: %+v", rep.Days)
	}
	if rep := r.extract(""); len(rep.Days) != 0 {
		t.Errorf("once it is done: %+v", rep.Days)
	}
}

func TestWhatIsKnownIsNotAddedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		known, err := r.brain.Capture.NewMemory(brain.Memory{Content: "we decided to keep the old queue"}, brain.Details{})
		if err == nil {
			_, err = r.brain.Capture.Capture(t.Context(), known)
		}
		if err != nil {
			t.Fatal(err)
		}
		r.session("one",
			say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."),
			say("s", "2026-02-05T12:00:00Z", "user", "We agreed to move the office to Lisbon."),
			say("s", "2026-02-05T13:00:00Z", "user", "We agreed to move the office to Lisbon"),
			say("s", "2026-02-05T14:00:00Z", "user", "We agreed to move the office to Porto."))
		if d := r.one("2026-02-05"); d.Items != 4 || d.Duplicates != 2 || d.Added != 2 {
			t.Errorf("%+v\n%s", d, r.text("2026-02-05.md"))
		}
		r.session("two", say("t", "2026-02-06T10:00:00Z", "user", "We agreed to move the office to Lisbon."))
		if d := r.one("2026-02-06"); d.Items != 1 || d.Duplicates != 1 || d.Added != 0 {
			t.Errorf("the same on the day after: %+v", d)
		}
	})
}

// What a person edited and then took out of the note stays out, also when the day opens again.
func TestWhatAPersonRemovedStaysOut(t *testing.T) {
	r := newRig(t)
	path := r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	r.one("2026-02-05")
	note := filepath.Join(r.dir, "2026-02-05.md")
	edited := strings.ReplaceAll(r.text("2026-02-05.md"), "the old queue", "the older one")
	if err := errors.Join(os.WriteFile(note, []byte(edited), 0o600), r.notes.Take(t.Context(), []string{"2026-02-05.md"})); err != nil {
		t.Fatal(err)
	}
	own := "# 2026-02-05 - Daily Notes\r\n\r\nMy own\ttext, no last newline"
	if err := os.WriteFile(note, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	r.add(path, say("s", "2026-02-05T12:00:00Z", "user", "We agreed to move the office to Lisbon."))
	if d := r.one("2026-02-05"); d.Added != 1 {
		t.Errorf("%+v", d)
	}
	if note := r.text("2026-02-05.md"); !strings.HasPrefix(note, own) || strings.Contains(note, "old queue") || !strings.Contains(note, "Lisbon") {
		t.Errorf("the note is %q", note)
	}
}

func TestSecretsReachNoFile(t *testing.T) {
	r := newRig(t)
	key := "ghp_" + "9dKq2LmXw7RtYb4NcVz8HsJfPg3AeUoT5iWk"
	said := []string{
		say("s", "2026-02-05T10:00:00Z", "user", "We decided to rotate "+key+" on the 14th of every month."),
		say("s", "2026-02-05T10:01:00Z", "user", "Hm. The "+key+" again."),
	}
	r.session("one", said...)
	r.session("two", said...) // a copy
	d := r.one("2026-02-05")
	if d.Redacted != 2 || d.Added != 1 || slices.Contains(d.Uncovered, "github") || slices.Contains(d.Uncovered, "token") {
		t.Errorf("%+v", d)
	}
	for path, text := range r.snapshot() {
		if strings.Contains(text, key) {
			t.Errorf("%s holds the key", path)
		}
	}
	if !strings.Contains(r.text("2026-02-05.md"), "> We decided to rotate [redacted: ") {
		t.Errorf("the note is\n%s", r.text("2026-02-05.md"))
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	r := newRig(t)
	r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	rep, err := r.door().Extract(t.Context(), transcripts.Request{Day: "2026-02-05", DryRun: true})
	if err != nil || len(rep.Days) != 1 || rep.Days[0].Added != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	if left := r.snapshot(); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

func TestAnotherBrainsNotesAreRefused(t *testing.T) {
	r := newRig(t)
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	owner := `{"brain":"theirs","id":"0b0a0c0d-0000-4000-8000-000000000000","created":"2026-02-05T10:00:00Z"}`
	if err := os.WriteFile(filepath.Join(r.dir, ".brainbridge"), []byte(owner), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.door().Extract(t.Context(), transcripts.Request{}); !errors.Is(err, brain.ErrBusy) {
		t.Errorf("error %v, want busy", err)
	}
}

func TestWithoutTranscriptsNothingIsMade(t *testing.T) {
	r := newRig(t)
	if rep := r.extract(""); len(rep.Days)+rep.Files+len(rep.Problems) > 0 {
		t.Errorf("%+v", rep)
	}
	if d := r.one("2026-02-05"); d.Chunks+d.Messages > 0 {
		t.Errorf("%+v", d)
	}
	if _, err := os.Stat(r.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the notes directory was made: %v", err)
	}
}
