package memorymd

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

var clock = time.Date(2026, 2, 6, 0, 10, 0, 0, time.UTC)

// planned plans, with the options that the settings have by default.
func planned(text []byte, st State, entries []Entry, o Options) (Result, error) {
	o.File = "MEMORY.md"
	if o.Form == "" {
		o.Form = Curated
	}
	if o.Chars == 0 {
		o.Chars = defaultChars
	}
	if o.Lines == 0 {
		o.Lines = defaultLines
	}
	if o.Exists == nil {
		o.Exists = func(string) bool { return true }
	}
	return Plan(text, st, entries, o)
}

const defaultChars, defaultLines = 15_000, 200

// plan plans and fails the test on an error.
func plan(t *testing.T, text string, st State, entries []Entry, o Options) Result {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = clock
	}
	res, err := planned([]byte(text), st, entries, o)
	if err != nil {
		t.Fatalf("plan: %v", err)
	}
	return res
}

// settled plans again on what was planned and wants nothing to change.
func settled(t *testing.T, res Result, entries []Entry, o Options) {
	t.Helper()
	again := plan(t, string(res.Text), res.State, entries, o)
	if again.Changed || len(again.Moved)+len(again.Corrections)+len(again.Barred)+len(again.Added)+len(again.Removed) > 0 {
		t.Errorf("planning again changes:\n%s\nmoved %q, corrections %v, barred %v, added %v, removed %v",
			cmp.Diff(string(res.Text), string(again.Text)), again.Moved, again.Corrections, again.Barred, again.Added, again.Removed)
	}
	if diff := cmp.Diff(res.State, again.State); diff != "" {
		t.Errorf("planning again changes the state:\n%s", diff)
	}
}

