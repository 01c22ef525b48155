package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
)

// Columns stand under each other, whatever is in them.
func TestTableAligns(t *testing.T) {
	var out bytes.Buffer
	a := &cli{out: &out, env: func(string) string { return "" }}
	tab := table{head: []string{"NAME", "N", "REST"}, right: "N"}
	tab.row("short", "1", "|")
	tab.row("日本語の名前", "1000", "|")
	tab.row("emoji 🔷", "20", "|")
	a.print(tab)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	column := -1
	for _, line := range lines[1:] {
		at := displaywidth.String(line[:strings.IndexByte(line, '|')])
		if column >= 0 && at != column {
			t.Errorf("the last column stands at %d and at %d:\n%s", column, at, out.String())
		}
		column = at
	}
}

func TestFlatIsOneShortLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		n := rapid.IntRange(1, 40).Draw(t, "n")
		got := flat(text, n)
		if utf8.RuneCountInString(got) > n {
			t.Fatalf("%q has more than %d characters", got, n)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0x9b }) {
			t.Fatalf("%q could steer a terminal", got)
		}
	})
}

func TestWordsForPeople(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for got, want := range map[string]string{
		counted(1, "memory"):                          "1 memory",
		counted(0, "memory"):                          "0 memories",
		counted(2, "run"):                             "2 runs",
		energy(2):                                     "2.00",
		energy(0):                                     "0.00",
		energy(3.06e-162):                             "0.00",
		ago(now.Add(-30*time.Second), now):            "now",
		ago(now.Add(-90*time.Minute), now):            "1h ago",
		ago(now.Add(72*time.Hour-time.Second), now):   "in 3d",
		ago(now.Add(-72*time.Hour), now):              "3d ago",
		ago(now.Add(5*time.Minute), now):              "in 5m",
		ago(now.AddDate(-3, 0, 0), now):               "3 years ago",
		brain.ShortID("test_3f2a1b9c-1111-4000-8000"): "test_3f2a1b9c",
		brain.ShortID("3f2a1b9c-1111-4000-8000"):      "3f2a1b9c",
		brain.ShortID("abc"):                          "abc",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	for got, want := range map[string]string{
		progressLine("promote", 5, 10):  "promote [███████████████···············] 5/10",
		progressLine("promote", 12, 10): "promote [██████████████████████████████] 12/10",
		progressLine("scan", 7, 0):      "scan … 7 found",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Ids are shown short, files and keys as they are.
func TestSubjectOfAnAction(t *testing.T) {
	for id, want := range map[string]string{
		"de2a99cb-0000-4000-8000-000000000000": "de2a99cb", "test_de2a99cb-0000-4000-8000-000000000000": "test_de2a99cb",
		"/home/ada/brainbridge/MEMORY.md": "/home/ada/brainbridge/MEMORY.md", "preferences.editor": "preferences.editor",
	} {
		if got := subject([]string{id}); got != want {
			t.Errorf("%s is shown as %s, want %s", id, got, want)
		}
	}
}
