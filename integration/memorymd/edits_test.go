package memorymd

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// without drops the lines that hold a text.
func without(text, part string) string {
	var out strings.Builder
	for l := range strings.Lines(text) {
		if !strings.Contains(l, part) {
			out.WriteString(l)
		}
	}
	return out.String()
}

// notBlank returns the lines of a text that are not blank.
func notBlank(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func swap(t *testing.T, text, old, now string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is not once in:\n%s", old, text)
	}
	return strings.Replace(text, old, now, 1)
}

// edited is what comes of an edit of the three entries.
func edited(t *testing.T, edit func(text string) string) Result {
	t.Helper()
	first := plan(t, "# Mine\n", State{}, three(), Options{})
	res := plan(t, edit(string(first.Text)), first.State, three(), Options{})
	settled(t, res, three(), Options{})
	return res
}

func TestChangedLineIsACorrection(t *testing.T) {
	for name, c := range map[string]struct{ old, now, want string }{
		"a word":             {"Use SQLite (", "Use SQLite and Neo4j (", "Use SQLite and Neo4j"},
		"without pointer":    {"Use SQLite (`memory/2026-02-04.md:3`, `00003ddf`)", "Use both `00003ddf`", "Use both"},
		"behind the pointer": {"`00003ddf`)", "`00003ddf`) but not on phones", "Use SQLite but not on phones"},
		"another date":       {"- 2026-02-04 Use", "- 2026-02-09 Use", "2026-02-09 Use SQLite"},
		"another sign":       {"- 2026-02-04 Use SQLite", "*   2026-02-04 Use *no* SQLite", "Use *no* SQLite"},
		"on two lines":       {"Use SQLite (", "Use SQLite,\n  and soon Neo4j (", "Use SQLite, and soon Neo4j"},
	} {
		t.Run(name, func(t *testing.T) {
			res := edited(t, func(s string) string { return swap(t, s, c.old, c.now) })
			want := []Correction{{ID: id(2), Text: c.want, Was: "Use SQLite"}}
			if diff := cmp.Diff(want, res.Corrections); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(string(res.Text), c.now) || len(res.Moved)+len(res.Barred) > 0 {
				t.Errorf("not kept as written: moved %q, barred %v\n%s", res.Moved, res.Barred, res.Text)
			}
		})
	}
}

// What held before an entry, and what may hold instead, is shown in its line and is no part
// of a correction.
func TestOtherValuesAreNoPartOfACorrection(t *testing.T) {
	entries := three()
	for i := range entries {
		if strings.HasPrefix(entries[i].Title+entries[i].Text, "Use SQLite") {
			entries[i].Was = "Use Redis, until 2026-02-01"
			entries[i].Other = Other{ID: id(9), Date: "2026-01-31"}
		}
	}
	first := plan(t, "# Mine\n", State{}, entries, Options{})
	for name, c := range map[string]struct{ old, now, want string }{
		"nothing":              {"Redis", "Redis", ""},
		"the former value":     {" (was: Use Redis, until 2026-02-01)", "", ""},
		"the other statement":  {" (or still, of 2026-01-31: " + id(9)[:8] + "?)", "", ""},
		"the statement":        {"Use SQLite (was", "Use Neo4j (was", "Use Neo4j"},
		"all":                  {"Use SQLite (was: Use Redis, until 2026-02-01) (or still, of 2026-01-31: " + id(9)[:8] + "?)", "Use Neo4j", "Use Neo4j"},
		"behind the pointer":   {"`00003ddf`)", "`00003ddf`) but not on phones", "Use SQLite but not on phones"},
		"another former value": {"Redis", "MongoDB", ""},
	} {
		res := plan(t, swap(t, string(first.Text), c.old, c.now), first.State, entries, Options{})
		got := ""
		for _, correction := range res.Corrections {
			got = correction.Text
		}
		if got != c.want {
			t.Errorf("%s: corrected to %q, want %q", name, got, c.want)
		}
	}
}

func TestCorrectedMemoryKeepsThePersonsLine(t *testing.T) {
	res := edited(t, func(s string) string { return swap(t, s, "Use SQLite (", "Use Neo4j (") })
	entries := three()
	entries[1].Title = "Use Neo4j"
	again := plan(t, string(res.Text), res.State, entries, Options{})
	if again.Changed || len(again.Corrections)+len(again.Barred) > 0 {
		t.Errorf("%+v", again)
	}
	// Displaced and back again, it is in the program's form, with the corrected text.
	gone := plan(t, string(again.Text), again.State, entries[:1], Options{})
	if strings.Contains(string(gone.Text), "Neo4j") {
		t.Fatal("not displaced")
	}
	settled(t, gone, entries[:1], Options{})
	back := plan(t, string(gone.Text), gone.State, entries, Options{})
	if !strings.Contains(string(back.Text), "Use Neo4j (") || back.State.Entries[1].Kept {
		t.Errorf("%s", back.Text)
	}
}

