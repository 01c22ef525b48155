package exchange

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

func TestCutKeepsWhatBelongsTogether(t *testing.T) {
	pieces, left := cut("# Top\nintro:\n\n```\n# code\n```\n- a\nlazy\n\n  more\n- b\n---\n| x |\n> quote\n## Sub\n1) one\n\n    deep\nafter\n## Alone\n", 1)
	var got []string
	for _, p := range pieces {
		got = append(got, strings.ReplaceAll(p.text, "\n", "|"))
	}
	want := []string{"intro:||```|# code|```", "a|lazy||more", "b", "| x ||> quote", "one|| deep|after", "Alone"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the pieces are %q, want %q", got, want)
	}
	if len(left) != 1 || left[0].line != 12 {
		t.Errorf("left over: %+v", left)
	}
}

func TestHalfABlockIsTheirs(t *testing.T) {
	pieces, _ := cut("<!-- brainbridge:begin -->\n- mine\n", 1)
	if len(pieces) != 2 || pieces[1].text != "mine" {
		t.Errorf("the pieces are %+v", pieces)
	}
}

// noLineIsMissed checks that each line is in a piece, above one, or left over.
func noLineIsMissed(t tester, text string) {
	t.Helper()
	pieces, left := cut(text, 1)
	var all strings.Builder
	for _, p := range pieces {
		if p.line < 1 {
			t.Fatalf("a piece begins on line %d", p.line)
		}
		all.WriteString(p.text + "\n" + strings.Join(p.headings, "\n") + "\n")
	}
	gone := map[int]bool{}
	for _, l := range left {
		gone[l.line] = true
	}
	block := false
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		s := strings.TrimSpace(line)
		if strings.HasPrefix(s, markdown.BlockBeginPrefix) && gone[i+1] {
			block = true
		}
		if block {
			block = !strings.HasPrefix(s, markdown.BlockEndPrefix)
			continue
		}
		if level, _ := markdown.Heading(line); level > 0 && strings.Contains(all.String(), markdown.HeadingText(line)) {
			continue
		}
		if item, ok := markdown.ParseItem(line); ok && strings.Contains(all.String(), strings.TrimSpace(line[item.Text:])) {
			continue
		}
		if !gone[i+1] && !markdown.IsBreak(line) && !strings.Contains(all.String(), s) {
			t.Fatalf("line %d, %q, of %q is nowhere in %q", i+1, line, text, all.String())
		}
	}
}

func TestCutMissesNoLine(t *testing.T) {
	lines := []string{
		"", " ", "# h", "## h2", "text", "more text", "- item", "  - nested", "* star", "1. one", "    deep", "```", "~~~~", "  ```", "---", "| a |", "> q",
		"<!-- brainbridge:begin -->", "<!-- brainbridge:end -->", "<!-- hash: 1 -->", "-", "#", "###", "\ttab", "  lazy",
	}
	rapid.Check(t, func(t *rapid.T) {
		noLineIsMissed(t, strings.Join(rapid.SliceOf(rapid.SampledFrom(lines)).Draw(t, "lines"), "\n"))
	})
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"", "- a\n\n  b\n", "# x\n```\n# y\n", "1. a\n   ```\n   b\n   ```\nc", "- ```\n  x\n  ```", "<!-- brainbridge:begin\nx\n<!-- brainbridge:end"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { noLineIsMissed(t, text) })
}

func FuzzOwn(f *testing.F) {
	f.Add("---\nbrainbridge: 1\nid: a\ntier: working\n---\n\ntext\n")
	f.Add("---\nbrainbridge: 1\nextra: '{}'\nsource: {id: b}\nsourceText: [body]\n---\n")
	f.Add("---\nbrainbridge: 1\na: &a [*a]\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		front, body, _ := splitFront(text)
		w, err := parseOwn(front, body)
		if err != nil {
			return
		}
		data, err := render(w)
		if err != nil {
			return // no JSON can hold it, such as a year of five digits
		}
		if !untouched(data) {
			t.Errorf("what was just written counts as edited: %q", data)
		}
	})
}