func id(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", n*7919+1) }

func three() []Entry {
	return []Entry{
		{ID: id(1), Type: "lesson", Date: "2026-02-05", Title: "Ask before deleting", Pointer: "memory/2026-02-05.md:12"},
		{ID: id(2), Type: "decision", Date: "2026-02-04", Title: "Use SQLite", Pointer: "memory/2026-02-04.md:3"},
		{ID: id(3), Type: "crystallization", Date: "2026-02-03", Text: "Small steps: they land"},
	}
}

func TestCuratedBlock(t *testing.T) {
	res := plan(t, "# My memory\n", State{}, three(), Options{More: 4})
	want := `# My memory

<!-- brainbridge:begin -->

` + headLine + `

### Decisions

- 2026-02-04 Use SQLite (` + "`memory/2026-02-04.md:3`, `00003ddf`" + `)

### Lessons

- 2026-02-05 Ask before deleting (` + "`memory/2026-02-05.md:12`, `00001ef0`" + `)

### Crystallizations

- 2026-02-03 Small steps: they land (` + "`brainbridge show 00005cce`" + `)

Not shown: 4 more. ` + "`brainbridge recall WORDS` finds them, `brainbridge list --all` lists them." + `

<!-- brainbridge:end -->
`
	if diff := cmp.Diff(want, string(res.Text)); diff != "" {
		t.Error(diff)
	}
	if res.Entries != 3 || res.PointedTo != 4 || len(res.Added) != 3 || res.Chars != utf8.RuneCountInString(want) || res.Lines != strings.Count(want, "\n") {
		t.Errorf("%+v", res)
	}
	settled(t, res, three(), Options{More: 4})
}

// Only the known types have a plural: a type of the user's own may be a plural already, or
// in another language.
func TestHeadingsOfTheUsersOwnTypesStayAsTheyAre(t *testing.T) {
	for typ, want := range map[string]string{
		"person": "### People", "discovery": "### Discoveries", "preference": "### Preferences", "crystallization": "### Crystallizations",
		"news": "### News", "entscheidung": "### Entscheidung", "änderung": "### Änderung", "api-quirk": "### Api-quirk",
	} {
		if got := heading(typ); got != want {
			t.Errorf("%s: %q, want %q", typ, got, want)
		}
	}
}

func TestLinesAreSafeAndShort(t *testing.T) {
	for name, c := range map[string]struct {
		e    Entry
		want string
	}{
		"line breaks":      {Entry{Title: "a\r\n\tb\x00c"}, "- a b c ("},
		"pipes":            {Entry{Title: "a | b"}, `- a \| b (`},
		"markers":          {Entry{Title: "a " + markdown.BlockEnd}, "- a &lt;!-- brainbridge:end --&gt; ("},
		"odd backtick":     {Entry{Title: "a `b` `c"}, "- a `b` 'c ("},
		"not UTF-8":        {Entry{Title: "a\xff"}, "- a\uFFFD ("},
		"statement":        {Entry{Statement: "a", Title: "b", Text: "c"}, "- a ("},
		"due":              {Entry{Statement: "a", Due: ", due 2026-02-05 09:00"}, "- a, due 2026-02-05 09:00 ("},
		"cut at a word":    {Entry{Title: strings.Repeat("wörter ", 40)}, "- " + strings.TrimRight(strings.Repeat("wörter ", 17), " ") + "… ("},
		"no word to cut":   {Entry{Title: strings.Repeat("é", 200)}, "- " + strings.Repeat("é", 119) + "… ("},
		"pointer in quote": {Entry{Title: "a", Pointer: "memory/a`b.md:1"}, "- a (`memory/a'b.md:1`, `x`)"},
	} {
		t.Run(name, func(t *testing.T) {
			c.e.ID = "x"
			if got := c.e.line("x"); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDoublesAreShownOnce(t *testing.T) {
	entries := three()
	twin := entries[0]
	twin.ID, twin.Title, twin.Date = id(9), "ask  BEFORE deleting", "2026-02-06"
	similar := entries[1]
	similar.ID, similar.Title = id(8), "The use: SQLite"
	entries = append(entries, twin, similar)
	o := Options{}
	res := plan(t, "", State{}, entries, o)
	if res.Entries != 3 || res.PointedTo != 0 {
		t.Errorf("%d entries, %d pointed to:\n%s", res.Entries, res.PointedTo, res.Text)
	}
	// Deleting the one that is shown does not bring the other one in its place.
	edited := without(string(res.Text), "Ask before")
	res = plan(t, edited, res.State, entries, o)
	if strings.Contains(strings.ToLower(string(res.Text)), "ask before") || len(res.Barred) != 1 {
		t.Errorf("barred %v:\n%s", res.Barred, res.Text)
	}
	settled(t, res, entries, o)
}

func TestSharedIDPrefixIsWrittenOut(t *testing.T) {
	entries := []Entry{{ID: "01234567-a", Title: "one"}, {ID: "01234567-b", Title: "two"}}
	res := plan(t, "", State{}, entries, Options{})
	if !strings.Contains(string(res.Text), "`brainbridge show 01234567-a`") || !strings.Contains(string(res.Text), "`brainbridge show 01234567-b`") {
		t.Errorf("%s", res.Text)
	}
	settled(t, res, entries, Options{})
}

func many(n int) []Entry {
	types := []string{"decision", "lesson", "issue", "resolution", "discovery", "implementation", "idea"}
	var out []Entry
	for i := range n {
		out = append(out, Entry{
			ID: id(i), Type: types[i%len(types)], Date: fmt.Sprintf("2026-01-%02d", 1+i%28),
			Title:   fmt.Sprintf("Outcome %d of the year: %s", i, strings.Repeat("what was found ", i%9)),
			Pointer: fmt.Sprintf("memory/2026-01-%02d.md:%d", 1+i%28, i),
		})
	}
	return out
}

func TestFourHundredOutcomesFitTheBudget(t *testing.T) {
	const above, below = "# Mine\r\n\tcode\ttabs  \r\n\r\n", "\r\nBelow, without a last newline\t"
	for name, own := range map[string]string{
		"none": "", "around": above + markdown.BlockBegin + "\r\n" + markdown.BlockEnd + below, "LF": "# Mine\n\nx",
		"half": strings.Repeat("mine\n", 60) + strings.Repeat("0123456789", 700),
	} {
		t.Run(name, func(t *testing.T) {
			entries := many(400)
			res := plan(t, own, State{}, entries, Options{})
			if res.Chars > defaultChars || res.Lines > defaultLines || utf8.RuneCount(res.Text) != res.Chars {
				t.Errorf("%d characters in %d lines", res.Chars, res.Lines)
			}
			if res.Entries < 40 || res.Entries+res.PointedTo != 400 {
				t.Errorf("%d entries, %d pointed to", res.Entries, res.PointedTo)
			}
			if !strings.Contains(string(res.Text), fmt.Sprintf("Not shown: %d more.", res.PointedTo)) {
				t.Error("the rest is not counted")
			}
			if name == "around" {
				if !strings.HasPrefix(string(res.Text), above) || !strings.HasSuffix(string(res.Text), below) {
					t.Error("own text changed")
				}
				if n := strings.Count(string(res.Text), "\n") - strings.Count(string(res.Text), "\r\n"); n != 0 {
					t.Errorf("%d lines without CR", n)
				}
			}
			for i, w := range res.State.Entries {
				if w.ID != entries[i].ID {
					t.Fatalf("entry %d is not the next strongest", i)
				}
			}
			settled(t, res, entries, Options{})
		})
	}
}

func TestOwnTextOverTheBudget(t *testing.T) {
	own := strings.Repeat("My own words.\n", 2000)
	res := plan(t, own, State{}, many(400), Options{})
	if !strings.HasPrefix(string(res.Text), own) || len(res.Warnings) != 1 || res.Entries == 0 {
		t.Errorf("%d entries, warnings %q", res.Entries, res.Warnings)
	}
	if block := res.Chars - len(own); block > leastChars+2 {
		t.Errorf("the block takes %d characters", block)
	}
	settled(t, res, many(400), Options{})
}

func TestBudgetSmallerThanAnEntry(t *testing.T) {
	for _, o := range []Options{{Chars: 10}, {Lines: 3}, {Chars: 200}, {Lines: 10, Chars: 380}} {
		res := plan(t, "mine\n", State{}, three(), o)
		want := "mine\n\n" + begin + countHead + "3" + countTail + "\n" + end
		if string(res.Text) != want || res.PointedTo != 3 || res.Entries != 0 || len(res.Warnings) == 0 {
			t.Errorf("%+v: got %q, warnings %q", o, res.Text, res.Warnings)
		}
		settled(t, res, three(), o)
	}
}

func TestNothingToSayMakesNoBlock(t *testing.T) {
	if res := plan(t, "mine", State{}, nil, Options{}); res.Changed || string(res.Text) != "mine" {
		t.Errorf("%q", res.Text)
	}
	res := plan(t, "mine", State{}, three(), Options{})
	res = plan(t, string(res.Text), res.State, nil, Options{})
	if res.Entries != 0 || len(res.Removed) != 3 || len(res.Barred) != 0 || strings.Contains(string(res.Text), "SQLite") {
		t.Errorf("%+v", res)
	}
}

func TestLostMemoriesAreRefused(t *testing.T) {
	entries := many(40)
	first := plan(t, "", State{}, entries, Options{})
	lost := func(n int) Options {
		return Options{Now: clock, Exists: func(id string) bool {
			for _, e := range entries[:n] {
				if e.ID == id {
					return false
				}
			}
			return true
		}}
	}
	res := plan(t, string(first.Text), first.State, entries[10:], lost(10))
	if len(res.Removed) != 10 || res.Entries != 30 {
		t.Errorf("a quarter: %d removed", len(res.Removed))
	}
	_, err := planned(first.Text, first.State, entries[11:], lost(11))
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "11 of 40") {
		t.Fatalf("more than a quarter: %v", err)
	}
	o := lost(11)
	o.Force = true
	if res := plan(t, string(first.Text), first.State, entries[11:], o); len(res.Removed) != 11 {
		t.Errorf("forced: %d removed", len(res.Removed))
	}
	// Neither is lost: forgotten, displaced.
	o = lost(11)
	o.Forgotten = map[string]bool{entries[0].ID: true}
	if res := plan(t, string(first.Text), first.State, entries[11:], o); len(res.Removed) != 11 {
		t.Errorf("forgotten: %d removed", len(res.Removed))
	}
	if res := plan(t, string(first.Text), first.State, entries[:2], Options{Exists: func(string) bool { return true }}); len(res.Removed) != 38 {
		t.Errorf("displaced: %d removed", len(res.Removed))
	}
}

func TestOlderToolsEntriesAreNotAddedTwice(t *testing.T) {
	e := three()[1]
	own := "### [2026-02-04] decision: Use SQLite\n\nIn full.\n\n---\n<!-- hash: " + strings.ToUpper(dailynote.LegacyHashOf("Use SQLite", "decision")) + " -->\n"
	for _, form := range []Form{Curated, Full} {
		o := Options{Form: form}
		res := plan(t, own, State{}, []Entry{e}, o)
		if res.Changed || res.Entries != 0 {
			t.Errorf("%s: added twice:\n%s", form, res.Text)
		}
		e.Date = "2026-02-05"
		if res := plan(t, own, State{}, []Entry{e}, o); res.Entries != 1 {
			t.Errorf("%s: the same title on another day is missing", form)
		}
		e.Date = "2026-02-04"
		fenced := "```\n" + own + "```\n"
		if res := plan(t, fenced, State{}, []Entry{e}, o); res.Entries != 1 {
			t.Errorf("%s: a comment in a code fence counts", form)
		}
	}
}
