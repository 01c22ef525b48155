package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/tiers"
)

// Salient is a memory that may be pushed.
type Salient struct {
	brain.Memory
	Salience float64
	Was      string // what it replaced, and until when; "" for nothing
	// Older is the older memory of an open pair of which this is the newer one; nil for none.
	Older *brain.Memory
}

// MostSalient returns the memories that most deserve to be pushed, live and expired ones
// alike, highest salience first: the first limit and some more. The time it takes depends on
// limit, not on the size of the store.
func MostSalient(r brain.Reader, project *string, limit int, now time.Time) ([]Salient, error) {
	ms, err := candidates(r, project, limit, now)
	if err != nil {
		return nil, err
	}
	return salient(r, ms, now)
}

// Pushable returns the most salient memories that notes still say, and those of also. The two
// memories of an open pair are joined to one.
func Pushable(r brain.Reader, limit int, now time.Time, also ...brain.Memory) ([]Salient, error) {
	ms, err := candidates(r, nil, limit, now)
	if err != nil {
		return nil, err
	}
	return withPairs(r, nil, append(ms, also...), now)
}

const strongShare = 3 // fresh memories that are read for each one that is read for its energy

// candidates reads the freshest memories of each group and the strongest of each tier.
func candidates(r brain.MemoryLister, project *string, limit int, now time.Time) ([]brain.Memory, error) {
	var fresh []brain.ListFilter
	var strong []brain.ListFilter
	for _, p := range projects(project) {
		for _, g := range brain.FreshGroups() {
			fresh = append(fresh, brain.ListFilter{Group: g, Project: p, Limit: limit})
		}
		strong = append(strong, lifecycle.ListQuery{Live: true, Project: p, Limit: limit/strongShare + 1}.Filters(now)...)
	}
	ms, err := freshest(r, fresh, limit, now)
	ms = append(ms, lifecycle.Get(&err, r.ListMemories, strong...)...)
	return ms, err
}

// freshest reads the first half of each list, and the rest of those that may have more of
// the freshest.
func freshest(r brain.MemoryLister, lists []brain.ListFilter, limit int, now time.Time) ([]brain.Memory, error) {
	half := limit/2 + 1
	halves := slices.Clone(lists)
	for i := range halves {
		halves[i].Limit = half
	}
	all, err := r.ListMemories(halves...)
	if err != nil {
		return nil, err
	}
	fresh := brain.Map(all, func(m brain.Memory) float64 { return m.Salience(0, now) })
	slices.Sort(fresh)
	least := 0.0
	if len(fresh) > limit {
		least = fresh[len(fresh)-limit]
	}
	lists = slices.DeleteFunc(lists, func(f brain.ListFilter) bool {
		n := 0
		for _, m := range all {
			group, _ := m.Freshness()
			if group == f.Group && (f.Project == nil || *f.Project == m.Project) && m.Salience(0, now) >= least {
				n++
			}
		}
		return n < half
	})
	if len(lists) == 0 {
		return all, nil
	}
	more, err := r.ListMemories(lists...)
	return append(all, more...), err
}

// projects returns the projects whose memories are pushed; nil for all.
func projects(project *string) []*string {
	if project == nil || *project == "" {
		return []*string{project}
	}
	none := ""
	return []*string{project, &none}
}

// salient returns memories without duplicates, highest salience first, then the one used
// last.
func salient(r brain.Reader, ms []brain.Memory, now time.Time) ([]Salient, error) {
	policy, err := brain.ReadPolicy(r)
	if err != nil {
		return nil, err
	}
	was, err := formerOf(r, ms, now)
	if err != nil {
		return nil, err
	}
	all := make([]Salient, 0, len(ms))
	seen := make(map[string]bool, len(ms))
	for _, m := range ms {
		if !seen[m.ID] {
			all = append(all, Salient{Memory: m, Salience: m.Salience(policy.Energy(m.State, now), now), Was: was[m.ID]})
		}
		seen[m.ID] = true
	}
	slices.SortFunc(all, compareSalient)
	return all, nil
}

// compareSalient orders memories by salience, then by use, then by id.
func compareSalient(a, b Salient) int {
	return cmp.Or(
		cmp.Compare(b.Salience, a.Salience),
		brain.Later(b.Created, b.LastUsed).Compare(brain.Later(a.Created, a.LastUsed)),
		cmp.Compare(a.ID, b.ID),
	)
}

// paired joins the two memories of each open pair to one, which is as salient as the more
// salient one. Of several pairs with one memory, the newest pair is joined; the others stay
// memories of their own.
func paired(all []Salient, open []lifecycle.OpenPair) []Salient {
	place := make(map[string]int, len(all)) // of those in no joined pair
	for i := range all {
		place[all[i].ID] = i
	}
	joined := map[string]bool{} // older ones
	for _, p := range open {
		n, hasNewer := place[p.Newer.ID]
		o, hasOlder := place[p.Older.ID]
		if hasNewer && hasOlder {
			all[n].Older, all[n].Salience = &p.Older, max(all[n].Salience, all[o].Salience)
			joined[p.Older.ID] = true
			delete(place, p.Newer.ID)
			delete(place, p.Older.ID)
		}
	}
	all = slices.DeleteFunc(all, func(s Salient) bool { return joined[s.ID] })
	slices.SortFunc(all, compareSalient)
	return all
}

const (
	formerDays  = 30 // for which a memory says what it replaced
	formerTitle = 60 // characters
)

// formerOf returns what memories replaced in the last 30 days, by id: the title of the
// memory that held before, and the day until which it did. A correction replaces nothing.
func formerOf(r brain.Reader, ms []brain.Memory, now time.Time) (map[string]string, error) {
	rels, err := r.Relations(brain.Unique(brain.IDs(ms))...)
	rels = slices.DeleteFunc(rels, func(rel brain.Relation) bool { return rel.Type != brain.Replaces })
	if err != nil || len(rels) == 0 {
		return nil, err
	}
	found, err := r.Memories(brain.Unique(brain.Map(rels, func(rel brain.Relation) string { return rel.To }))...)
	old := brain.ByID(found)
	was, until := map[string]string{}, map[string]time.Time{}
	for _, rel := range rels {
		o := old[rel.To]
		if o.Tier != tiers.Superseded || !o.ValidTo.After(until[rel.From]) || !o.ValidTo.After(now.AddDate(0, 0, -formerDays)) {
			continue
		}
		until[rel.From] = o.ValidTo
		was[rel.From] = plaintext.Shorten(statement.Of(&o).Title, formerTitle) + ", until " + o.ValidTo.In(now.Location()).Format(time.DateOnly)
	}
	return was, err
}
