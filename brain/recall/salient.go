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
}

// MostSalient returns the memories that most deserve to be pushed, live and expired
// ones alike, highest salience first: all that are among the first limit, and some
// more. Its cost grows with the limit and not with the store.
func MostSalient(r brain.Reader, project *string, limit int, now time.Time) ([]Salient, error) {
	var fresh []brain.FreshFilter
	var strong []brain.ListFilter
	for _, p := range projects(project) {
		for _, g := range brain.FreshGroups() {
			fresh = append(fresh, brain.FreshFilter{Group: g, Project: p, Limit: limit})
		}
		strong = append(strong, lifecycle.ListQuery{Project: p, Limit: limit}.Filters(now)...)
	}
	ms, err := r.Freshest(fresh...)
	if err != nil {
		return nil, err
	}
	more, err := r.Strongest(strong...)
	if err != nil {
		return nil, err
	}
	return salient(r, append(ms, more...), now)
}

// projects returns those that a push is about: the project and none, nil for all.
func projects(project *string) []*string {
	if project == nil || *project == "" {
		return []*string{project}
	}
	none := ""
	return []*string{project, &none}
}

// salient returns each of some memories once, highest salience first, of equals the
// one used last.
func salient(r brain.RecordReader, ms []brain.Memory, now time.Time) ([]Salient, error) {
	tl, err := lifecycle.Timeline(r)
	if err != nil {
		return nil, err
	}
	var all []Salient
	seen := make(map[string]bool, len(ms))
	for _, m := range ms {
		if !seen[m.ID] {
			seen[m.ID] = true
			all = append(all, Salient{m, m.Salience(tl.Energy(m.State, now), now)})
		}
	}
	slices.SortFunc(all, func(a, z Salient) int {
		return cmp.Or(
			cmp.Compare(z.Salience, a.Salience),
			brain.Later(z.Created, z.LastUsed).Compare(brain.Later(a.Created, a.LastUsed)),
			cmp.Compare(a.ID, z.ID),
		)
	})
	return all, nil
}
