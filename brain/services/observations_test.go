package services_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func (l *lab) entity(name string, observations ...string) brain.Memory {
	l.t.Helper()
	m := brain.Memory{Name: name, Content: strings.Join(observations, "\n")}
	m.Entity = true
	c := must[brain.Capture](l)(l.Capture.NewMemory(m, brain.Details{}))
	return l.memory(must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID)
}

func (l *lab) memory(id string) brain.Memory {
	l.t.Helper()
	var ms []brain.Memory
	err := l.Base.Store.View(l.ctx(), func(r brain.Reader) (err error) {
		ms, err = r.Memories(id)
		return err
	})
	if err != nil || len(ms) != 1 {
		l.t.Fatalf("%d memories %s: %v", len(ms), id, err)
	}
	return ms[0]
}

func TestVerdictsInObservations(t *testing.T) {
	for line, want := range map[string][3]int{
		"Applied in shop: HELPFUL":                                   {1, 0, 1},
		"Applied in shop: NOT HELPFUL":                               {0, 1, 1},
		"  Applied in shop: deploy: HELPFUL":                         {1, 0, 1},
		"Applied in checkout - HELPFUL":                              {1, 0, 1},
		"Applied in: the old checkout – helpful":                     {1, 0, 1},
		"applied in: checkout (NOT HELPFUL)":                         {0, 1, 1},
		"Applied_in checkout [not_helpful]":                          {0, 1, 1},
		"Applied in check-out—Not-Helpful.":                          {0, 1, 1},
		"Applied in checkout → **HELPFUL**":                          {1, 0, 1},
		"Applied in checkout: unhelpful":                             {0, 1, 1},
		"Applied in shop: UNSURE":                                    {0, 0, 1},
		"Applied in shop: HELPFUL?":                                  {0, 0, 1},
		"Applied in shop: HELPFUL, mostly":                           {0, 0, 1},
		"Applied in : HELPFUL":                                       {0, 0, 1},
		"It was Applied in shop: HELPFUL":                            {0, 0, 0},
		"Applied in shop HELPFUL":                                    {1, 0, 1},
		"Applied in a way that was helpful":                          {0, 0, 1},
		"Applied in a pull request self-helpful":                     {0, 0, 1},
		"Applied in x: HELPFUL\nApplied in X (helpful)":              {1, 0, 1},
		"Applied in checkout NOT HELPFUL":                            {0, 1, 1},
		"Applied in: checkout – Helpful (2025-02-01)":                {1, 0, 1},
		"- Applied in checkout - HELPFUL":                            {1, 0, 1},
		"Applied in: checkout":                                       {0, 0, 1},
		"Applied in checkout - UNSURE\nApplied in checkout - UNSURE": {0, 0, 1},
		"It applies in general":                                      {0, 0, 0},
	} {
		m := newLab(t).entity("thing", "a fact", line)
		if got := [3]int{m.HelpfulCount, m.NotHelpfulCount, m.UseCount}; got != want {
			t.Errorf("%q: %v helpful, not helpful and uses, want %v", line, got, want)
		}
	}
}

func TestObservationsSetFields(t *testing.T) {
	l := newLab(t)
	m := l.entity("thing", "a fact", "Discovered: 2025-11-03", "Applies to: shop, blog", "Applies to: shop", "critical: true",
		"Last used: 2026-01-02", "Last used: 2026-01-20T10:00:00Z", "Last used: 2026-01-10", "Last used: 2031-01-01", "Researched: 2025-10-30 (vendor's manual)")
	if want := time.Date(2025, 10, 30, 0, 0, 0, 0, time.UTC); !m.Created.Equal(want) {
		t.Errorf("created %v, want %v", m.Created, want)
	}
	if !slices.Equal(m.AppliesTo, []string{"shop", "blog"}) || m.Importance != brain.Critical {
		t.Errorf("applies to %q, importance %s", m.AppliesTo, m.Importance)
	}
	// The last of all has not happened yet.
	if want := time.Date(2026, 1, 20, 10, 0, 0, 0, time.UTC); !m.LastUsed.Equal(want) {
		t.Errorf("last used %v, want %v", m.LastUsed, want)
	}
	for text, want := range map[string]string{
		"March 4, 2025": "2025-03-04", "4 March 2025 (vendor)": "2025-03-04", "March 4": "2026", "yesterday": "2026", "March 4, 2025 or so": "2026",
	} {
		if m = l.entity(text, "a fact", "Discovered: "+text); !strings.HasPrefix(m.Created.Format(time.DateOnly), want) {
			t.Errorf("%q: created %v, want %s", text, m.Created, want)
		}
	}
	if m = l.entity("other", "it is not critical: true story"); m.Importance != brain.Reference {
		t.Errorf("importance %s", m.Importance)
	}
}

// The same observation stored twice counts once, whichever way it comes.
func TestTheSameObservationCountsOnce(t *testing.T) {
	l := newLab(t)
	m := l.entity("thing", "a fact", "Applied in shop: HELPFUL", "Applied in shop: HELPFUL")
	if m.HelpfulCount != 1 {
		t.Fatalf("%d helpful, want 1", m.HelpfulCount)
	}
	text := m.Content
	for range 2 {
		m = ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), m.ID, "", text))
	}
	if m.HelpfulCount != 1 || m.UseCount != 1 {
		t.Errorf("%d helpful of %d uses after the same text again, want 1", m.HelpfulCount, m.UseCount)
	}
	l.later(time.Hour)
	m = ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), m.ID, "", text+"\nApplied in blog: NOT HELPFUL"))
	if m.HelpfulCount != 1 || m.NotHelpfulCount != 1 || !m.LastUsed.Equal(l.now) {
		t.Errorf("%d helpful, %d not, last used %v", m.HelpfulCount, m.NotHelpfulCount, m.LastUsed)
	}
	if share := m.Effectiveness(); share == nil || *share != 0.5 {
		t.Errorf("effectiveness %v, want 0.5", share)
	}
}

func TestEffectiveness(t *testing.T) {
	l := newLab(t)
	id := l.learn("go", "wrap errors")
	if m := l.memory(id); m.Effectiveness() != nil {
		t.Error("there is one without a verdict")
	}
	for i, v := range []brain.Verdict{brain.Helpful, brain.Helpful, brain.Helpful, brain.NotHelpful, brain.Unsure} {
		must[brain.Memory](l)(l.Capture.Used(l.ctx(), id, v, string(rune('a'+i))))
	}
	shown := l.show(id).Memory
	if shown.Effectiveness == nil || *shown.Effectiveness != 0.75 || shown.UseCount != 5 {
		t.Errorf("effectiveness %v of %d uses, want 0.75 of 5", shown.Effectiveness, shown.UseCount)
	}
}
