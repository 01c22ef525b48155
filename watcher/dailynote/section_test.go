package dailynote

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief is what a file holds, one line a record.
func brief(f File) []string {
	var list []string
	for _, s := range f.Sections {
		list = append(list, "section "+s.Heading+"|"+s.Text)
	}
	for _, b := range f.Bullets {
		list = append(list, "bullet "+b.Heading+"|"+b.Text)
	}
	for _, o := range f.Outcomes {
		list = append(list, "outcome "+o.Title+"|"+o.Body)
	}
	return list
}

func TestSectionsAndBullets(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"by heading", "before\n# A\none\n\ntwo\n### B ##\n\n  three\n\n", []string{"section |before", "section A|one\n\ntwo", "section B|  three"}},
		{"each marker", "# A\n- bug: a wasp\n* issue: a wasp\n+ problem: a wasp\n", []string{"section A|", "bullet A|bug: a wasp", "bullet A|issue: a wasp", "bullet A|problem: a wasp"}},
		{"no marker", "# A\na bug\n-bug\n1. bug\n> - bug\n**bug**\n- - -\n", []string{"section A|a bug\n-bug\n1. bug\n> - bug\n**bug**\n- - -"}},
		{"other items stay", "# A\nx\n- plain\n- Fixed: the lot\n- plain too\ny\n", []string{"section A|x\n- plain\n- plain too\ny", "bullet A|Fixed: the lot"}},
		{"continued", "# A\n- Fixed: the tap\n  the rest\n\n  after a gap\n\nout\n", []string{"section A|out", "bullet A|Fixed: the tap\nthe rest\n\nafter a gap"}},
		{"a keyword alone", "# A\n- it is a\tbug\n- Fixed.\n", []string{"section A|- Fixed.", "bullet A|it is a\tbug"}},
		{"a statement without a label", "# A\n- We decided to use SQLite for the cache instead of Redis.\n- 10:52 Redeployed 0.8.3, the tag was wrong\n", []string{"section A|- 10:52 Redeployed 0.8.3, the tag was wrong", "bullet A|We decided to use SQLite for the cache instead of Redis."}},
		{"labels", "# A\n- **Lesson:** ask first\n- 💡 ask first\n- [fact] the port is 1\n- Entscheidung: wir fragen\n- **Decision: RETAIN**\n- Rationale: it is good\n- Lesson:\n", []string{"section A|- **Decision: RETAIN**\n- Rationale: it is good\n- Lesson:", "bullet A|**Lesson:** ask first", "bullet A|💡 ask first", "bullet A|[fact] the port is 1", "bullet A|Entscheidung: wir fragen"}},
		{"labelled paragraphs", "# A\n**Decision:** we use tabs\neverywhere.\n\nWe use tabs.\n", []string{"section A|We use tabs.", "bullet A|**Decision:** we use tabs\neverywhere."}},
		{"under a heading of a kind", "## Lessons learned\n- Always check the clock first\n- Status: fine\n- short\n\nNever trust a cached token again.\n", []string{"section Lessons learned|- Status: fine\n- short", "bullet Lessons learned|Always check the clock first", "bullet Lessons learned|Never trust a cached token again."}},
		{"under a label", "# A\n**Entscheidungen:**\n- Wir nehmen ab jetzt SQLite\n\n- plain\n  - Lessons:\n    - Ask the neighbours before drilling\n", []string{"section A|**Entscheidungen:**\n\n- plain\n  - Lessons:", "bullet A|Wir nehmen ab jetzt SQLite", "bullet A|Ask the neighbours before drilling"}},
		{"an open box", "# A\n- [ ] Call Mara\n- [x] Done before\n", []string{"section A|- [x] Done before", "bullet A|Call Mara", "bullet A|Done before"}},
		{"tabs", "# A\n-\tFixed: the tap\n\tmore\n\t- child\n", []string{"section A|", "bullet A|Fixed: the tap\nmore\n- child"}},
		{"not indented is not continued", "# A\n- Fixed: the tap\nout\n", []string{"section A|out", "bullet A|Fixed: the tap"}},
		{"children go along", "# A\n- Decided: on X\n  - because\n    - deep\n- plain\n  - child\n", []string{"section A|- plain\n  - child", "bullet A|Decided: on X\n- because\n  - deep"}},
		{"children of their own", "# A\n- Decided: on X\n  - bug: a wasp\n  - because\n", []string{"section A|", "bullet A|Decided: on X\n- because", "bullet A|bug: a wasp"}},
		{"nested in a plain one", "# A\n- plain\n  - bug: a wasp\n    more\n  - other\n", []string{"section A|- plain\n  - other", "bullet A|bug: a wasp\nmore"}},
		{"in a numbered list", "# A\n1. plain\n   - bug: a wasp\n", []string{"section A|1. plain", "bullet A|bug: a wasp"}},
		{"not inside fences", "# A\n```\n- bug: a wasp\n```\n", []string{"section A|```\n- bug: a wasp\n```"}},
		{"fence of an item", "# A\n- see\n  ```\n  bug: a wasp\n  ```\n- Fixed: the tap\n  ```\n# no heading\n\n  ```\n", []string{"section A|- see\n  ```\n  bug: a wasp\n  ```", "bullet A|Fixed: the tap\n```\n# no heading\n\n```"}},
		{"inside outcomes", "## [14:30] x: T\n- bug: a wasp\n- the bug is a wasp\n", []string{"bullet T|bug: a wasp", "outcome T|- bug: a wasp\n- the bug is a wasp\n"}},
		{"CRLF", "# A\r\nx\r\n\r\n- bug: a wasp\r\n  more\r\n", []string{"section A|x", "bullet A|bug: a wasp\nmore"}},
		{"byte order mark", "\ufeff# A\nx\n", []string{"section A|x"}},
		{"title of the day", "# 2026-02-05 - Daily Notes\n\n## A\nx\n", []string{"section A|x"}},
		{"title of the day with text", "# 2026-02-05 - Daily Notes\nx\n", []string{"section 2026-02-05 - Daily Notes|x"}},
		{"empty", "\ufeff\n\n  \n", nil},

		{"no headings: paragraphs", "one\ntwo\n\n\nthree\n", []string{"section |one\ntwo", "section |three"}},
		{"no headings: label", "decided: we go\non X\n\nplain\n", []string{"section |plain", "bullet |decided: we go\non X"}},
		{"no headings: items", "intro\n- a\n- b\n  b2\n\n  b3\nout\n", []string{"section |intro", "section |- a", "section |- b\n  b2\n\n  b3", "section |out"}},
		{"no headings: bullets", "- a\n  - bug: a wasp\n  - c\n* Fixed: the tap\n", []string{"section |- a", "section |  - c", "bullet |bug: a wasp", "bullet |Fixed: the tap"}},
		{"no headings: fences", "run\n```\n# bug\n\n- x\n```\n\nend\n", []string{"section |run\n```\n# bug\n\n- x\n```", "section |end"}},
		{"front matter", "---\ntitle: X\n# comment\n- bug: a wasp\n---\n# A\nx\n", []string{"section |---\ntitle: X\n# comment\n- bug: a wasp\n---", "section A|x"}},
		{"front matter closed by dots", "---\ntitle: X\n...\nx\n", []string{"section |---\ntitle: X\n...", "section |x"}},
		{"a rule on top", "---\nplain text\n---\n# A\n", []string{"section |---\nplain text\n---", "section A|"}},
		{"front matter never closed", "---\ntitle: X\n## [14:30] x: T\n---\n", []string{"section |---\ntitle: X", "outcome T|---\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, brief(parseDayNote(t, tt.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOtherFilesHoldSections(t *testing.T) {
	f := Parse([]byte("---\nname: X\n---\n# X\n- bug: a wasp\n## [14:30] decision: T\nbody\n## [25:61] x\n"), Options{})
	want := []string{
		"section |---\nname: X\n---", "section X|- bug: a wasp",
		"section [14:30] decision: T|body", "section [25:61] x|",
	}
	if diff := cmp.Diff(want, brief(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.Problems) != 2 {
		t.Errorf("problems: %+v", f.Problems)
	}
	f = Parse([]byte("we decided\n\n- bug: a wasp\n- x\n"), Options{})
	if diff := cmp.Diff([]string{"section |we decided\n\n- bug: a wasp\n- x"}, brief(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A block of brainbridge is left out of a page, but not of what a person or an agent quotes.
func TestBlocksOfPages(t *testing.T) {
	block := "<!-- brainbridge:begin -->\n- 2026-02-05: Mo is our cook.\n<!-- brainbridge:end -->\n"
	for text, want := range map[string]bool{"# Mo\n\n" + block: false, "# Mo\n\n```\n" + block + "```\n": true, "# Mo\n\n" + strings.TrimSuffix(block, "<!-- brainbridge:end -->\n"): true} {
		if got := strings.Contains(strings.Join(brief(Parse([]byte(text), Options{})), "\n"), "cook"); got != want {
			t.Errorf("%q is searched: %v, want %v", text, got, want)
		}
	}
	if all := brief(Parse([]byte("## [10:00] lesson: Blocks\n\n"+block), Options{Day: "2026-02-05"})); !strings.Contains(all[0], "cook") {
		t.Errorf("an outcome that quotes a block is %q", all)
	}
}

func TestLinesAndLevels(t *testing.T) {
	f := parseDayNote(t, "\n\nbefore\n# A\n- bug: a wasp\nx\n## [14:30] x: T\n- bug\n## B\ny\n- issue: a moth\n")
	type at struct{ line, level int }
	got := map[string]at{}
	for _, s := range f.Sections {
		got["section "+s.Heading] = at{s.Line, s.Level}
	}
	for _, b := range f.Bullets {
		got["bullet "+b.Text] = at{b.Line, 0}
	}
	for _, o := range f.Outcomes {
		got["outcome "+o.Title] = at{o.Line, 0}
	}
	want := map[string]at{
		"section ": {3, 0}, "section A": {4, 1}, "bullet bug: a wasp": {5, 0},
		"outcome T": {7, 0}, "section B": {9, 2}, "bullet issue: a moth": {11, 0},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(at{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdentityOfBulletsAndSections(t *testing.T) {
	a := parseDayNote(t, "# A\ntext\n- Bug:  A wasp\n- bug: a wasp\n")
	b := parseDayNote(t, "# 0\n# A\nother text\n\n- Bug: a Wasp\n")
	if a.Bullets[0].Identity != b.Bullets[0].Identity || a.Bullets[0].Hash == b.Bullets[0].Hash {
		t.Error("case and blanks must change a bullet's hash, not its identity")
	}
	if a.Bullets[0].Identity == a.Bullets[1].Identity {
		t.Error("a repeated bullet has the same identity")
	}
	if a.Sections[0].Identity != b.Sections[1].Identity || a.Sections[0].Hash == b.Sections[1].Hash {
		t.Error("an edited section must keep its identity and change its hash")
	}
	other := Parse([]byte("# A\n- bug: a wasp\n"), Options{Day: "2026-02-06"})
	if other.Bullets[0].Identity == a.Bullets[0].Identity {
		t.Error("the day must be part of a bullet's identity")
	}
	p, q := parseDayNote(t, "one\n\ntwo\n"), parseDayNote(t, "zero\n\none\n")
	if p.Sections[0].Identity != q.Sections[1].Identity || p.Sections[1].Identity == q.Sections[1].Identity {
		t.Error("a paragraph is identified by its text")
	}
}

// A log that is named like a note is reported, and the text around it is searched.
func TestLogsAreNotSearched(t *testing.T) {
	log := strings.Repeat("10:00 INFO retry port 5433\n", 4000)
	f := Parse([]byte("# Day\n\nBefore it.\n\n"+log+"\nAfter it.\n\n## Next\n\nAnother day.\n"), Options{})
	var texts []string
	for _, s := range f.Sections {
		texts = append(texts, s.Heading+": "+s.Text)
	}
	if got := strings.Join(texts, "|"); got != "Day: Before it.|Day: After it.|Next: Another day." {
		t.Errorf("the sections are %.300q", got)
	}
	if len(f.Problems) != 1 || f.Problems[0].Line != 5 {
		t.Errorf("the problems are %+v", f.Problems)
	}
}

func TestLongTextBecomesSections(t *testing.T) {
	text := strings.Repeat("A sentence about sails and kites and the wind that carries them.\n\n", 1000)
	for _, front := range []string{"# Kites\n\n", ""} {
		f := Parse([]byte(front+text), Options{})
		lines := 0
		for _, s := range f.Sections {
			lines += strings.Count(s.Text, "sails")
			if len(s.Text) > longSection {
				t.Errorf("a section has %d bytes", len(s.Text))
			}
		}
		if lines != 1000 || len(f.Problems) != 0 {
			t.Errorf("%d of 1000 lines, problems %v", lines, f.Problems)
		}
	}
}
