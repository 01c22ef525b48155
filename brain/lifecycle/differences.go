package lifecycle

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// Differences are the memories that contradict others, by id.
type Differences struct {
	newer map[string][]string
	older map[string][]string
}

// ReadDifferences returns what memories with these ids differ from, and what differs
// from them.
func ReadDifferences(r brain.DifferenceReader, ids ...string) (Differences, error) {
	rels, err := r.Differences(ids...)
	if err != nil {
		return Differences{}, err
	}
	d := newDifferences(rels)
	var several []string // newer ones that may differ from each other
	for _, newer := range d.newer {
		if len(newer) > 1 {
			several = append(several, newer...)
		}
	}
	if len(several) == 0 {
		return d, nil
	}
	among, err := r.Differences(several...)
	return newDifferences(brain.Unique(append(rels, among...))), err
}

func newDifferences(rels []brain.Relation) Differences {
	d := Differences{map[string][]string{}, map[string][]string{}}
	for _, rel := range rels {
		d.newer[rel.To] = append(d.newer[rel.To], rel.From)
		d.older[rel.From] = append(d.older[rel.From], rel.To)
	}
	return d
}

// ContestedBy returns the newer memory that holds instead of one, "" if none does. Of
// several it prefers one that no other of them differs from.
func (d Differences) ContestedBy(id string) string {
	newer := d.newer[id]
	for _, by := range newer {
		if !slices.ContainsFunc(newer, func(other string) bool { return slices.Contains(d.older[other], by) }) {
			return by
		}
	}
	return ""
}

// DiffersFrom returns the older memories instead of which one holds.
func (d Differences) DiffersFrom(id string) []string { return d.older[id] }
