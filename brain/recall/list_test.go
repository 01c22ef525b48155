package recall_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/tiers"
)

// A short list is the beginning of a long one, whether its memories are fresh or strong.
func TestListsAreMostSalientFirst(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	random := rand.New(rand.NewPCG(30, 1))
	kinds := []string{"decision", "preference", "fact", "note", "lesson"}
	policy := new(tiers.DefaultPolicy())
	var ms []brain.Memory
	for i := range 400 {
		m := brain.Memory{
			ID: brain.NewID(), Content: fmt.Sprintf("number %d", i), MemoryType: kinds[random.IntN(len(kinds))],
			Project: []string{"", "kiln"}[random.IntN(2)], Created: now.AddDate(0, 0, -random.IntN(200)), Importance: brain.Reference,
		}
		tier := []tiers.Tier{tiers.Working, tiers.LongTerm}[random.IntN(2)]
		m.State = policy.Start(tier, 1+random.Float64()*8, 0, m.Created)
		m.Complete()
		ms = append(ms, m)
	}
	s := opened[*sqlite.Store](t)(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "list"))
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
		t.Fatal(err)
	}
	svc := services.New(s, services.Options{Now: func() time.Time { return now }})
	for _, project := range []*string{nil, new("kiln"), new("")} {
		list := func(n int) []string {
			views, err := svc.Recall.List(t.Context(), lifecycle.ListQuery{Project: project, Limit: n})
			if err != nil {
				t.Fatal(err)
			}
			return brain.Map(views, func(v brain.View) string { return v.Content })
		}
		if short, long := list(20), list(1000); len(long) < 100 || !slices.Equal(short, long[:20]) {
			t.Errorf("the first of %d are\n%v, listed are\n%v", len(long), long[:min(20, len(long))], short)
		}
	}
}