func TestCorrectionOfAShortenedTextKeepsTheRest(t *testing.T) {
	text := "Deploy with care " + strings.Repeat("and then some more ", 20) + "to the end"
	entries := []Entry{{ID: id(1), Text: text}}
	first := plan(t, "", State{}, entries, Options{})
	res := plan(t, swap(t, string(first.Text), "Deploy with", "Release with"), first.State, entries, Options{})
	if len(res.Corrections) != 1 {
		t.Fatalf("%+v", res.Corrections)
	}
	want := strings.Replace(text, "Deploy", "Release", 1)
	for _, content := range []string{text, "- " + text, strings.Replace(text, "with care", "with\ncare", 1)} {
		_, got := reworded(brain.Memory{Content: content, Name: plaintext.Clip(content, 20)}, res.Corrections[0])
		if strings.TrimPrefix(got, "- ") != want {
			t.Errorf("%q", got)
		}
	}
}

func TestOnlyThePointerChangedIsNoCorrection(t *testing.T) {
	res := edited(t, func(s string) string { return swap(t, s, "`memory/2026-02-04.md:3`, ", "") })
	if len(res.Corrections) > 0 || !strings.Contains(string(res.Text), "Use SQLite (`00003ddf`)") {
		t.Errorf("%+v\n%s", res.Corrections, res.Text)
	}
}

func TestDeletedEntryDoesNotComeBack(t *testing.T) {
	res := edited(t, func(s string) string { return without(s, "SQLite") })
	if diff := cmp.Diff([]Ref{{ID: id(2), Text: "Use SQLite"}}, res.Barred); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(string(res.Text), "SQLite") || res.Entries != 2 || len(res.Removed) > 0 {
		t.Errorf("%+v\n%s", res, res.Text)
	}
	if res := plan(t, string(res.Text), res.State, three(), Options{}); strings.Contains(string(res.Text), "SQLite") {
		t.Error("it came back")
	}
}

func TestWhatIsNotOursMovesBelow(t *testing.T) {
	const typed = "- my *own*\tline  \n\n\n```\n" + "some | code\n" + "```\n"
	res := edited(t, func(s string) string {
		s = swap(t, s, "### Lessons\n", typed+"### Lessons\nand `me`\n")
		return s + "\nbelow\n"
	})
	want := markdown.BlockEnd + "\n\n" + typed + "\nand `me`\n\nbelow\n"
	if !strings.HasSuffix(string(res.Text), want) {
		t.Errorf("%s", res.Text)
	}
	if diff := cmp.Diff([]string{"- my *own*\tline  ", "```", "some | code", "```", "and `me`"}, notBlank(res.Moved)); diff != "" {
		t.Error(diff)
	}
	if len(res.Corrections)+len(res.Barred) > 0 {
		t.Errorf("%v %v", res.Corrections, res.Barred)
	}
}

