package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

func TestNamedPrefersEntitiesThenNewer(t *testing.T) {
	s := testlab.OpenStore(t)
	named := func(name string, hours float64, entity bool) brain.Memory {
		return storetest.Memory("named", func(m *brain.Memory) {
			m.Name, m.NameKey, m.Created, m.Entity = name, name, storetest.Hours(hours), entity
		})
	}
	ms := []brain.Memory{named("x", 1, false), named("x", 0, true), named("x", 3, false), named("y", 1, false), named("y", 2, false)}
	err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) })
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]string{1: {ms[1].ID, ms[4].ID}, 2: {ms[1].ID, ms[2].ID, ms[4].ID, ms[3].ID}} {
		err := s.View(t.Context(), func(r brain.Reader) error {
			got, err := lifecycle.Named(r, limit, "y", "missing", "x")
			slices.SortStableFunc(got, func(a, b brain.Memory) int { return strings.Compare(a.NameKey, b.NameKey) })
			if !slices.Equal(brain.IDs(got), want) {
				t.Errorf("at most %d: %v, want %v", limit, brain.IDs(got), want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestOutcomesOfATitleComeLatestFirst(t *testing.T) {
	s := testlab.OpenStore(t)
	var all []brain.Source
	for day := range 9 {
		source := storetest.OutcomeAt("d", fmt.Sprint(day, ".md"), 1)
		source.Date, source.TitleKey = fmt.Sprintf("2026-02-%02d", (day*4)%9+1), "daily"
		all = append(all, source)
	}
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutSources(all...) }); err != nil {
		t.Fatal(err)
	}
	err := s.View(t.Context(), func(r brain.Reader) error {
		got, err := lifecycle.WithTitle(r, 3, "missing", "daily")
		dates := brain.Map(got, func(s brain.Source) string { return s.Date })
		if want := []string{"2026-02-09", "2026-02-08", "2026-02-07"}; !slices.Equal(dates, want) {
			t.Errorf("dates %v, want %v", dates, want)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
