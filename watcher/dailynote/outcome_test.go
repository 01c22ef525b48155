package dailynote

import (
	"crypto/md5"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

const captured = "**ID:** abc  \n"

func TestEndOfOutcome(t *testing.T) {
	tests := []struct{ name, text, body string }{
		{"next header", "## [14:30] decision: T\na\nb\n## [15:00] issue: U\nc\n", "a\nb\n"},
		{"level 1", "## [14:30] decision: T\na\n# Top\nb\n", "a\n"},
		{"level 1 without text", "## [14:30] decision: T\na\n#\nb\n", "a\n"},
		{"level 2 without a clock", "## [14:30] decision: T\na\n## Plain\nb\n", "a\n"},
		{"a clock that does not exist", "## [14:30] decision: T\na\n## [25:61] U\nb\n", "a\n"},
		{"an outcome below", "## [14:30] decision: T\na\n### [14:40] lesson: U\nb\n## [15:00] V\n", "a\n### [14:40] lesson: U\nb\n"},
		{"an outcome above", "### [14:30] decision: T\na\n## [15:00] lesson: U\nb\n", "a\n"},
		{"an outcome beside", "#### [14:30] decision: T\na\n#### [15:00] lesson: U\nb\n", "a\n"},
		{"a larger heading", "#### [14:30] decision: T\na\n### Plain\nb\n", "a\n"},
		{"ID of an outcome below is none", "## [14:30] decision: T\n### [15:00] U\n" + captured + "## Out\n---\n", "### [15:00] U\n" + captured},
		{"level 3 does not", "## [14:30] decision: T\na\n### Inner\nb\n", "a\n### Inner\nb\n"},
		{"a rule does not", "## [14:30] decision: T\na\n\n---\nb\n", "a\n\n---\nb\n"},
		{"no last newline", "## [14:30] decision: T\na", "a"},
		{"header alone", "## [14:30] decision: T", ""},
		{"CRLF", "## [14:30] decision: T\r\na\r\n\r\n## Plain\r\nb\r\n", "a\r\n\r\n"},
		{"fence of backticks", "## [14:30] decision: T\n```md\n# x\n## [15:00] U\n## P\n```\nb\n# Top\n", "```md\n# x\n## [15:00] U\n## P\n```\nb\n"},
		{"fence of tildes", "## [14:30] decision: T\n~~~\n# x\n```\n~~~~\nb\n# Top\n", "~~~\n# x\n```\n~~~~\nb\n"},
		{"shorter fence inside", "## [14:30] decision: T\n````\n```\n# x\n````\n# Top\n", "````\n```\n# x\n````\n"},
		{"fence in an item", "## [14:30] decision: T\n1.  a\n    ```\n    # x\n    ```\n# Top\n", "1.  a\n    ```\n    # x\n    ```\n"},
		{"fence in an item ends with it", "## [14:30] decision: T\n1.  a\n\n    ```\n    x\n# Top\n", "1.  a\n\n    ```\n    x\n"},
		{"inline code is no fence", "## [14:30] decision: T\n``` a ``` b\n# Top\n```\n", "``` a ``` b\n"},
		{"fence never closed", "## [14:30] decision: T\n```go\nx\n## [15:00] issue: U\n", "```go\nx\n"},
		{"captured: level 2 inside", "## [14:30] decision: T\n" + captured + "a\n## In\nb\n\n---\n", captured + "a\n## In\nb\n\n---\n"},
		{"captured: last rule", "## [14:30] decision: T\n" + captured + "a\n---\nb\n---\n## Out\nc\n", captured + "a\n---\nb\n---\n"},
		{"captured: rule in a fence", "## [14:30] decision: T\n" + captured + "---\n```\n---\n```\nc\n", captured + "---\n"},
		{"captured: no rule", "## [14:30] decision: T\n" + captured + "a\n## In\nb\n# Top\n---\n", captured + "a\n## In\nb\n"},
		{"captured: next header", "## [14:30] decision: T\n" + captured + "a\n## [15:00] U\n---\n", captured + "a\n"},
		{"captured: rule before the ID", "## [14:30] decision: T\n---\n" + captured + "a\n# Top\n", "---\n" + captured + "a\n"},
		{"ID in a fence is none", "## [14:30] decision: T\n```\n" + captured + "```\n## Out\n---\n", "```\n" + captured + "```\n"},
		{"ID of another section is none", "## [14:30] decision: T\na\n## Out\n" + captured + "---\n", "a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := parseDayNote(t, tt.text)
			if len(f.Outcomes) == 0 {
				t.Fatalf("no outcome: %+v", f)
			}
			if diff := cmp.Diff(tt.body, f.Outcomes[0].Body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

// What is explicit in the body of an outcome is also what it would be outside.
func TestNothingIsLostBelowAnOutcome(t *testing.T) {
	const id = "**ID:** x-1\n\n"
	for text, want := range map[string]string{
		"- [ ] Call the harbour\n":                                                            "reminder: Call the harbour",
		"- [ ] Call the harbour\r\n- [x] Buy tar\r\n":                                         "reminder: Call the harbour; reminder: Buy tar (done)",
		"- Plans\n  - [ ] Call the harbour\n\t- [ ] Buy tar":                                  "reminder: Call the harbour; reminder: Buy tar",
		"1. Done\n   * Lesson: hemp holds\n":                                                  "lesson: hemp holds",
		"- Decision: two masts\n- and some more\n":                                            "decision: two masts",
		"- 16:20 lesson: hemp holds\n":                                                        "lesson: hemp holds at 16:20",
		"- [4:20 PM] Switched to nylon instead of hemp\n- 16:30 Fixed the pump in the hold\n": "note: Fixed the pump in the hold at 16:30",
		"### Todo\n\n- [ ] Buy hemp\n":                                                        "reminder: Buy hemp",
		"We decided to use two masts.\n\n- The bug is in the hold\n### Decisions\n- Two masts for each of the boats\n": "",
		"```\n- [ ] Call the harbour\n```\n": "",
	} {
		for _, head := range []string{"", id} {
			f := parseDayNote(t, "# Day\n\n## [14:30] issue: T\n\n"+head+text)
			var got []string
			for _, b := range f.Bullets {
				s := b.Kind + ": " + b.Title
				if b.Done {
					s += " (done)"
				}
				if b.Time != "" {
					s += " at " + b.Time
				}
				got = append(got, s)
			}
			if all := strings.Join(got, "; "); all != want {
				t.Errorf("%q below an outcome gives %q, want %q", head+text, all, want)
			}
			if len(f.Outcomes) != 1 || !strings.HasSuffix(f.Outcomes[0].Body, text) {
				t.Errorf("%q is not the body of the outcome: %+v", text, f.Outcomes)
			}
		}
	}
	f := parseDayNote(t, "## [14:30] decision: T\nwhy\n### [14:40] lesson: U\n- [ ] Ask Jo\n#### Next\n- Lesson: no ice\n## [15:00] V\n- [ ] Ask Al\n## Plain\n- the bug bites\n")
	if got := strings.Join(brief(f), "\n"); strings.Count(got, "outcome ") != 3 || strings.Count(got, "bullet ") != 3 || strings.Count(got, "section ") != 1 {
		t.Errorf("outcomes in outcomes: %s", got)
	}
}

// The fence of the second list item does not close the one that was forgotten in the first.
func TestForgottenFenceInAnItemSwallowsNoOutcomes(t *testing.T) {
	f := parseDayNote(t, "1. run\n\n    ```\n    make\n\n## [14:30] decision: T\na\n\n## [15:00] issue: U\n1. test\n\n    ```\n    make test\n    ```\n")
	if len(f.Outcomes) != 2 || len(f.Problems) > 0 {
		t.Errorf("%d outcomes, problems %+v; want two and none", len(f.Outcomes), f.Problems)
	}
}

func TestUnclosedFenceIsReported(t *testing.T) {
	f := parseDayNote(t, "## [14:30] decision: T\n\n```go\nx\n## [15:00] issue: U\n")
	if len(f.Outcomes) != 2 {
		t.Errorf("the fence swallowed what follows: %d outcomes", len(f.Outcomes))
	}
	if len(f.Problems) != 1 || f.Problems[0].Line != 3 {
		t.Errorf("problems: %+v", f.Problems)
	}
}

func TestTextAfterACapturedOutcomeIsASection(t *testing.T) {
	f := parseDayNote(t, "# Top\n## [14:30] decision: T\n"+captured+"a\n\n---\n\nmine\n- bug: a wasp\n")
	if len(f.Sections) != 2 || f.Sections[1].Text != "mine" || f.Sections[1].Heading != "Top" || f.Sections[1].Line != 8 {
		t.Errorf("sections: %+v", f.Sections)
	}
	if len(f.Bullets) != 1 || f.Bullets[0].Heading != "Top" || f.Bullets[0].Line != 9 {
		t.Errorf("bullets: %+v", f.Bullets)
	}
}

func TestFields(t *testing.T) {
	o := one(t, "## [14:30] T\n**Date:** 2026-01-02  \n**Time:** 14:30  \n**Type:** Success\n"+
		"**importance:** CRITICAL\n**ID:** x-1\n**Source:** a person\n**Tags:** #a #b, c #a\n**Type:** issue\n\nfine\n")
	want := Outcome{
		ID: "x-1", Date: "2026-01-02", Time: "14:30", Type: "resolution",
		Importance: Critical, Tags: []string{"a", "b", "c"},
	}
	got := Outcome{
		ID: o.ID, Date: o.Date, Time: o.Time, Type: o.Type,
		Importance: o.Importance, Tags: o.Tags,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if o.At.Format("2006-01-02 15:04") != "2026-01-02 14:30" {
		t.Errorf("at %s", o.At)
	}
}

func TestFieldsThatCannotBeReadAreReported(t *testing.T) {
	f := parseDayNote(t, "## [14:30] 🔷 T\n**Date:** tomorrow\n**Importance:** huge\n**Type:** two words\nan insight\n")
	o := f.Outcomes[0]
	if o.Date != day || o.Importance != Important || o.Type != "decision" {
		t.Errorf("got %q %q %q", o.Date, o.Importance, o.Type)
	}
	if len(f.Problems) != 3 || f.Problems[0].Line != 2 || f.Problems[2].Line != 4 {
		t.Errorf("problems: %+v", f.Problems)
	}
}

func TestFieldsAfterTheEndAreNotRead(t *testing.T) {
	f := parseDayNote(t, "## [14:30] T\n"+captured+"---\n**Type:** lesson\n**Importance:** huge\n")
	if f.Outcomes[0].Type != "note" || len(f.Problems) != 0 || len(f.Sections) != 1 {
		t.Errorf("%+v", f)
	}
}

func TestWhereTheTypeComesFrom(t *testing.T) {
	tests := []struct{ text, want string }{
		{"## [14:30] 🔷 issue: T\n**Type:** lesson\n", "issue"},
		{"## [14:30] 🔷 T\n**Type:** lesson\n", "lesson"},
		{"## [14:30] 🔷 T\n", "decision"},
		{"## [14:30] T\n```\n**Type:** lesson\n```\n", "note"},
		{"## [14:30] T\n### Captured Content\n**Type:** lesson\n", "note"},
	}
	for _, tt := range tests {
		if got := one(t, tt.text).Type; got != tt.want {
			t.Errorf("%q is of type %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestFieldLinesDoNotGradeAnOutcome(t *testing.T) {
	if got := one(t, "## [14:30] T\n**Type:** decision\n**Tags:** #error\nplain\n").Importance; got != Reference {
		t.Errorf("graded %s by its fields", got)
	}
	if got := one(t, "## [14:30] T\n**Type:** decision\nplain\n**Tags:** #x\n\nit is broken\n").Importance; got != Critical {
		t.Errorf("graded %s, want critical by the last line", got)
	}
}

func TestIdentityOfOutcomes(t *testing.T) {
	base := one(t, "## [14:30] decision: Ünïted  Front\nbody\n")
	same := []string{
		"## [14:30] 🔷 [CRITICAL] DECISION: U\u0308ni\u0308ted front\nother body\n",
		"# Day\ntext\n## [14:30] decision: ÜNÏTED Front\n",
	}
	for _, text := range same {
		if got := one(t, text); got.Identity != base.Identity {
			t.Errorf("%q has another identity", text)
		}
	}
	other := []string{
		"## [14:31] decision: Ünïted Front\n",
		"## [14:30] issue: Ünïted Front\n",
		"## [14:30] decision: United Front\n",
		"## [14:30] decision: Ünïted Front\n" + captured,
		"## [14:30] decision: Ünïted Front\n**Date:** 2026-02-06\n",
	}
	for _, text := range other {
		if got := one(t, text); got.Identity == base.Identity {
			t.Errorf("%q has the same identity", text)
		}
	}
}

func TestIDAloneMakesTheIdentity(t *testing.T) {
	a := one(t, "## [14:30] decision: T\n"+captured)
	b := one(t, "## [17:00] issue: Renamed\n**Date:** 2026-03-01\n"+captured)
	if a.Identity != b.Identity {
		t.Error("an edited header changed the identity of a captured outcome")
	}
}

func TestRepeatedOutcomesGetOrdinals(t *testing.T) {
	f := parseDayNote(t, strings.Repeat("## [14:30] decision: T\n", 3)+strings.Repeat("## [15:00] x\n"+captured+"---\n", 2))
	seen := map[string]bool{}
	for _, o := range f.Outcomes {
		seen[o.Identity] = true
	}
	if len(f.Outcomes) != 5 || len(seen) != 5 {
		t.Errorf("%d identities for %d outcomes", len(seen), len(f.Outcomes))
	}
	if len(f.Problems) != 1 || f.Problems[0].Line != 7 {
		t.Errorf("problems: %+v", f.Problems)
	}
	single := one(t, "## [14:30] decision: T\n")
	if f.Outcomes[0].Identity != single.Identity {
		t.Error("a repetition changed the identity of the first")
	}
}

func TestBodyHashIgnoresLayoutOnly(t *testing.T) {
	base := HashText("a\n\nb")
	for _, same := range []string{"a\r\n\r\nb\r\n", "\n\na  \n\t\nb\n\n", "a\n \nb\t"} {
		if HashText(same) != base {
			t.Errorf("%q has another hash", same)
		}
	}
	for _, other := range []string{"a\nb", "a\n\n\nb", " a\n\nb", "A\n\nb", ""} {
		if HashText(other) == base {
			t.Errorf("%q has the same hash", other)
		}
	}
}

func TestLegacyHash(t *testing.T) {
	sum := md5.Sum([]byte("Ship it|success\n"))
	if got := LegacyHashOf("Ship it", "success"); got != hex.EncodeToString(sum[:]) {
		t.Errorf("got %s", got)
	}
}

func TestLegacyComments(t *testing.T) {
	const a, b = "0123456789abcdef0123456789abcdef", "FEDCBA9876543210FEDCBA9876543210"
	text := "<!-- hash: " + a + " -->\n### [2026-02-01] decision: T\n\n#### Full Context\nx\n##### y\n\n---\n<!-- hash: " + a + " -->\n" +
		"### [2026-02-02] lesson: U\n---\n<!-- hash:" + b + "-->\n```\n<!-- hash: " + a + " -->\n```\n<!-- hash: nonsense -->\n" +
		"## Other\n<!-- hash: " + a + " -->\n"
	want := []LegacyHash{
		{"", a, 1},
		{"2026-02-01", a, 9},
		{"2026-02-02", strings.ToLower(b), 12},
		{"", a, 18},
	}
	if diff := cmp.Diff(want, LegacyHashes(markdown.Parse(text))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
