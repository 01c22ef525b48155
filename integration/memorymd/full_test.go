package memorymd

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// outcomes are the entries of a note as the parser reads it.
func outcomes(note, day string) []Entry {
	f := dailynote.Parse([]byte(note), dailynote.Options{Day: day})
	var out []Entry
	for _, o := range f.Outcomes {
		out = append(out, Entry{
			ID: o.Identity[:36], Type: o.Type, Date: o.Date, Time: o.Time, Title: o.Title, Importance: o.Importance,
			Body: o.Content, Pointer: "memory/" + day + ".md:" + itoa(o.Line),
		})
	}
	for _, b := range f.Bullets {
		out = append(out, Entry{
			ID: b.Identity[:36], Type: "note", Date: day, Text: b.Text, Importance: b.Importance,
			Bullet: true, Pointer: "memory/" + day + ".md:" + itoa(b.Line),
		})
	}
	return out
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func full() Options { return Options{Form: Full, Now: clock} }

// TestCaptureGuide is the before and after of a guide: a note of three
// outcomes, not in time order, one with inner headings and a fence that holds
// what looks like a header, one that an older tool has written into MEMORY.md
// already, one with an address that holds a placeholder of a password.
func TestCaptureGuide(t *testing.T) {
	entries := outcomes(read(t, "guide-note.md"), "2026-02-05")
	if len(entries) != 3 {
		t.Fatalf("%d outcomes", len(entries))
	}
	before := read(t, "guide-before.md")
	res := plan(t, before, State{}, entries, full())
	golden(t, "guide-after.golden", string(res.Text))
	if !strings.HasPrefix(string(res.Text), before) {
		t.Error("what was there before changed")
	}
	if len(res.Added) != 2 || res.PointedTo != 0 {
		t.Errorf("added %v", res.Added)
	}
	settled(t, res, entries, full())
	// The next day, nothing that was written is touched.
	o := full()
	o.Now = clock.AddDate(0, 0, 1)
	note := strings.NewReplacer("2026-02-05", "2026-02-06", "5e0f0a52", "6e0f0a52").Replace(read(t, "guide-note.md"))
	next := outcomes(note, "2026-02-06")
	later := plan(t, string(res.Text), res.State, append(next, entries...), o)
	if len(later.Added) != 3 || len(later.Removed) > 0 {
		t.Errorf("added %v, removed %v", later.Added, later.Removed)
	}
	golden(t, "guide-next-day.golden", string(later.Text))
}

func TestFullKeepsWhatWasWritten(t *testing.T) {
	entries := outcomes(read(t, "guide-note.md"), "2026-02-05")
	first := plan(t, "", State{}, entries, full())
	// A day alone adds to what is there.
	res := plan(t, string(first.Text), first.State, nil, full())
	if res.Changed || res.Entries != 3 {
		t.Errorf("%d entries:\n%s", res.Entries, cmp.Diff(string(first.Text), string(res.Text)))
	}
	// A note that was edited is written anew, under its first Added.
	entries[1].Body += "\n\nAnd more."
	o := full()
	o.Now = clock.AddDate(0, 1, 0)
	res = plan(t, string(first.Text), first.State, entries, o)
	if !strings.Contains(string(res.Text), "And more.") || strings.Contains(string(res.Text), "2026-03") {
		t.Errorf("%s", cmp.Diff(string(first.Text), string(res.Text)))
	}
	settled(t, res, entries, o)
	// Lost ones go only by force.
	o.Exists = func(string) bool { return false }
	if _, err := planned(first.Text, first.State, entries[:2], o); err == nil {
		t.Error("a third was dropped")
	}
	o.Force = true
	res = plan(t, string(first.Text), first.State, entries[:2], o)
	if res.Entries != 2 || len(res.Removed) != 1 {
		t.Errorf("%+v", res.Removed)
	}
}

func TestFullEdits(t *testing.T) {
	entries := outcomes(read(t, "guide-note.md"), "2026-02-05")
	first := plan(t, "# Mine\n", State{}, entries, full())
	text := string(first.Text)
	edit := func(t *testing.T, now string) Result {
		t.Helper()
		res := plan(t, now, first.State, entries, full())
		settled(t, res, entries, full())
		return res
	}
	t.Run("body", func(t *testing.T) {
		res := edit(t, swap(t, text, "Retries stop after five.", "Retries stop after *seven*."))
		if len(res.Corrections) != 1 || !strings.Contains(res.Corrections[0].Text, "*seven*") || res.Corrections[0].OfTitle {
			t.Fatalf("%+v", res.Corrections)
		}
		if !strings.Contains(string(res.Text), "Retries stop after *seven*.") || strings.Contains(string(res.Text), "after five") {
			t.Error("not kept as written")
		}
	})
	t.Run("title", func(t *testing.T) {
		res := edit(t, swap(t, text, "lesson: Retry with back-off\n", "lesson: Always retry with back-off\n"))
		if len(res.Corrections) != 1 || res.Corrections[0].Text != "Always retry with back-off" || !res.Corrections[0].OfTitle {
			t.Errorf("%+v", res.Corrections)
		}
	})
	t.Run("deleted", func(t *testing.T) {
		at := strings.Index(text, "### [2026-02-05] lesson")
		to := at + strings.Index(text[at:], "-->\n") + 4
		res := edit(t, text[:at]+text[to:])
		if len(res.Barred) != 1 || strings.Contains(string(res.Text), "lesson: Retry") {
			t.Errorf("%+v", res.Barred)
		}
	})
	t.Run("between", func(t *testing.T) {
		res := edit(t, swap(t, text, "### [2026-02-05] lesson", "My words.\n\n### [2020-01-01] mine\n\n---\n\n### [2026-02-05] lesson"))
		if diff := cmp.Diff([]string{"My words.", "### [2020-01-01] mine", "---"}, notBlank(res.Moved)); diff != "" {
			t.Error(diff)
		}
		if want := text + "\nMy words.\n\n### [2020-01-01] mine\n\n---\n\n"; string(res.Text) != want {
			t.Error(cmp.Diff(want, string(res.Text)))
		}
	})
	t.Run("by an editor", func(t *testing.T) {
		stripped := strings.ReplaceAll(strings.ReplaceAll(text, "  \n", "\n"), "\n", "\r\n")
		res := edit(t, stripped)
		if len(res.Corrections)+len(res.Barred)+len(res.Moved) > 0 || res.Changed {
			t.Errorf("%v %v %q\n%s", res.Corrections, res.Barred, res.Moved, cmp.Diff(stripped, string(res.Text)))
		}
	})
	t.Run("open fence", func(t *testing.T) {
		_, err := planned([]byte(swap(t, text, "One repository for", "```\nOne repository for")), first.State, entries, full())
		if !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%v", err)
		}
	})
	t.Run("state lost", func(t *testing.T) {
		if _, err := planned([]byte(text), State{}, entries, full()); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("a block that nobody knows was written over: %v", err)
		}
		unmarked := strings.NewReplacer(markdown.BlockBegin, "", markdown.BlockEnd, "").Replace(text)
		if res := plan(t, unmarked, State{}, entries, full()); res.Changed {
			t.Errorf("entries of the person were added again: %s", cmp.Diff(unmarked, string(res.Text)))
		}
	})
	t.Run("other form", func(t *testing.T) {
		res := plan(t, text, first.State, entries, Options{})
		if res.Entries != 3 || len(res.Corrections)+len(res.Barred)+len(res.Moved) > 0 || strings.Contains(string(res.Text), "Full Context") {
			t.Errorf("%s", res.Text)
		}
		settled(t, res, entries, Options{})
		back := plan(t, string(res.Text), res.State, entries, full())
		if diff := cmp.Diff(text, string(back.Text)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWordedEntriesOutliveAChangeOfForm(t *testing.T) {
	entries := outcomes(read(t, "guide-note.md"), "2026-02-05")
	first := plan(t, "# Mine\n", State{}, entries, full())
	now := swap(t, string(first.Text), "Retries stop after five.", "Retries stop after seven.")
	res := plan(t, now, first.State, entries, Options{})
	_, below, _ := strings.Cut(string(res.Text), markdown.BlockEnd)
	if !strings.Contains(below, "### [2026-02-05] lesson") || !strings.Contains(below, "after seven.") || len(res.Corrections) != 1 {
		t.Errorf("the person's entry is not below the block:\n%s", res.Text)
	}
	if res.Entries != 2 || strings.Count(string(res.Text), "Retry with back-off") != 1 {
		t.Errorf("it stands there twice:\n%s", res.Text)
	}
	settled(t, res, entries, Options{})
	back := plan(t, string(res.Text), res.State, entries, full())
	if back.Entries != 2 || strings.Count(string(back.Text), "lesson: Retry with back-off") != 1 {
		t.Errorf("%s", back.Text)
	}
}

func TestOpenFenceInAWordedEntryIsRefused(t *testing.T) {
	a := Entry{ID: id(1), Date: "2026-02-05", Time: "08:00", Title: "a", Body: "Words."}
	b := Entry{ID: id(2), Date: "2026-02-05", Time: "09:00", Title: "b", Body: "```\ncode\n```"}
	first := plan(t, "", State{}, []Entry{a}, full())
	now := swap(t, string(first.Text), "Words.", "Words.\n```\nmore")
	res := plan(t, now, first.State, []Entry{a}, full())
	settled(t, res, []Entry{a}, full())
	_, err := planned(res.Text, res.State, []Entry{a, b}, full())
	above, _, _ := strings.Cut(now, "```")
	line := strings.Count(above, "\n") + 1
	if !errors.Is(err, brain.ErrInvalid) || !strings.HasPrefix(err.Error(), "MEMORY.md:"+itoa(line)+": a code fence") {
		t.Errorf("%v, want line %d", err, line)
	}
}

func TestBodiesAreSafe(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"headings":       {"# One\n## Two\n##### Five\nx", "##### One\n###### Two\n###### Five\nx"},
		"small headings": {"##### Five\n###### Six", "##### Five\n###### Six"},
		"no heading":     {"#tag\n    # code", "#tag\n    # code"},
		"in a fence":     {"## Two\n```\n## [10:00] decision: no header\n<!-- hash: x -->\n```", "##### Two\n```\n## [10:00] decision: no header\n<!-- hash: x -->\n```"},
		"open fence":     {"text\n  ```go\ncode", "text\n  \\```go\ncode"},
		"markers":        {"a\n" + markdown.BlockBegin + "\nb <!-- fine --> <!-- hash: 1 -->", "a\n&lt;!-- brainbridge:begin -->\nb &lt;!-- fine --> &lt;!-- hash: 1 -->"},
		"open comment":   {"a <!-- b", "a &lt;!-- b"},
		"outer blanks":   {"\n \n  a\r\nb  \n\n", "  a\nb"},
		"secret":         {"socks5://username:password@host:port", "socks5://username:password@host:port"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := safeBody(c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBulletInFull(t *testing.T) {
	entries := outcomes("- Decision: we keep tabs\n- Lesson: in order\n  - first this\n  - then that\n", "2026-02-05")
	res := plan(t, "", State{}, entries, full())
	golden(t, "bullets.golden", string(res.Text))
	settled(t, res, entries, full())
}

func TestSameTitleIsKeptWithinAndAcrossDays(t *testing.T) {
	e := Entry{ID: id(1), Type: "decision", Date: "2026-02-05", Time: "10:00", Title: "Deploy", Body: "one"}
	twin, next := e, e
	twin.ID, twin.Time = id(2), "09:00"
	next.ID, next.Date = id(3), "2026-02-04"
	entries := []Entry{e, twin, next}
	res := plan(t, "", State{}, entries, full())
	if res.Entries != 3 {
		t.Fatalf("%s", res.Text)
	}
	var order []string
	for _, w := range res.State.Entries {
		order = append(order, w.ID)
	}
	if diff := cmp.Diff([]string{id(3), id(2), id(1)}, order); diff != "" {
		t.Error(diff)
	}
	settled(t, res, entries, full())
	// Deleting one of two alike bars that one alone.
	at := strings.Index(string(res.Text), "**Time:** 09:00")
	from := strings.LastIndex(string(res.Text[:at]), "### [")
	to := at + strings.Index(string(res.Text[at:]), "-->\n") + 4
	res = plan(t, string(res.Text[:from])+string(res.Text[to:]), res.State, entries, full())
	if len(res.Barred) != 1 || res.Barred[0].ID != id(2) || len(res.Corrections) > 0 {
		t.Errorf("barred %v, corrected %v", res.Barred, res.Corrections)
	}
}

func TestOwnOpenFenceBeforeAFullBlock(t *testing.T) {
	entries := []Entry{{ID: id(1), Date: "2026-02-05", Title: "x", Body: "```\ncode\n```"}}
	_, err := planned([]byte("mine\n```\nopen\n"), State{}, entries, full())
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "MEMORY.md:2:") {
		t.Errorf("%v", err)
	}
}

// A header shows the title without markup, as the context does, and an edit keeps what was not shown.
func TestFullHeaderIsPlain(t *testing.T) {
	const name = "**Pump** stuck #project/pump"
	e := Entry{Date: "2026-02-05", Type: "issue", Title: name}
	if got := e.header(); got != "### [2026-02-05] issue: Pump stuck" {
		t.Error(got)
	}
	edit := Correction{OfTitle: true, Was: e.wholeTitle(), Text: "Pump leaks"}
	if got, _ := reworded(brain.Memory{Name: "Pump stuck #project/pump", Content: "No pressure"}, edit); got != "Pump leaks #project/pump" {
		t.Error(got)
	}
}
