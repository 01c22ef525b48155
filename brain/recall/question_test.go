package recall_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Of a question with a pasted text behind it, its first words and the longest others are
// searched for: a text that has only shorter ones is not an answer.
func TestLongQuestionIsAskedByItsFirstAndLongestWords(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := opened[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "long"))
	svc := services.New(s, services.Options{Now: func() time.Time { return now }})
	policy, err := svc.Base.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string) string {
		m := brain.Memory{ID: brain.NewID(), Name: text, Content: text, MemoryType: "note", Created: now, State: policy.Start("working", 1, 0, now)}
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
