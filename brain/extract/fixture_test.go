package extract_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// readDay puts a made-up day through reader, chunker and patterns.
func readDay(t *testing.T, made fixture.Day) ([]extract.Item, extract.Coverage) {
	t.Helper()
	day := extract.NewDay(extract.Defaults())
	var items []extract.Item
	chunker := extract.NewChunker(extract.Cut{}, func(c extract.Chunk) error {
		items = append(items, day.Extract(c)...)
		return nil
	})
	seen := map[string]bool{}
	for _, f := range made.Files {
		_, err := transcript.Read(bytes.NewReader(f.Data), transcript.Options{File: f.Path}, func(m transcript.Message) error {
			if seen[m.Text] {
				return nil
			}
			seen[m.Text] = true
			return chunker.Add(extract.Turn{Session: m.Session, At: m.At, Speaker: extract.Speaker(m.Role), Text: m.Text})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := chunker.Flush(); err != nil {
		t.Fatal(err)
	}
	return items, day.Coverage()
}

// TestAMadeUpDay: what was planted is an item or named as uncovered, hardly
// anything else is an item, and the coverage adds up.
func TestAMadeUpDay(t *testing.T) {
	for seed := range uint64(4) {
		made := fixture.Generate(fixture.Options{Seed: seed, Planted: 18})
		items, got := readDay(t, made)
		found, noise := 0, 0
		for _, p := range made.Planted {
			isItem := slices.ContainsFunc(items, func(i extract.Item) bool { return overlap(i.Quote, p.Sentence) })
			named := slices.ContainsFunc(got.Uncovered, func(topic string) bool { return strings.Contains(p.Sentence, topic) })
			if isItem {
				found++
			} else if !named {
				t.Errorf("seed %d: %s %q is neither an item nor uncovered (%q)", seed, p.Type, p.Sentence, got.Uncovered)
			}
		}
		for _, i := range items {
			if !slices.ContainsFunc(made.Planted, func(p fixture.Planted) bool { return overlap(i.Quote, p.Sentence) }) {
				noise++
				t.Logf("not planted: %s %q", i.Type, i.Quote)
			}
		}
		t.Logf("seed %d: %d of %d planted are items, %d other items, coverage %+v", seed, found, len(made.Planted), noise, got)
		if noise*5 > len(items) {
			t.Errorf("seed %d: %d of %d items were not planted", seed, noise, len(items))
		}
		if got.Chunks == 0 || got.Chunks != got.Yielding+got.Nothings+got.Failures || got.Items != len(items) {
			t.Errorf("coverage does not add up: %+v", got)
		}
	}
}

func overlap(a, b string) bool { return strings.Contains(a, b) || strings.Contains(b, a) }
