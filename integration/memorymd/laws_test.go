package memorymd

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

func contextEnded(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

var pieces = []string{
	"word", "other words", " ", "\n", "\r\n", "\n\n", "# Heading\n", "- item\n", "```\n", "~~~\n", "|", "`", "<!--", "-->", "*", "\\", "é", "日本",
	markdown.BlockBegin, "<!-- hash: 5f4dcc3b5aa765d61d8327deb882cf99 -->\n", "### [2026-02-05] decision: x\n", "(`", "`)", "---\n", "\t", "\r",
}

func text(most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, most).Draw(t, "pieces"), "")
	})
}

func drawEntries(t *rapid.T) []Entry {
	n := rapid.IntRange(0, 30).Draw(t, "n")
	var out []Entry
	for i := range n {
		e := Entry{
			ID: id(i), Type: rapid.SampledFrom([]string{"decision", "lesson", "odd-type", ""}).Draw(t, "type"),
			Date: fmt.Sprintf("2026-02-%02d", rapid.IntRange(1, 9).Draw(t, "day")),
			Time: rapid.SampledFrom([]string{"", "09:00", "10:30"}).Draw(t, "time"),
			Text: text(12).Draw(t, "text"), Body: text(20).Draw(t, "body"),
			Bullet: rapid.Bool().Draw(t, "bullet"),
		}
		if rapid.Bool().Draw(t, "titled") {
			e.Title = fmt.Sprintf("%d %s", i%7, text(6).Draw(t, "title"))
		}
		if rapid.Bool().Draw(t, "in a file") {
			e.Pointer = fmt.Sprintf("memory/%s.md:%d", e.Date, i)
		}
		out = append(out, e)
	}
	return out
}

func drawOptions(t *rapid.T) Options {
	return Options{
		Form:  rapid.SampledFrom([]Form{Curated, Full}).Draw(t, "form"),
		Chars: rapid.SampledFrom([]int{0, 1, 300, 2500}).Draw(t, "chars"),
		Lines: rapid.SampledFrom([]int{0, 12, 40}).Draw(t, "lines"),
		More:  rapid.IntRange(0, 3).Draw(t, "more"), Now: clock,
		Run: rapid.SampledFrom([]string{"", "0a1b2c3d", "4e5f6a7b"}).Draw(t, "run"),
	}
}

// drawEdit changes lines of the file as a person would.
func drawEdit(t *rapid.T, s string) string {
	lines := strings.SplitAfter(s, "\n")
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		switch rapid.IntRange(0, 4).Draw(t, "edit") {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += fmt.Sprintf("typed%d ", rapid.IntRange(0, 1<<20).Draw(t, "number")) + text(4).Draw(t, "typed") + "\n"
		case 2:
			lines[i] = strings.Replace(lines[i], "word", "changed", 1)
		case 3:
			k := rapid.IntRange(0, len(lines)-1).Draw(t, "with")
			lines[i], lines[k] = lines[k], lines[i]
		case 4:
			lines[i] = strings.Replace(lines[i], " ", " inserted ", 1)
		}
	}
	return strings.Join(lines, "")
}

func TestPlanLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := text(20).Draw(t, "own")
		entries, o := drawEntries(t), drawOptions(t)
		st := State{}
		for range 3 {
			res, err := planned([]byte(own), st, entries, o)
			if err != nil {
				return // refused: nothing is written
			}
			checkLaws(t, own, st, entries, o, res)
			own, st = string(res.Text), res.State
			own = drawEdit(t, own)
			if rapid.Bool().Draw(t, "other entries") {
				entries = drawEntries(t)
			}
			if rapid.Bool().Draw(t, "other options") {
				o = drawOptions(t)
			}
		}
	})
}

func inCorrections(res Result, part string) bool {
	for _, c := range res.Corrections {
		if strings.Contains(c.Text, part) {
			return true
		}
	}
	return false
}

func checkLaws(t *rapid.T, own string, st State, entries []Entry, o Options, res Result) {
	before, err := find("M", own)
	if err != nil {
		t.Fatalf("planned on what cannot be told: %v", err)
	}
	if !strings.HasPrefix(string(res.Text), own[:before.Start]) {
		t.Fatalf("what was before the block changed: %q became %q", own, res.Text)
	}
	if after := own[before.End:]; len(res.Moved) == 0 && before.Found && !strings.HasSuffix(string(res.Text), after) {
		t.Fatalf("what was behind the block changed: %q became %q", own, res.Text)
	}
	for _, typed := range strings.Fields(own) {
		at := strings.Index(typed, "typed")
		if at >= 0 && !strings.Contains(string(res.Text), typed[at:]) && !inCorrections(res, typed[at:]) {
			t.Fatalf("%q was lost: %q became %q", typed[at:], own, res.Text)
		}
	}
	if !strings.Contains(string(res.Text), res.Moved) {
		t.Fatalf("%q was lost in %q", res.Moved, res.Text)
	}
	if res.Chars != utf8.RuneCount(res.Text) {
		t.Fatalf("%d characters, counted %d", res.Chars, utf8.RuneCount(res.Text))
	}
	o.Run = "99999999" // a later run
	again, err := planned(res.Text, res.State, entries, o)
	if err != nil {
		t.Fatalf("cannot plan on %q: %v", res.Text, err)
	}
	if again.Changed || len(again.Moved)+len(again.Corrections)+len(again.Barred)+len(again.Added)+len(again.Removed) > 0 {
		t.Fatalf("planning again changes:\n%s\nmoved %q, corrections %v, barred %v", cmp.Diff(string(res.Text), string(again.Text)), again.Moved, again.Corrections, again.Barred)
	}
	if !res.Changed {
		return
	}
	c := newChange("M", []byte(own), true, st, res)
	back, _, err := Revert(res.Text, c)
	if err != nil || string(back) != own {
		t.Fatalf("undo: %v\n%s", err, cmp.Diff(own, string(back)))
	}
	back, _, err = Revert([]byte("above\n"+string(res.Text)), c)
	if err == nil && string(back) != "above\n"+own {
		t.Fatalf("undo below new text:\n%s", cmp.Diff("above\n"+own, string(back)))
	}
}
