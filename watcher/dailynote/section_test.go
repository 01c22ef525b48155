package dailynote

import (
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
		{"each marker", "# A\n- a bug\n* an issue\n+ a problem\n", []string{"section A|", "bullet A|a bug", "bullet A|an issue", "bullet A|a problem"}},
		{"no marker", "# A\na bug\n-bug\n1. bug\n> - bug\n**bug**\n- - -\n", []string{"section A|a bug\n-bug\n1. bug\n> - bug\n**bug**\n- - -"}},
		{"other items stay", "# A\nx\n- plain\n- Fixed it\n- plain too\ny\n", []string{"section A|x\n- plain\n- plain too\ny", "bullet A|Fixed it"}},
		{"continued", "# A\n- Fixed\n  the rest\n\n  after a gap\n\nout\n", []string{"section A|out", "bullet A|Fixed\nthe rest\n\nafter a gap"}},
		{"keyword in the continuation", "# A\n- it is\n  broken: a bug\n", []string{"section A|", "bullet A|it is\nbroken: a bug"}},
		{"tabs", "# A\n-\tFixed\n\tmore\n\t- child\n", []string{"section A|", "bullet A|Fixed\nmore\n- child"}},
		{"not indented is not continued", "# A\n- Fixed\nout\n", []string{"section A|out", "bullet A|Fixed"}},
		{"children go along", "# A\n- Decided on X\n  - because\n    - deep\n- plain\n  - child\n", []string{"section A|- plain\n  - child", "bullet A|Decided on X\n- because\n  - deep"}},
		{"children of their own", "# A\n- Decided on X\n  - a bug\n  - because\n", []string{"section A|", "bullet A|Decided on X\n- because", "bullet A|a bug"}},
		{"nested in a plain one", "# A\n- plain\n  - a bug\n    more\n  - other\n", []string{"section A|- plain\n  - other", "bullet A|a bug\nmore"}},
		{"in a numbered list", "# A\n1. plain\n   - a bug\n", []string{"section A|1. plain", "bullet A|a bug"}},
		{"check boxes", "# A\n- [x] Completed it\n", []string{"section A|", "bullet A|[x] Completed it"}},
		{"not inside fences", "# A\n```\n- a bug\n```\n", []string{"section A|```\n- a bug\n```"}},
		{"fence of an item", "# A\n- see\n  ```\n  a bug\n  ```\n- Fixed\n  ```\n# no heading\n\n  ```\n", []string{"section A|- see\n  ```\n  a bug\n  ```", "bullet A|Fixed\n```\n# no heading\n\n```"}},
		{"not inside outcomes", "## [14:30] x: T\n- a bug\n", []string{"outcome T|- a bug\n"}},
		{"CRLF", "# A\r\nx\r\n\r\n- a bug\r\n  more\r\n", []string{"section A|x", "bullet A|a bug\nmore"}},
		{"byte order mark", "\ufeff# A\nx\n", []string{"section A|x"}},
		{"title of the day", "# 2026-02-05 - Daily Notes\n\n## A\nx\n", []string{"section A|x"}},
		{"title of the day with text", "# 2026-02-05 - Daily Notes\nx\n", []string{"section 2026-02-05 - Daily Notes|x"}},
		{"empty", "\ufeff\n\n  \n", nil},

		{"no headings: paragraphs", "one\ntwo\n\n\nthree\n", []string{"section |one\ntwo", "section |three"}},
		{"no headings: keyword", "we decided\non X\n\nplain\n", []string{"section |plain", "bullet |we decided\non X"}},
		{"no headings: items", "intro\n- a\n- b\n  b2\n\n  b3\nout\n", []string{"section |intro", "section |- a", "section |- b\n  b2\n\n  b3", "section |out"}},
		{"no headings: bullets", "- a\n  - a bug\n  - c\n* Fixed\n", []string{"section |- a", "section |  - c", "bullet |a bug", "bullet |Fixed"}},
		{"no headings: fences", "run\n```\n# bug\n\n- x\n```\n\nend\n", []string{"section |run\n```\n# bug\n\n- x\n```", "section |end"}},
		{"front matter", "---\ntitle: X\n# comment\n- a bug\n---\n# A\nx\n", []string{"section |---\ntitle: X\n# comment\n- a bug\n---", "section A|x"}},
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

func TestKnowledgeFilesHoldSectionsOnly(t *testing.T) {
	f := Parse([]byte("---\nname: X\n---\n# X\n- a bug\n## [14:30] decision: T\nbody\n## [25:61] x\n"), Options{})
	want := []string{
		"section |---\nname: X\n---", "section X|- a bug",
		"section [14:30] decision: T|body", "section [25:61] x|",
	}
	if diff := cmp.Diff(want, brief(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(f.Problems) != 0 {
		t.Errorf("problems: %+v", f.Problems)
	}
	f = Parse([]byte("we decided\n\n- a bug\n- x\n"), Options{})
	if diff := cmp.Diff([]string{"section |we decided", "section |- a bug", "section |- x"}, brief(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLinesLevelsAndPositions(t *testing.T) {
	f := parseDayNote(t, "\n\nbefore\n# A\n- a bug\nx\n## [14:30] x: T\n- bug\n## B\ny\n- issue\n")
	type at struct{ line, position, level int }
	got := map[string]at{}
	for _, s := range f.Sections {
		got["section "+s.Heading] = at{s.Line, s.Position, s.Level}
	}
	for _, b := range f.Bullets {
		got["bullet "+b.Text] = at{b.Line, b.Position, 0}
	}
	for _, o := range f.Outcomes {
		got["outcome "+o.Title] = at{o.Line, o.Position, 0}
	}
	want := map[string]at{
		"section ": {3, 0, 0}, "section A": {4, 1, 1}, "bullet a bug": {5, 2, 0},
		"outcome T": {7, 3, 0}, "section B": {9, 4, 2}, "bullet issue": {11, 5, 0},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(at{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdentityOfBulletsAndSections(t *testing.T) {
	a := parseDayNote(t, "# A\ntext\n- A  bug\n- a bug\n")
	b := parseDayNote(t, "# 0\n# A\nother text\n\n- a Bug\n")
	if a.Bullets[0].Identity != b.Bullets[0].Identity || a.Bullets[0].Hash == b.Bullets[0].Hash {
		t.Error("case and blanks must change a bullet's hash, not its identity")
	}
	if a.Bullets[0].Identity == a.Bullets[1].Identity {
		t.Error("a repeated bullet has the same identity")
	}
	if a.Sections[0].Identity != b.Sections[1].Identity || a.Sections[0].Hash == b.Sections[1].Hash {
		t.Error("an edited section must keep its identity and change its hash")
	}
	other := Parse([]byte("# A\n- a bug\n"), Options{Day: "2026-02-06"})
	if other.Bullets[0].Identity == a.Bullets[0].Identity {
		t.Error("the day must be part of a bullet's identity")
	}
	p, q := parseDayNote(t, "one\n\ntwo\n"), parseDayNote(t, "zero\n\none\n")
	if p.Sections[0].Identity != q.Sections[1].Identity || p.Sections[1].Identity == q.Sections[1].Identity {
		t.Error("a paragraph is identified by its text")
	}
}

func TestMentions(t *testing.T) {
	f := parseDayNote(t, "[[Zoe]] and [[Bob|him]]\n# A [[Ann]]\n[[Bob]] [[ Carl#Life ]] [[]] [[|x]] [[open\n"+
		"- a bug of [[Dan]]\n- x [[Eve]]\n```\n[[Fay]]\n```\n## [14:30] x: by [[Gus]]\n[[[Hal]]] [[a [[Ida]] ]]\n")
	if diff := cmp.Diff([]string{"Zoe", "Bob"}, f.Sections[0].Mentions); diff != "" {
		t.Errorf("first section (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Ann", "Bob", "Carl", "Eve"}, f.Sections[1].Mentions); diff != "" {
		t.Errorf("section A (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Dan"}, f.Bullets[0].Mentions); diff != "" {
		t.Errorf("bullet (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Gus", "Hal", "Ida"}, f.Outcomes[0].Mentions); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
}
