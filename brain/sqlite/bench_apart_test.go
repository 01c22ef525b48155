package sqlite

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// BenchmarkFresh reads what a context reads of the order in which memories are
// pushed.
func BenchmarkFresh(b *testing.B) {
	s := large(b, benchMemories())
	none := ""
	benchViews(b, s, func(r brain.Reader) error {
		var lists []brain.ListFilter
		for _, group := range brain.FreshGroups() {
			lists = append(lists, brain.ListFilter{Group: group, Project: &none, Limit: 60})
		}
		_, err := r.ListMemories(lists...)
		return err
	})
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
