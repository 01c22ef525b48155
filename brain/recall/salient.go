package recall

import (
	"cmp"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Salient is a memory that may be pushed.
type Salient struct {
	brain.Memory
	Salience float64
	Was      string // the former value, "" if none is known
	// As is the kind that it is pushed as: its own, or a contested one that stays longer.
	As string
}

// MostSalient returns the memories that most deserve to be pushed, live and expired ones
// alike, highest salience first: the first limit and some more. Memories that a newer one
// contests are left out. The time it takes depends on limit, not on the size of the store.
func MostSalient(r brain.Reader, project *string, limit int, now time.Time) ([]Salient, error) {
	ms, err := candidates(r, project, limit, now)
	if err != nil {
		return nil, err
	}
	return salient(r, project, ms, now)
}

const strongShare = 3 // fresh memories that are read for each one that is read for its energy

// candidates reads the freshest memories of each group and the strongest of each tier.
func candidates(r brain.MemoryLister, project *string, limit int, now time.Time) ([]brain.Memory, error) {
	var fresh []brain.FreshFilter
	var strong []brain.ListFilter
	for _, p := range projects(project) {
		for _, g := range brain.FreshGroups() {
			fresh = append(fresh, brain.FreshFilter{Group: g, Project: p, Limit: limit})
		}
		strong = append(strong, lifecycle.ListQuery{Project: p, Limit: limit/strongShare + 1}.Filters(now)...)
	}
	ms, err := freshest(r, fresh, limit, now)
	ms = append(ms, lifecycle.Get(&err, r.Strongest, strong...)...)
	return ms, err
}

// freshest reads the first half of each list, and the rest of those that may have more of
// the freshest.
func freshest(r brain.MemoryLister, lists []brain.FreshFilter, limit int, now time.Time) ([]brain.Memory, error) {
	half := limit/2 + 1
	halves := slices.Clone(lists)
	for i := range halves {
		halves[i].Limit = half
	}
	all, err := r.Freshest(halves...)
	if err != nil {
		return nil, err
	}
	fresh := brain.Map(all, func(m brain.Memory) float64 { return m.Salience(0, now) })
	slices.Sort(fresh)
	least := 0.0
	if len(fresh) > limit {
		least = fresh[len(fresh)-limit]
	}
	lists = slices.DeleteFunc(lists, func(f brain.FreshFilter) bool {
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
	more, err := r.Freshest(lists...)
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

// salient returns memories without duplicates and without those that a newer one contests
// in a session of the project (nil: any), highest salience first, then the one used last.
func salient(r brain.Reader, project *string, ms []brain.Memory, now time.Time) ([]Salient, error) {
	tl, err := lifecycle.Timeline(r)
	if err != nil {
		return nil, err
	}
	differences, err := lifecycle.ReadDifferences(r, brain.Unique(brain.IDs(ms))...)
	if err != nil {
		return nil, err
	}
	var related []string
	for _, m := range ms {
		related = append(append(related, differences.Newer(m.ID)...), differences.DiffersFrom(m.ID)...)
	}
	found, err := r.Memories(brain.Unique(related)...)
	if err != nil {
		return nil, err
	}
	others := brain.ByID(found)
	// A memory of another project does not contest anything in this one.
	apart := func(m *brain.Memory) func(id string) bool {
		return func(id string) bool {
			of := others[id].Project
			return !isAbout(of, m.Project) && (project == nil || of != *project)
		}
	}
	all := make([]Salient, 0, len(ms))
	seen := make(map[string]bool, len(ms))
	for _, m := range ms {
		if !seen[m.ID] && len(slices.DeleteFunc(differences.Newer(m.ID), apart(&m))) == 0 {
			s := Salient{Memory: m, Salience: m.Salience(tl.Energy(m.State, now), now), As: m.MemoryType}
			s.addFormer(slices.DeleteFunc(slices.Clone(differences.DiffersFrom(m.ID)), apart(&m)), others, now)
			all = append(all, s)
		}
		seen[m.ID] = true
	}
	slices.SortFunc(all, func(a, b Salient) int {
		return cmp.Or(
			cmp.Compare(b.Salience, a.Salience),
			brain.Later(b.Created, b.LastUsed).Compare(brain.Later(a.Created, a.LastUsed)),
			cmp.Compare(a.ID, b.ID),
		)
	})
	return all, nil
}

// addFormer adds the former value from older memories that this one differs from. A memory
// that replaces a decision is pushed as a decision.
func (s *Salient) addFormer(replaced []string, older map[string]brain.Memory, now time.Time) {
	s.Was = formerValue(&s.Memory, replaced, older)
	for _, id := range replaced {
		as := s.Memory
		if as.MemoryType = older[id].MemoryType; as.Salience(0, now) > s.Salience {
			s.Salience, s.As = as.Salience(0, now), as.MemoryType
		}
	}
}