func TestTypedIntoALineOfOurs(t *testing.T) {
	res := edited(t, func(s string) string {
		return swap(t, s, "delete it to keep it out.", "delete it to keep it out. Call Ann first")
	})
	if diff := cmp.Diff([]string{headLine + " Call Ann first"}, notBlank(res.Moved)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(string(res.Text), "\n\n"+headLine+" Call Ann first\n") {
		t.Errorf("%s", res.Text)
	}
	res = edited(t, func(s string) string { return swap(t, s, "### Lessons", "### Lessons of mine") })
	if diff := cmp.Diff([]string{"### Lessons of mine"}, notBlank(res.Moved)); diff != "" {
		t.Error(diff)
	}
	res = edited(t, func(s string) string { return without(s, "Memory kept by") })
	if len(res.Moved) > 0 || !strings.Contains(string(res.Text), headLine) {
		t.Errorf("%s", res.Text)
	}
}

func TestCopiedLine(t *testing.T) {
	res := edited(t, func(s string) string {
		at := strings.Index(s, "- 2026-02-04")
		line := s[at : at+strings.IndexByte(s[at:], '\n')+1]
		return s[:at] + line + strings.Replace(line, "Use", "Never use", 1) + s[at:]
	})
	if len(notBlank(res.Moved)) != 1 || !strings.Contains(res.Moved, "Never use SQLite") || len(res.Corrections)+len(res.Barred) > 0 {
		t.Errorf("moved %q, corrections %v, barred %v", res.Moved, res.Corrections, res.Barred)
	}
}

func TestWhatEditorsDoIsNoEdit(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"order": func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			for i, l := range lines {
				if strings.Contains(l, "Ask before") {
					lines[i] = ""
					lines[4] = l + lines[4]
				}
			}
			return strings.Join(lines, "")
		},
		"stripped": func(s string) string { return strings.ReplaceAll(s, " \n", "\n") },
		"blanks":   func(s string) string { return strings.ReplaceAll(s, "\n-", "  \n\n-") },
		"signs":    func(s string) string { return strings.ReplaceAll(s, "\n- ", "\n* ") },
		"escapes":  func(s string) string { return strings.ReplaceAll(s, "steps:", `steps\:`) },
		"wrapped":  func(s string) string { return wrap(s, 30, "  ") },
		"flush":    func(s string) string { return wrap(s, 40, "") },
	} {
		t.Run(name, func(t *testing.T) {
			first := plan(t, "# Mine\n", State{}, three(), Options{})
			changed := edit(string(first.Text))
			if changed == string(first.Text) && name != "stripped" {
				t.Fatal("no edit")
			}
			res := plan(t, changed, first.State, three(), Options{})
			if len(res.Moved)+len(res.Corrections)+len(res.Barred) > 0 {
				t.Errorf("moved %q, corrections %v, barred %v", res.Moved, res.Corrections, res.Barred)
			}
			if diff := cmp.Diff(string(first.Text), string(res.Text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wrap breaks long lines as a formatter does.
func wrap(s string, width int, indent string) string {
	var out strings.Builder
	for l := range strings.Lines(s) {
		col := 0
		for i, w := range strings.Fields(l) {
			switch {
			case i > 0 && col+len(w) > width && !strings.HasPrefix(l, "<!--"):
				out.WriteString("\n" + indent)
				col = 0
			case i > 0:
				out.WriteString(" ")
			}
			out.WriteString(w)
			col += len(w) + 1
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestLineEndsOfTheFileChanged(t *testing.T) {
	first := plan(t, "# Mine\n", State{}, three(), Options{})
	crlf := strings.ReplaceAll(string(first.Text), "\n", "\r\n")
	res := plan(t, crlf, first.State, three(), Options{})
	if res.Changed || len(res.Corrections)+len(res.Barred)+len(res.Moved) > 0 {
		t.Errorf("%q", res.Text)
	}
}

func TestEntriesInOneLineAreRefused(t *testing.T) {
	first := plan(t, "", State{}, three(), Options{})
	joined := swap(t, string(first.Text), "\n\n### Lessons\n\n- 2026-02-05 Ask", " Ask twice")
	_, err := planned([]byte(joined), first.State, three(), Options{})
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "MEMORY.md:7: several entries") {
		t.Errorf("%v", err)
	}
}

func TestBlockTakenOutIsWrittenAgain(t *testing.T) {
	first := plan(t, "# Mine\n", State{}, three(), Options{})
	res := plan(t, "# Mine\n", first.State, three(), Options{})
	if diff := cmp.Diff(string(first.Text), string(res.Text)); diff != "" || len(res.Barred) > 0 || len(res.Warnings) != 1 {
		t.Errorf("%s, barred %v, warnings %q", diff, res.Barred, res.Warnings)
	}
	emptied := plan(t, "# Mine\n"+begin+end, first.State, three(), Options{})
	if len(emptied.Barred) != 3 || len(emptied.Warnings) != 1 || emptied.Entries != 0 {
		t.Errorf("%+v", emptied)
	}
}

// A block that was deleted whole is written again with the lines that the person worded.
func TestBlockTakenOutKeepsThePersonsLine(t *testing.T) {
	res := edited(t, func(s string) string { return swap(t, s, "Use SQLite (", "Use _no_ SQLite (") })
	again := plan(t, "# Mine\n", res.State, three(), Options{})
	if diff := cmp.Diff(string(res.Text), string(again.Text)); diff != "" {
		t.Error(diff)
	}
	if len(again.Corrections)+len(again.Barred)+len(again.Moved) > 0 {
		t.Errorf("%+v", again)
	}
	settled(t, again, three(), Options{})
}

// Nothing in a block without a state is known to be an edit.
func TestBlockWithoutAStateIsReplaced(t *testing.T) {
	first := plan(t, "# Mine\n", State{}, three(), Options{More: 2})
	text := swap(t, string(first.Text), "Use SQLite (", "Use Neo4j (") + "mine\n"
	res := plan(t, text, State{}, three(), Options{More: 2})
	if len(res.Moved)+len(res.Corrections)+len(res.Barred) > 0 || len(res.Warnings) != 1 {
		t.Errorf("%+v", res)
	}
	if want := string(first.Text) + "mine\n"; string(res.Text) != want {
		t.Error(cmp.Diff(want, string(res.Text)))
	}
	settled(t, res, three(), Options{More: 2})
	if _, err := planned(first.Text, State{}, nil, Options{Exists: func(string) bool { return false }}); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("another brain's block was emptied: %v", err)
	}
}

func TestNotUTF8IsRefused(t *testing.T) {
	for _, text := range []string{"caf\xe9\n", "\xff\xfeM\x00"} {
		if _, err := planned([]byte(text), State{}, three(), Options{}); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
