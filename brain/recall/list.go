package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	defaultList = 50
	overview    = 500  // most salient memories that are filtered
	scanPage    = 1000 // memories that a scan reads at once
)

// List returns memories in the order of the query, ties by id.
func (s *Service) List(ctx context.Context, q lifecycle.ListQuery) ([]brain.View, error) {
	now := s.base.Now()
	if q.Limit <= 0 {
		q.Limit = defaultList
	}
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.View, error) {
		list := s.scan
		filtered := q.Importance != "" || len(q.Tiers)+len(q.Types) > 0 || q.All || q.Live || q.Tag != "" || !q.Since.IsZero()
		switch {
		case q.Importance == "" && q.Sort == lifecycle.ByEnergy:
			list = s.base.Strongest
		case q.Importance == "" && q.Sort == lifecycle.ByCreated && len(q.Tiers) == 0 && !q.All && !q.Live:
			list = newest
		case !filtered && (q.Sort == "" || q.Sort == lifecycle.BySalience):
			list = mostSalient
		}
		ms, err := list(r, q, now)
		if err != nil {
			return nil, err
		}
		v, err := s.base.Viewer(r, now, ms...)
		return v.Views(ms), err
	})
}

// mostSalient returns the most salient live and expired memories. They are among the freshest of
// each group and the strongest of each tier, so not all memories are read.
func mostSalient(r brain.Reader, q lifecycle.ListQuery, now time.Time) ([]brain.Memory, error) {
	fresh := brain.Map(brain.FreshGroups(), func(g brain.FreshGroup) brain.ListFilter {
		return brain.ListFilter{Group: g, Project: q.Project, Limit: q.Limit}
	})
	policy, err := brain.ReadPolicy(r)
	ms := lifecycle.Get(&err, r.ListMemories, fresh...)
	ms = append(ms, lifecycle.Get(&err, r.ListMemories, q.Filters(now)...)...)
	sortList(policy, ms, q.Sort, now)
	ms = slices.CompactFunc(ms, func(a, b brain.Memory) bool { return a.ID == b.ID })
	return ms[:min(len(ms), q.Limit)], err
}

// newest returns the newest live and expired memories.
func newest(r brain.Reader, q lifecycle.ListQuery, now time.Time) ([]brain.Memory, error) {
	f := brain.ListFilter{Newest: true, Tag: q.Tag, Project: q.Project, Since: q.Since, Limit: q.Limit}
	policy, err := brain.ReadPolicy(r)
	fs := []brain.ListFilter{f}
	if len(q.Types) > 0 {
		fs = brain.Map(q.Types, func(t string) brain.ListFilter { f.Type = t; return f })
	}
	ms := lifecycle.Get(&err, r.ListMemories, fs...)
	sortList(policy, ms, q.Sort, now)
	return ms[:min(len(ms), q.Limit)], err
}

// scan returns the first of all memories that match a query.
func (s *Service) scan(r brain.Reader, q lifecycle.ListQuery, now time.Time) (first []brain.Memory, err error) {
	policy, err := brain.ReadPolicy(r)
	if err != nil {
		return nil, err
	}
	f := brain.ListFilter{Tag: q.Tag, Project: q.Project, Since: q.Since}
	if q.All || len(q.Tiers) > 0 {
		f.Tiers = tiers.All()
	}
	for page, err := range lifecycle.Pages(f, r.ListMemories) {
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if q.Matches(&m, now) {
				first = append(first, m)
			}
		}
		sortList(policy, first, q.Sort, now)
		first = first[:min(len(first), q.Limit)]
	}
	return first, nil
}

