package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// fenced returns the indices of the lines in code fences.
func fenced(d *markdown.Document) []int {
	var all []int
	for i, l := range d.Lines {
		if l.Fenced {
			all = append(all, i)
		}
	}
	return all
}

func TestFences(t *testing.T) {
	for text, want := range map[string]struct{ fenced, unclosed []int }{
		"a\n```go\n# x\n```\n# y":           {[]int{1, 2, 3}, nil},
		"```\nopen\n# heading":              {nil, []int{0}},
		"````\n```\n````":                   {[]int{0, 1, 2}, nil},
		"~~~\n```\n~~~":                     {[]int{0, 1, 2}, nil},
		"```\n~~~\n```\n~~~":                {[]int{0, 1, 2}, []int{3}},
		"a ``` b\n``` c ` d":                {nil, nil},
		"``` x\n``` y\n```":                 {[]int{0, 1, 2}, nil},
		"   ```\nx\n   ```":                 {[]int{0, 1, 2}, nil},
		"- x\n    ```\n    y\nz":            {[]int{1, 2}, nil},
		"- x\n    ```\n    y\n    ```\n  z": {[]int{1, 2, 3}, nil},
		"\t```\n\n\ty\n":                    {[]int{0, 1, 2}, nil},
		"\t```\n\n\ty\n\t```":               {[]int{0, 1, 2, 3}, nil},
		"```\n- x\n    ```\n```":            {[]int{0, 1, 2, 3}, nil},
		"```\r\nx\r\n```\r\n":               {[]int{0, 1, 2}, nil},
	} {
		d := markdown.Parse(text)
		if got := fenced(d); !slices.Equal(got, want.fenced) || !slices.Equal(d.Unclosed, want.unclosed) {
			t.Errorf("%q: fenced %v, unclosed %v; want %+v", text, got, d.Unclosed, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	for line, want := range map[string]struct {
		level     int
		raw, text string
	}{
		"# a": {1, "a", "a"}, "###### a": {6, "a", "a"}, "####### a": {}, "#a": {}, "#": {1, "", ""}, "   ## a ##": {2, "a ##", "a"},
		"    # a": {}, "\t# a": {}, "#\ta": {1, "a", "a"}, "## C#": {2, "C#", "C#"}, "# #": {1, "#", ""}, "a": {}, "": {},
	} {
		level, raw := markdown.Heading(line)
		if text := markdown.HeadingText(line); level != want.level || raw != want.raw || text != want.text {
			t.Errorf("%q: level %d, %q, %q; want %+v", line, level, raw, text, want)
		}
	}
}

func TestItems(t *testing.T) {
	for line, want := range map[string]markdown.Item{
		"- a":           {Indent: 0, Content: 2, Text: 2},
		"  * a":         {Indent: 2, Content: 4, Text: 4},
		"\t+\ta":        {Indent: 4, Content: 6, Text: 3},
		"-":             {Indent: 0, Content: 2, Text: 1},
		"12. a":         {Indent: 0, Content: 4, Text: 4, Ordered: true},
		"1) a":          {Indent: 0, Content: 3, Text: 3, Ordered: true},
		"-a":            {},
		"- - -":         {},
		"1a":            {},
		"1234567890. a": {},
		"":              {},
	} {
		got, ok := markdown.ParseItem(line)
		if ok != (want != markdown.Item{}) || ok && got != want {
			t.Errorf("%q: %+v, %v; want %+v", line, got, ok, want)
		}
	}
}

func TestBreaks(t *testing.T) {
	for line, want := range map[string]bool{
		"---": true, "* * *": true, "   ___ ": true, "--": false, "-*-": false, "    ---": false, "+++": false, "--- a": false,
	} {
		if got := markdown.IsBreak(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for text, want := range map[string]int{
		"---\ntitle: X\n---\nbody": 3, "---\r\nmy title: X\r\n...\r\n": 3, "---\n# comment\na: b\n---": 4, "---\nplain\n---\n": 0,
		"---\n- a: b\n---\n": 0, "---\na: b\n": 0, "---\na: b\n## [14:30] x\n---\n": 0, "a: b\n": 0, "": 0,
		"---\ntags:\n\n- clay\n---\n": 5, "---\na: b\n## more\nc: d\n---\n": 5, "+++\na = 1\n\nb = 2\n+++\n": 5,
		"---\na: b\n\n- decision: c\n\n---\n": 0, "---\na: b\n\n## Day\n---\n": 0,
	} {
		if got := markdown.Parse(text).FrontMatter(); got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
}

func TestDedent(t *testing.T) {
	for line, want := range map[string]string{"    a": "  a", "\ta": "a", " a": "a", "a": "a", "": ""} {
		if got := markdown.Dedent(line, 2); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestTrimBlank(t *testing.T) {
	for text, want := range map[string]string{"\n \n  a\n\nb \n\n": "  a\n\nb", "": "", " \r\n": "", "a": "a"} {
		if got := markdown.TrimBlank(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Every byte of a text is in one line or in a line ending, and rewriting each line
// to itself gives the same text.
func TestPositionsCoverTheText(t *testing.T) {
	part := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "# a", "```", "~~~~", "    ```", "- x", " ", "\t", "é", "\x00", "\xff", "---"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "parts"), "")
		d := markdown.Parse(text)
		if got := d.Slice(0, len(d.Lines)); got != text {
			t.Fatalf("%q: all lines are %q", text, got)
		}
		at := 0
		for i, l := range d.Lines {
			if l.Start != at || strings.Contains(d.Line(i), "\n") {
				t.Fatalf("%q: line %d begins at %d, want %d", text, i, l.Start, at)
			}
			at += len(d.Slice(i, i+1))
			if l.Level > 0 && (l.Fenced || l.Blank) {
				t.Fatalf("%q: line %d is a heading in a fence", text, i)
			}
		}
		if got := d.Rewrite(func(_ int, line string) string { return line }); got != text {
			t.Fatalf("%q was rewritten to %q", text, got)
		}
	})
}

func TestMentions(t *testing.T) {
	text := "[[Zoe]] and [[Bob|him]]\n# A [[Ann]]\n[[Bob]] [[ Carl#Life ]] [[]] [[|x]] [[open\n" +
		"- x [[Eve]]\n```\n[[Fay]]\n```\n[[[Hal]]] [[a [[Ida]] ]]\n"
	if got := markdown.Mentions(text); !slices.Equal(got, []string{"Zoe", "Bob", "Ann", "Carl", "Eve", "Hal", "Ida"}) {
		t.Errorf("mentions %q", got)
	}
}
