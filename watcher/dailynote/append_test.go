package dailynote

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// clockAt returns an instant of the day in the tests' zone, UTC.
func clockAt(hour, minute int) time.Time { return time.Date(2026, 2, 5, hour, minute, 0, 0, time.UTC) }

// appended returns a note with outcomes at its end.
func appended(note string, all ...Captured) string {
	text, _ := Append([]byte(note), Options{Day: day}, all...)
	return string(text)
}

func TestFormOfACapturedOutcome(t *testing.T) {
	got := appended("", Captured{
		At: clockAt(14, 30), Type: "Decision", Title: "Use\nSQLite ", Importance: "CRITICAL",
		ID: "id-1", Tags: []string{"db", "two-words"}, Body: "Because.\n",
	})
	want := strings.Join([]string{
		"# 2026-02-05 - Daily Notes", "", "## [14:30] 🔷 [CRITICAL] decision: Use SQLite", "",
		"**Date:** 2026-02-05  ", "**Time:** 14:30  ", "**Type:** decision  ", "**Importance:** critical  ",
		"**ID:** id-1  ", "**Source:** brainbridge  ", "**Tags:** #db #two-words  ", "",
		"### Captured Content", "", "Because.", "", "", "---", "",
	}, "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFormLeavesOutWhatIsNotThere(t *testing.T) {
	got := appended("", Captured{At: clockAt(14, 30), Type: "no type!", Title: "T", ID: "x"})
	if !strings.Contains(got, "\n## [14:30] 📝 note: T\n") {
		t.Errorf("reference has no bracket, an unreadable type is note: %q", got)
	}
	if strings.Contains(got, "Tags") || !strings.Contains(got, "**Importance:** reference  \n") {
		t.Errorf("got %q", got)
	}
}

func TestAppendKeepsADistance(t *testing.T) {
	for _, tt := range []struct{ note, want string }{
		{"", "# 2026-02-05 - Daily Notes\n\n## "},
		{"\ufeff\n", "\ufeff\n# 2026-02-05 - Daily Notes\n\n## "},
		{"a", "a\n\n## "},
		{"a\n", "a\n\n## "},
		{"a\n\n", "a\n\n## "},
		{"a\r\n\r\n", "a\r\n\r\n## "},
	} {
		got := appended(tt.note, Captured{At: clockAt(14, 30), ID: "x"})
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q became %q", tt.note, got)
		}
	}
}

func TestOnlyDangerousLinesAreEscaped(t *testing.T) {
	body := "# x\n## y\n### z\n## [14:30] x\n## [25:61] x\n\\# x\n\\## y\n---\n```\n# x\n```\n    # code\n~~~ open"
	want := "\\# x\n## y\n### z\n\\## [14:30] x\n## [25:61] x\n\\\\# x\n\\## y\n---\n```\n# x\n```\n    # code\n\\~~~ open"
	if diff := cmp.Diff(want, escape(body, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestACarriageReturnAtTheEndIsPartOfTheLineEnding(t *testing.T) {
	if got := escape("#\r", true); got != "\\#\r" {
		t.Errorf("got %q", got)
	}
}

func TestContentSurvivesAnEditorsLineEndings(t *testing.T) {
	note := appended("", Captured{At: clockAt(14, 30), ID: "x", Body: "a\n\n# b\n"})
	o := one(t, strings.ReplaceAll(note, "\n", "\r\n"))
	if got := o.Content; got != "a\r\n\r\n# b\r\n" {
		t.Errorf("got %q", got)
	}
}

func TestContentWithoutItsHeadingIsTheBody(t *testing.T) {
	if got := capturedContent("\n\nhand written\n\n---\n\n"); got != "hand written\n\n---" {
		t.Errorf("got %q", got)
	}
}

// soup draws texts out of the pieces that the grammar gives a meaning to.
func soup() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"\n", "\n", "\n", "\n\n", "\r\n", " ", "    ", "\t", "\r", "\\", "---", "```", "````", "~~~", "```go", "#", "# ", "## ", "### ",
		"# Top", "## Plain", "## [14:30] 🔷 decision: T", "## [25:61] x", "## [9:05 UTC] x", "[14:30]", "### 10:15 lesson: U", "#### Round — 9 PM", "- ", "* ", "- a bug", "- [ ] a task", "- lesson: a rule", "  - Fixed",
		"<!--", "-->", "%%", "> ", "> [!tip] Lesson", "| a | b |", "error", "no error", "text", "**ID:** x", "**Type:** issue", "**Date:** 2026-01-01", "### Captured Content", "[[Ann]]", "[[", "]]",
		"\ufeff", "é", "🔷", "\x00", "\xff", "title: x", "<!-- hash: 0123456789abcdef0123456789abcdef -->", "### [2026-02-05] x",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "")
	})
}

func drawCaptured(t *rapid.T) Captured {
	return Captured{
		At:         rapid.SampledFrom([]time.Time{clockAt(0, 0), clockAt(14, 30), clockAt(23, 59)}).Draw(t, "time"),
		Type:       rapid.StringMatching(`[a-z][a-z0-9_-]{0,8}`).Draw(t, "type"),
		Title:      rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"//x", "a: b", "x ##", "[CRITICAL] y", "🔷", "type: z"})).Draw(t, "title"),
		Importance: rapid.SampledFrom([]string{Critical, Important, Reference}).Draw(t, "importance"),
		ID:         "id-of-this",
		Tags:       rapid.SliceOfDistinct(rapid.StringMatching(`[a-zä][a-z0-9#/-]{0,6}`), rapid.ID).Draw(t, "tags"),
		Body:       rapid.OneOf(soup(), soup(), rapid.String()).Draw(t, "body"),
	}
}

func TestCapturedOutcomesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		note := soup().Draw(t, "note")
		want := drawCaptured(t)
		text := appended(note, want)
		if rapid.Bool().Draw(t, "another follows") {
			text = appended(text, Captured{At: clockAt(23, 59), ID: "next", Body: "```\n# x\n```"})
		}
		f := Parse([]byte(text), Options{Day: day})
		var got *Outcome
		for i := range f.Outcomes {
			if f.Outcomes[i].ID == want.ID {
				got = &f.Outcomes[i]
			}
		}
		if got == nil {
			t.Fatalf("the outcome is not found in %q", text)
		}
		if strings.TrimSpace(want.Body) != "" && got.Content != want.Body {
			t.Fatalf("body %q came back as %q in %q", want.Body, got.Content, text)
		}
		if got.Title != plaintext.OneLine(want.Title) || got.Type != CanonicalType(want.Type) || got.Importance != want.Importance ||
			!got.At.Equal(want.At) || got.Date != day {
			t.Fatalf("%+v came back as %+v", want, got)
		}
		if strings.Join(got.Tags, " ") != strings.Join(want.Tags, " ") {
			t.Fatalf("tags %q came back as %q", want.Tags, got.Tags)
		}
	})
}

func TestAppendLeavesEarlierOutcomesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		note := soup().Draw(t, "note")
		before := Parse([]byte(note), Options{Day: day}).Outcomes
		text, _ := Append([]byte(note), Options{Day: day}, drawCaptured(t))
		after := Parse(text, Options{Day: day}).Outcomes
		if !strings.HasPrefix(string(text), note) {
			t.Fatalf("%q was changed to %q", note, text)
		}
		if len(after) != len(before)+1 {
			t.Fatalf("%d outcomes became %d in %q", len(before), len(after), text)
		}
		for i := range before {
			if before[i].Identity != after[i].Identity || before[i].BodyHash != after[i].BodyHash {
				t.Fatalf("outcome on line %d was changed by %q", before[i].Line, text)
			}
		}
	})
}

// Appending several outcomes at once is the same as one after the other.
func TestAppendOfSeveral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		note := rapid.SampledFrom([]string{"", "\ufeff\n", "a", "a\n", "a\n\n", "a\r\n\r\n", "```\nopen", "# 2026-02-05\n\n## [10:00] note: x\n"}).Draw(t, "note")
		one := note
		var all []Captured
		for i := range rapid.IntRange(0, 4).Draw(t, "outcomes") {
			body := rapid.SampledFrom([]string{"x", "# x", "```\nopen", "---", "\n\n", "## [14:30] x"}).Draw(t, "body")
			o := Captured{At: clockAt(14, 30), Type: "lesson", Title: "T", ID: string(rune('a' + i)), Body: body}
			all = append(all, o)
			one = appended(one, o)
		}
		if got := appended(note, all...); got != one {
			t.Fatalf("at once:\n%q\none by one:\n%q", got, one)
		}
	})
}

// A compact outcome is read back as it was written, without its line of origin, also after
// a person wrote below it.
func TestACompactOutcomeIsReadBack(t *testing.T) {
	c := Captured{
		ID: "d29b4adc-395a-4e09-86ae-18e92f551e25", At: time.Date(2026, 2, 5, 14, 20, 0, 0, time.UTC), Type: "decision",
		Title: "SQLite for the cache", Tags: []string{Extracted}, Compact: true,
		Body: "> Let's use SQLite for the cache.\n\nSaid by the user at 14:20 in session s: transcripts/2026-02-05-transcript.md",
	}
	text, _ := Append(nil, Options{Day: "2026-02-05"}, c)
	read := Parse(text, Options{Day: "2026-02-05"})
	if len(read.Outcomes) != 1 || read.Outcomes[0].Content != "> Let's use SQLite for the cache." {
		t.Fatalf("read %+v", read.Outcomes)
	}
	edited := Parse(append(text, "\nMy own remark.\n"...), Options{Day: "2026-02-05"})
	if len(edited.Outcomes) != 1 || edited.Outcomes[0].ID != c.ID || !strings.HasSuffix(edited.Outcomes[0].Content, "My own remark.") {
		t.Errorf("after a remark: %+v", edited.Outcomes)
	}
	if _, added := Append(text, Options{Day: "2026-02-05"}, c); added != 0 {
		t.Errorf("it was added %d more times", added)
	}
	for _, project := range []string{"shop", "my shop"} {
		c.Project = project
		text, _ := Append(nil, Options{Day: "2026-02-05"}, c)
		read := Parse(text, Options{Day: "2026-02-05"})
		if read.Outcomes[0].Project != project || strings.Contains(read.Outcomes[0].Content, "shop") {
			t.Errorf("of the project %s: %+v", project, read.Outcomes)
		}
	}
}
