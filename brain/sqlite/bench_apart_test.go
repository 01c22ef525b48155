package sqlite

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// BenchmarkNotable reads the first 50 of what was important and has faded, a
// tenth of what is stored, and counts it.
func BenchmarkNotable(b *testing.B) {
	s := large(b, benchMemories())
	fillNotable(b, s, benchMemories()/10)
	for name, read := range map[string]func(r brain.Reader) error{
		"list":   func(r brain.Reader) error { _, err := r.Notable(50); return err },
		"counts": func(r brain.Reader) error { _, err := r.Counts(benchStart); return err },
	} {
		b.Run(name, func(b *testing.B) { benchViews(b, s, read) })
	}
}

func fillNotable(b *testing.B, s *Store, n int) {
	b.Helper()
	c := newCorpus(5)
	for i := 0; i < n; i += 1000 {
		ms := make([]brain.Memory, 1000)
		for j := range ms {
			ms[j] = c.memory(i + j)
			ms[j].Tier, ms[j].ExpiredFrom, ms[j].PeakEnergy = tiers.Expired, tiers.LongTerm, float64(j%50)/10
		}
		must(b, s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }))
	}
}

func benchViews(b *testing.B, s *Store, read func(brain.Reader) error) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		must(b, s.View(b.Context(), read))
		took = append(took, time.Since(start))
	}
	percentiles(b, took)
}

// BenchmarkSearchBesideTalk searches memories, and then what was said, in a
// store that holds as many sections of transcripts as memories.
func BenchmarkSearchBesideTalk(b *testing.B) {
	s := large(b, benchMemories())
	search := func(talk bool) func(*testing.B) {
		c := newCorpus(2)
		return func(b *testing.B) {
			benchViews(b, s, func(r brain.Reader) error {
				_, err := r.Search(brain.SearchQuery{Words: words.Parse(c.text(4)), Limit: 50, Transcripts: talk})
				return err
			})
		}
	}
	b.Run("memories, without talk", search(false))
	fillTalk(b, s, benchMemories())
	b.Run("memories", search(false))
	b.Run("talk", search(true))
}

func fillTalk(b *testing.B, s *Store, n int) {
	b.Helper()
	c := newCorpus(6)
	for i := 0; i < n; i += 1000 {
		ss := make([]brain.Section, 1000)
		for j := range ss {
			id := uuid.NewString()
			ss[j] = brain.Section{
				ID: id, Key: id, Dir: "dir", File: "talk.md", Heading: c.text(3), Text: c.text(60), Line: i + j, Transcript: true,
			}
		}
		must(b, s.Update(b.Context(), func(tx brain.Tx) error { return tx.PutSections(ss...) }))
	}
}