func sortList(policy *tiers.Policy, ms []brain.Memory, order string, now time.Time) {
	compare, ordered := map[string]func(a, b brain.Memory) int{
		lifecycle.ByCreated: func(a, b brain.Memory) int { return b.Created.Compare(a.Created) },
		lifecycle.ByUsed:    func(a, b brain.Memory) int { return b.IdleSince().Compare(a.IdleSince()) },
		lifecycle.ByName:    func(a, b brain.Memory) int { return cmp.Compare(words.Key(a.Name), words.Key(b.Name)) },
	}[order]
	switch {
	case order == lifecycle.ByEnergy:
		lifecycle.SortByEnergy(policy, ms, now)
		return
	case !ordered:
		salience := make(map[string]float64, len(ms))
		for i := range ms {
			salience[ms[i].ID] = ms[i].Salience(policy.Energy(ms[i].State, now), now)
		}
		compare = func(a, b brain.Memory) int { return cmp.Compare(salience[b.ID], salience[a.ID]) }
	}
	slices.SortFunc(ms, func(a, b brain.Memory) int { return cmp.Or(compare(a, b), cmp.Compare(a.ID, b.ID)) })
}

// Salient returns the most salient memories that match the filters of a query, which has no
// words. It touches none.
func (s *Service) Salient(ctx context.Context, q Query) (Recollection, error) {
	now := s.base.Now()
	limit := cmp.Or(min(max(q.Limit, 0), overview), 10)
	out, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Recollection, error) {
		found, err := MostSalient(r, q.Project, overview, now)
		if err != nil {
			return Recollection{}, err
		}
		var ms []brain.Memory
		for _, m := range found {
			if q.matches(m.Memory) && len(ms) < limit {
				ms = append(ms, m.Memory)
			}
		}
		v, err := s.base.Viewer(r, now, ms...)
		out := fill(q.Budget, brain.Map(v.Views(ms), func(m brain.View) Recalled { return Recalled{Memory: m} }))
		excerpts(out.Results, q.Words)
		return out, err
	})
	return out, brain.Wrap(err, "find the most salient memories")
}

// matches reports whether a memory passes the filters of a query by type, tier, tag, project and
// time.
func (q Query) matches(m brain.Memory) bool {
	lacks := func(tag string) bool { return !slices.Contains(m.Tags, tag) }
	return (len(q.Types) == 0 || slices.Contains(q.Types, m.MemoryType)) && (len(q.Tiers) == 0 || slices.Contains(q.Tiers, m.Tier)) &&
		(!q.ActiveOnly || m.Tier != tiers.Expired) && !slices.ContainsFunc(q.Tags, lacks) &&
		(q.Project == nil || m.Project == *q.Project) && !m.Created.Before(q.Since) && (q.Until.IsZero() || m.Created.Before(q.Until))
}

// Sources returns source nodes, newest first.
func (s *Service) Sources(ctx context.Context, f brain.SourceFilter) ([]brain.Source, error) {
	if f.Limit <= 0 {
		f.Limit = defaultList
	}
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) })
}

// MemoriesOf returns the ids of the memories of sources, by source id.
func (s *Service) MemoriesOf(ctx context.Context, sources []brain.Source) (map[string]string, error) {
	ids := brain.Map(sources, func(source brain.Source) string { return source.ID })
	return lifecycle.Read(ctx, s.base, func(r brain.Reader) (map[string]string, error) { return lifecycle.MemoriesOf(r, ids...) })
}

// Status counts what a brain holds.
type Status struct {
	Store             brain.StoreInfo
	Total             int // live and expired memories
	Tiers             map[tiers.Tier]int
	LastConsolidation time.Time
}

// Status counts memories by tier as stored; what is past its expiry counts as expired.
func (s *Service) Status(ctx context.Context) (Status, error) {
	now := s.base.Now()
	out, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Status, error) {
		c, err := r.Counts(now)
		if err != nil {
			return Status{}, err
		}
		out := Status{Store: s.base.Store.Info(), Total: c.Current(), Tiers: map[tiers.Tier]int{}}
		for _, t := range tiers.All() {
			out.Tiers[t] += c.ByTier[t] - c.Faded[t]
			out.Tiers[tiers.Expired] += c.Faded[t]
		}
		var last lifecycle.JobState
		err = lifecycle.ReadCheckpoint(r, lifecycle.ConsolidationJob, &last)
		out.LastConsolidation = last.Finished
		return out, err
	})
	return out, brain.Wrap(err, "count memories")
}
