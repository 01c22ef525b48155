package dailynote

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// check holds what is true of every text.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, opts Options,
) {
	t.Helper()
	f := Parse([]byte(text), opts)
	lines := strings.Count(text, "\n") + 1
	seen := map[string]bool{}
	last := 0
	note := func(kind, identity string, line int) {
		if line <= last || line > lines {
			t.Fatalf("%s on line %d of %d after line %d in %q", kind, line, lines, last, text)
		}
		if seen[identity] {
			t.Fatalf("%s on line %d repeats an identity in %q", kind, line, text)
		}
		last, seen[identity] = line, true
	}
	for _, o := range f.Outcomes {
		note("outcome", o.Identity, o.Line)
		if !strings.Contains(text, o.Heading) || !strings.Contains(text, o.Body) {
			t.Fatalf("outcome on line %d is not as written in %q", o.Line, text)
		}
	}
	last = 0
	for _, b := range f.Bullets {
		if b.Done {
			continue
		}
		note("bullet", b.Identity, b.Line)
	}
	last = 0
	for _, s := range f.Sections {
		note("section", s.Identity, s.Line)
	}
	last = 0
	for _, p := range f.Problems {
		if p.Line < max(last, 1) || p.Line > lines || p.Message == "" {
			t.Fatalf("problem %+v after line %d in %q", p, last, text)
		}
		last = p.Line
	}
	checkNothingLost(t, text, f)
}

// checkNothingLost takes every line that is kept out of the lines written; no
// line may be left, and none kept twice.
func checkNothingLost(t interface{ Fatalf(string, ...any) }, text string, f File) {
	left := map[string]int{}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	quoted := func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), ">") } // a callout is kept in another form
	count := func(s string, by int) {
		for l := range strings.SplitSeq(s, "\n") {
			if quoted(l) {
				continue
			}
			left[bare(l)] += by
		}
	}
	count(strings.TrimPrefix(text, "\ufeff"), 1)
	end := 0 // of the outcomes so far
	for _, o := range f.Outcomes {
		if o.Line >= end { // else it is in the body of another one
			count(o.Heading+"\n"+o.Body, -1)
		}
		end = max(end, endOf(o))
	}
	inside := func(b Bullet) bool {
		return slices.ContainsFunc(f.Outcomes, func(o Outcome) bool { return b.Line > o.Line && b.Line < endOf(o) })
	}
	for _, s := range f.Sections {
		count(s.Text, -1)
	}
	for _, b := range f.Bullets {
		switch {
		case quoted(lines[b.Line-1]):
		case b.Done, inside(b): // in the section or the outcome
		case b.Kind == reminderKind:
			count("[ ] "+b.Text, -1)
		default:
			count(b.Text, -1)
		}
	}
	for l, n := range left {
		level, _ := markdown.Heading(l)
		heading := level > 0 || l == ""
		if n < 0 && l != "" || n > 0 && !heading {
			t.Fatalf("line %q is off by %d in %q: %+v", l, n, text, f)
		}
	}
}

// endOf is the number of the line after an outcome.
func endOf(o Outcome) int {
	lines := strings.Count(o.Body, "\n")
	if o.Body != "" && !strings.HasSuffix(o.Body, "\n") {
		lines++
	}
	return o.Line + 1 + lines
}

// bare is a line without what bullets leave out: indentation and the marker.
func bare(l string) string {
	for {
		cut := strings.Trim(l, " \t\r\v\f")
		if item, ok := markdown.ParseItem(cut); ok {
			cut = cut[item.Text:]
		}
		if cut == l {
			return l
		}
		l = cut
	}
}

func TestEveryLineIsKeptOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := Options{Day: rapid.SampledFrom([]string{day, ""}).Draw(t, "day")}
		check(t, soup().Draw(t, "text"), opts)
	})
}

// A heading is kept as the Heading of a section, unless it is the program's.
func TestEveryHeadingIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := soup().Draw(t, "text")
		p := newParser(text, Options{Day: day})
		f := Parse([]byte(text), Options{Day: day})
		at := map[int]bool{}
		for _, s := range f.Sections {
			at[s.Line] = true
		}
		for _, o := range f.Outcomes {
			for i := range strings.Count(o.Body, "\n") + 2 {
				at[o.Line+i] = true
			}
		}
		for _, h := range p.headings {
			if !at[h.line+1] {
				t.Fatalf("heading on line %d is lost in %q", h.line+1, text)
			}
		}
	})
}

func TestParseIsTheSameEveryTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(soup().Draw(t, "text"))
		a, b := Parse(text, Options{Day: day}), Parse(text, Options{Day: day})
		if len(a.Outcomes) != len(b.Outcomes) || len(a.Bullets) != len(b.Bullets) || len(a.Sections) != len(b.Sections) {
			t.Fatalf("%+v\n%+v", a, b)
		}
		for i := range a.Sections {
			if a.Sections[i].Identity != b.Sections[i].Identity {
				t.Fatalf("section %d changed", i)
			}
		}
	})
}

// samples reads the notes in testdata.
func samples(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/notes/*.md")
	if err != nil || len(paths) < 12 {
		t.Fatalf("%d sample notes (%v), want at least 12", len(paths), err)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = string(text)
	}
	return texts
}

func TestSampleNotes(t *testing.T) {
	type counts struct{ outcomes, bullets, sections, problems int }
	want := map[string]counts{
		"01-plain-day.md":      {4, 0, 0, 0},
		"02-captured.md":       {2, 1, 1, 0},
		"03-headers.md":        {6, 0, 4, 2},
		"04-flush.md":          {0, 2, 5, 0},
		"05-crlf.md":           {1, 1, 2, 0},
		"06-session.md":        {0, 4, 4, 0},
		"07-fences.md":         {3, 0, 1, 2},
		"08-knowledge.md":      {0, 0, 4, 0},
		"09-older-tool.md":     {0, 0, 4, 0},
		"10-repeats.md":        {3, 4, 2, 0},
		"11-world.md":          {2, 1, 2, 0},
		"12-messy.md":          {4, 3, 2, 3},
		"13-edited-capture.md": {1, 1, 1, 0},
	}
	for name, text := range samples(t) {
		t.Run(name, func(t *testing.T) {
			check(t, text, Options{Day: day})
			check(t, text, Options{})
			f := Parse([]byte(text), Options{Day: day})
			got := counts{len(f.Outcomes), len(f.Bullets), len(f.Sections), len(f.Problems)}
			if got != want[name] {
				t.Errorf("%+v, want %+v", got, want[name])
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range samples(f) {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, daily bool) {
		opts := Options{}
		if daily {
			opts.Day = day
		}
		check(t, string(text), opts)
	})
}

func FuzzRoundTrip(f *testing.F) {
	for _, text := range samples(f) {
		f.Add("", text)
		f.Add(text, "body\n```")
		f.Add("```\n", text)
	}
	f.Fuzz(func(t *testing.T, note, body string) {
		text := appended(note, Captured{At: clockAt(14, 30), Type: "issue", Title: "T", ID: "new one", Body: body})
		outcomes := Parse([]byte(text), Options{Day: day}).Outcomes
		if len(outcomes) == 0 {
			t.Fatalf("no outcome in %q", text)
		}
		last := outcomes[len(outcomes)-1]
		if strings.TrimSpace(body) == "" {
			body = "T"
		}
		if last.ID != "new one" || last.Content != body {
			t.Fatalf("%q came back as %q (ID %s) in %q", body, last.Content, last.ID, text)
		}
	})
}
