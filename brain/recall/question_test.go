package recall_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/rank"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Questions that the next turn answers lose so much by this formula that their scores are
// below 0. If a filter leaves nothing else, they are answers nevertheless, the best first.
func TestFilterThatLeavesOnlyQuestions(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := opened[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "questions"))
	svc := services.New(s, services.Options{Now: func() time.Time { return now }})
	tl, err := svc.Base.Timeline(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ms []brain.Memory
	for i, text := range []string{"which lantern hangs at the gate, and who lit it?", "the copper one", "is the gate of the old orchard by the river open?", "it is"} {
		m := brain.Memory{ID: brain.NewID(), Name: text, Content: text, MemoryType: "note", Created: now, Group: "chat" + text[:i/2], Position: i, Speaker: []string{"Ann", "Bob"}[i%2]}
		if i%2 == 0 {
			m.Tags = []string{"asked"}
		}
		m.State = tl.Start("working", 1, 0, now)
		m.Complete()
		ms = append(ms, m)
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
	formula := rank.Formula{Answer: 2}
	got, err := svc.Recall.Recall(t.Context(), recall.Query{Words: words.Parse("lantern gate"), Tags: []string{"asked"}, Formula: &formula, NoTouch: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range got.Results {
		ids = append(ids, r.Memory.ID)
		if r.Why.Score() >= 0 || r.Score <= 0 || r.Score > 1 {
			t.Errorf("the score is %v of %v, want one above 0 of one below", r.Score, r.Why)
		}
	}
	// The second question has fewer of the words, and so less to lose.
	if want := []string{ms[2].ID, ms[0].ID}; !slices.Equal(ids, want) {
		t.Errorf("answers %v, want %v", ids, want)
	}
}

// Of a question with a pasted text behind it, its first words and the longest others are
// searched for: a text that has only shorter ones is not an answer.
func TestLongQuestionIsAskedByItsFirstAndLongestWords(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := opened[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "long"))
	svc := services.New(s, services.Options{Now: func() time.Time { return now }})
	tl, err := svc.Base.Timeline(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string) string {
		m := brain.Memory{ID: brain.NewID(), Name: text, Content: text, MemoryType: "note", Created: now, State: tl.Start("working", 1, 0, now)}
		m.Complete()
		if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }); err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	want := []string{put("an otter in the river"), put("the photosynthesis of the kelp")}
	put("a heron on the roof")
	var pasted strings.Builder
	pasted.WriteString("otter ")
	for i := range 5000 {
		fmt.Fprintf(&pasted, "word%d ", i)
	}
	pasted.WriteString("heron photosynthesis")
	got, err := svc.Recall.Recall(t.Context(), recall.Query{Words: words.Parse(pasted.String()), NoTouch: true})
	if err != nil {
		t.Fatal(err)
	}
	ids := brain.Map(got.Results, func(r recall.Recalled) string { return r.Memory.ID })
	slices.Sort(ids)
	slices.Sort(want)
	if !slices.Equal(ids, want) {
		t.Errorf("answers %v, want those with otter and photosynthesis, %v", ids, want)
	}
}
