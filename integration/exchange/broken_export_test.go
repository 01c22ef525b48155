package exchange

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

// What a file of an export cannot say is named, and nothing of it is stored.
func TestBrokenExportsAreNamed(t *testing.T) {
	w := recall.FullMemory{Memory: brain.Memory{ID: brain.NewID(), Name: "n", Content: "text", MemoryType: "note", Created: noon, Importance: brain.Reference}}
	w.Memory.Tier, w.Memory.Energy = tiers.Working, 1
	good, err := render(w)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"no such tier":     {`tier: "working"`, `tier: "attic"`},
		"no id":            {`id: "` + w.Memory.ID, `id: "../../etc`},
		"energy below 0":   {"energy: 1", "energy: -1"},
		"energy no number": {"energy: 1", "energy: .nan"},
		"a newer version":  {"brainbridge: 1", "brainbridge: 99"},
		"no YAML":          {`tier: "working"`, "tier: [working"},
		"an alias":         {`tier: "working"`, "a: &a [1]\ntier: *a"},
		"no text":          {"\ntext\n", "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			broken := strings.Replace(string(good), change[0], change[1], 1)
			if broken == string(good) {
				t.Fatalf("the file has no %q:\n%s", change[0], good)
			}
			r := l.take("markdown", files(t, t.TempDir(), map[string]string{"a.md": broken}))
			if len(r.Problems) != 1 || r.Imported != 0 || len(l.exported()) != 0 {
				t.Errorf("the report is %+v", r)
			}
		})
	}
	t.Run("lines end otherwise", func(t *testing.T) {
		l := open(t)
		crlf := strings.ReplaceAll(string(good), "\n", "\r\n")
		l.take("markdown", files(t, t.TempDir(), map[string]string{"a.md": crlf}))
		if got := l.find("text").Memory; got.Content != "text" || got.ID != w.Memory.ID {
			t.Errorf("it came back as %q", got.Content)
		}
	})
}

// A text that was edited in the file does not change the brain behind the back
// of its history.
func TestAnEditedExportIsAProblem(t *testing.T) {
	l, dir := open(t), filepath.Join(t.TempDir(), "out")
	m := l.remember("one", brain.Details{})
	l.export(dir)
	for name, text := range tree(t, dir) {
		if strings.HasSuffix(name, ".md") {
			files(t, dir, map[string]string{name: strings.Replace(text, "\none\n", "\nuno\n", 1)})
		}
	}
	r := l.take("markdown", dir)
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, "brainbridge correct "+m.ID) || l.contents()[0] != "one" {
		t.Errorf("the report is %+v, the text %q", r, l.contents())
	}
}

// A relation to a memory in a later batch is made when that one comes.
func TestRelationsCrossBatches(t *testing.T) {
	l, dir, ctx := open(t), filepath.Join(t.TempDir(), "out"), context.Background()
	first := l.remember("0000 first", brain.Details{})
	for i := range batchItems + 10 {
		l.remember(fmt.Sprintf("filler %03d", i), brain.Details{})
	}
	last := l.remember("zzzz last", brain.Details{})
	if _, _, err := l.Capture.Relate(ctx, first.ID, "part_of", last.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Capture.Relate(ctx, last.ID, "derived_from", first.ID); err != nil {
		t.Fatal(err)
	}
	l.export(dir)
	into := open(t)
	r := into.take("markdown", dir)
	rels := slices.Concat(into.find("0000").Relations, into.find("zzzz").Relations)
	if len(rels) != 2 || len(r.Problems) != 0 {
		t.Errorf("relations %v, report %+v", rels, r)
	}
	if u, err := into.Journal.Undo(ctx, string(r.RunID), nil, nil); err != nil || len(u.Skipped) != 0 || len(into.exported()) != 0 {
		t.Errorf("undone %+v, %v", u, err)
	}
	if err := os.Remove(filepath.Join(dir, fileName(l.exported()[last.ID]))); err != nil {
		t.Fatal(err)
	}
	if r := open(t).take("markdown", dir); len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, last.ID) {
		t.Errorf("the relation to nothing is not named: %+v", r)
	}
}
