package storetest

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func surveyCases() []testCase {
	return []testCase{
		{"a survey of an empty brain is zero", surveyEmpty},
		{"a survey says what a look at every memory says", surveyNaive},
		{"a survey follows lives, texts and deletions", surveyFollows},
		{"other brains are in no survey", surveyApart},
		{"outdated research comes oldest first, at most 20", surveyOutdated},
		{"relations of the lifecycle make no entity less of an orphan", surveyOrphans},
		{"any memories give the survey that the words say", surveyProperty},
		{"live and expired memories are counted by type, project and tag", countedBy},
	}
}

var surveyNow, surveyStale = Hours(24 * 200), Hours(24 * 110)

func survey(b *db) brain.Survey {
	b.t.Helper()
	return view(b, func(r brain.Reader) (brain.Survey, error) { return r.Survey(surveyNow, surveyStale) })
}

// surveyOf computes the expected result of Survey in the simplest way. related are the
// entities with a typed relation.
func surveyOf(ms []brain.Memory, related map[string]bool) brain.Survey {
	s := brain.Survey{ByTier: map[tiers.Tier]int{}, ByType: map[string]int{}}
	var research, orphans []brain.Memory
	for _, m := range ms {
		faded := m.Tier.Live() && !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(surveyNow)
		if faded {
			s.ByTier[tiers.Expired]++
		} else {
			s.ByTier[m.Tier]++
		}
		if !m.Current() {
			continue
		}
		surveyMemory(&s, m, faded)
		if m.EntityKey == "" {
			continue
		}
		s.Entities++
		if !related[m.ID] {
			s.Orphans++
			orphans = append(orphans, m)
		}
		old := !m.Created.IsZero() && !m.Created.After(surveyNow.Add(-60*24*time.Hour))
		if m.MemoryType == "market-research" && old {
			research = append(research, m)
		}
	}
	slices.SortFunc(research, func(a, b brain.Memory) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	s.Outdated = brain.IDs(research[:min(20, len(research))])
	s.OrphanIDs = slices.Sorted(slices.Values(brain.IDs(orphans)))
	return s
}

func surveyMemory(s *brain.Survey, m brain.Memory, faded bool) {
	s.ByType[m.MemoryType]++
	if !m.Created.IsZero() {
		s.Dated++
		s.Days += surveyNow.Sub(m.Created).Hours() / 24
	}
	if n := m.HelpfulCount + m.NotHelpfulCount; n > 0 {
		e := float64(m.HelpfulCount) / float64(n)
		s.Judged++
		s.Effectiveness += e
		if e < 0.3 {
			s.Ineffective++
		}
	}
	used := m.LastUsed
	if used.IsZero() {
		used = m.Created
	}
	if m.Tier.Live() && !faded && !used.IsZero() && used.Before(surveyStale) && !surveyRenewed(m) {
		s.Stale++
	}
}

// surveyRenewed reports whether a memory was captured or touched since surveyStale.
func surveyRenewed(m brain.Memory) bool {
	began := m.BaseAt
	if began.IsZero() {
		began = m.LastDecay
	}
	return !began.Before(surveyStale) && (m.Tier == tiers.Working || m.Tier == tiers.ShortTerm || m.Tier == tiers.LongTerm && m.EntityKey != "")
}

// sameSurvey compares; sums of seconds may differ by one for each memory.
func sameSurvey(t testing.TB, what string, want, got brain.Survey) {
	t.Helper()
	if math.Abs(want.Days-got.Days) > float64(want.Dated+1)/86_400 {
		t.Errorf("%s: %v days, want %v", what, got.Days, want.Days)
	}
	if math.Abs(want.Effectiveness-got.Effectiveness) > 1e-9 {
		t.Errorf("%s: effectiveness %v, want %v", what, got.Effectiveness, want.Effectiveness)
	}
	want.Days, want.Effectiveness, got.Days, got.Effectiveness = 0, 0, 0, 0
	for _, s := range []*brain.Survey{&want, &got} {
		for tier, n := range s.ByTier {
			if n == 0 {
				delete(s.ByTier, tier)
			}
		}
	}
	same(t, what, want, got)
}

func surveyEmpty(t *testing.T, h harness) {
	sameSurvey(t, "survey", surveyOf(nil, nil), survey(h.brain(t)))
}

// surveyed are memories of every kind that a survey distinguishes.
func surveyed() []brain.Memory {
	var ms []brain.Memory
	for _, m := range oneOfEachTier("surveyed") {
		for i, at := range []time.Time{{}, surveyStale, surveyStale.Add(-time.Millisecond), surveyNow} {
			m.ID, m.MemoryType = NewID(), []string{"note", "decision", ""}[i%3]
			m.Created, m.ExpiresAt = Hours(float64(100*i)), surveyNow.Add(time.Millisecond)
			m.LastUsed, m.HelpfulCount, m.NotHelpfulCount = at, i, 3
			ms = append(ms, m)
		}
		m.ID, m.Created, m.LastUsed = NewID(), time.Time{}, time.Time{}
		m.HelpfulCount, m.NotHelpfulCount, m.ExpiresAt = 0, 0, surveyNow
		m.PromoteDue = Hours(1)
		ms = append(ms, m)
		m.ID, m.Created, m.ExpiresAt = NewID(), surveyStale.Add(-time.Hour), time.Time{}
		ms = append(ms, m)
		for _, began := range []time.Time{surveyStale, surveyStale.Add(-time.Millisecond)} {
			m.ID, m.LastDecay, m.BaseAt = NewID(), began, time.Time{}
			ms = append(ms, m)
			m.ID, m.LastDecay, m.BaseAt = NewID(), surveyNow, began
			ms = append(ms, m)
			if thing := Memory("entity", Entity(NewID())); m.Tier == tiers.LongTerm {
				thing.Tier, thing.Created, thing.BaseAt = m.Tier, m.Created, began
				ms = append(ms, thing)
			}
		}
	}
	return ms
}

func surveyNaive(t *testing.T, h harness) {
	b := h.brain(t)
	ms := surveyed()
	b.put(ms...)
	sameSurvey(t, "survey", surveyOf(ms, nil), survey(b))
}

func surveyFollows(t *testing.T, h harness) {
	b := h.brain(t)
	ms := surveyed()
	b.put(ms...)
	all := tiers.All()
	for i := range ms {
		ms[i].Tier = all[i%len(all)]
		ms[i].LastUsed, ms[i].HelpfulCount = Hours(float64(i)), i%4
	}
	b.putLives(ms...)
	sameSurvey(t, "after lives", surveyOf(ms, nil), survey(b))
	for i := range ms {
		ms[i].Content, ms[i].MemoryType = "another text", "todo"
		ms[i].Created = Hours(float64(-50 * i))
		ms[i].Tier = all[(i+3)%len(all)]
	}
	b.put(ms...)
	sameSurvey(t, "after texts", surveyOf(ms, nil), survey(b))
	b.deleteMemories(brain.IDs(ms[5:])...)
	sameSurvey(t, "after deletions", surveyOf(ms[:5], nil), survey(b))
	b.deleteMemories(brain.IDs(ms)...)
	sameSurvey(t, "after all is gone", surveyOf(nil, nil), survey(b))
}

func surveyApart(t *testing.T, h harness) {
	b, other := h.brain(t), h.brain(t)
	thing := Memory("real", Entity("thing"))
	b.put(thing)
	other.put(Memory("of another brain", Entity("thing")))
	sameSurvey(t, "survey", surveyOf([]brain.Memory{thing}, nil), survey(b))
}

func surveyOutdated(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i := range 25 {
		m := Memory("prices", Entity(NewID()))
		m.MemoryType, m.Created = "market-research", Hours(float64(i/2))
		if i == 1 {
			m.MemoryType = "person"
		}
		if i == 3 {
			m.Created = surveyNow.Add(-60*24*time.Hour + time.Millisecond)
		}
		ms = append(ms, m)
	}
	b.put(ms...)
	want := surveyOf(ms, nil)
	same(t, "named", 20, len(want.Outdated))
	sameSurvey(t, "survey", want, survey(b))
}

func surveyOrphans(t *testing.T, h harness) {
	b := h.brain(t)
	var es []brain.Memory
	for range 5 {
		es = append(es, Memory("thing", Entity(NewID())))
	}
	plain, source := Memory("plain"), Source(brain.Learning)
	b.put(append(es, plain)...)
	b.putSources(source)
	b.putRelations(
		brain.Relation{From: source.ID, Type: brain.HasMemory, To: es[0].ID},
		brain.Relation{From: es[0].ID, Type: brain.Supersedes, To: plain.ID},
		brain.Relation{From: plain.ID, Type: brain.PromotedTo, To: es[1].ID},
		brain.Relation{From: es[2].ID, Type: "mentions", To: es[3].ID},
		brain.Relation{From: plain.ID, Type: "part_of", To: es[4].ID},
	)
	got := survey(b)
	same(t, "entities", 5, got.Entities)
	same(t, "orphans", 2, got.Orphans)
	same(t, "ids of the orphans", slices.Sorted(slices.Values([]string{es[0].ID, es[1].ID})), got.OrphanIDs)
}

func surveyProperty(t *testing.T, h harness) {
	b := h.brain(t)
	stored := map[string]brain.Memory{}
	ms := surveyed()
	b.law(t, Served, func(rt *rapid.T) {
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			m := rapid.SampledFrom(ms).Draw(rt, "memory")
			m.Tier = rapid.SampledFrom(tiers.All()).Draw(rt, "tier")
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				m.Created = Hours(rapid.Float64Range(-5000, 5000).Draw(rt, "created"))
				m.Content = rapid.SampledFrom([]string{"one", "two"}).Draw(rt, "text")
				b.put(m)
				stored[m.ID] = m
			case 1:
				old, ok := stored[m.ID]
				b.putLives(m)
				if ok {
					old.State, old.LastUsed = m.State, m.LastUsed
					old.HelpfulCount, old.NotHelpfulCount = m.HelpfulCount, m.NotHelpfulCount
					stored[m.ID] = old
				}
			case 2:
				b.deleteMemories(m.ID)
				delete(stored, m.ID)
			}
		}
		var all []brain.Memory
		for _, m := range stored {
			all = append(all, m)
		}
		sameSurvey(t, "survey", surveyOf(all, nil), survey(b))
	})
}

func countedBy(t *testing.T, h harness) {
	b := h.brain(t)
	var ms []brain.Memory
	for i, m := range oneOfEachTier("counted") {
		m.MemoryType, m.Project, m.Tags = []string{"note", "decision"}[i%2], []string{"", "shop"}[i%2], [][]string{nil, {"a", "b"}, {"b"}}[i%3]
		ms = append(ms, m)
	}
	b.put(ms...)
	want := map[brain.Group]map[string]int{brain.ByType: {}, brain.ByProject: {}, brain.ByTag: {}}
	for _, m := range ms {
		if !m.Current() {
			continue
		}
		want[brain.ByType][m.MemoryType]++
		if m.Project != "" {
			want[brain.ByProject][m.Project]++
		}
		for _, tag := range m.Tags {
			want[brain.ByTag][tag]++
		}
	}
	for by, counts := range want {
		same(t, string(by), counts, view(b, func(r brain.Reader) (map[string]int, error) { return r.CountBy(by) }))
	}
}
