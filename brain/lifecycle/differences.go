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

// maxNewer is how many links ReadDifferences follows to the memory that holds.
const maxNewer = 1000

// ReadDifferences returns what memories with these ids differ from, and what differs
// from them and from those in turn.
func ReadDifferences(r brain.DifferenceReader, ids ...string) (Differences, error) {
	d := Differences{map[string][]string{}, map[string][]string{}}
	read := map[string]bool{}
	for range maxNewer {
		if len(ids) == 0 {
			break
		}
		rels, err := r.Differences(ids...)
		if err != nil {
			return d, err
		}
		d.add(rels)
		var next []string
		for _, id := range ids {
			read[id] = true
			next = append(next, d.newer[id]...)
		}
		ids = slices.DeleteFunc(brain.Unique(next), func(id string) bool { return read[id] })
	}
	return d, nil
}

func (d Differences) add(rels []brain.Relation) {
	for _, rel := range rels {
		if !slices.Contains(d.newer[rel.To], rel.From) {
			d.newer[rel.To] = append(d.newer[rel.To], rel.From)
			d.older[rel.From] = append(d.older[rel.From], rel.To)
		}
	}
}

// ContestedBy returns the newer memory that holds instead of one, "" if none does.
func (d Differences) ContestedBy(id string) string {
	if by := d.Holder(id, ""); by != id {
		return by
	}
	return ""
}

// Holder returns the newest of the memories that differ from one, from those that
// differ from it, and so on, as if except did not exist; it is id itself if there are
// none. In a circle it is the last one.
func (d Differences) Holder(id, except string) string {
	seen := map[string]bool{except: true}
	for {
		seen[id] = true
		i := slices.IndexFunc(d.newer[id], func(by string) bool { return !seen[by] })
		if i < 0 {
			return id
		}
		id = d.newer[id][i]
	}
}

// DiffersFrom returns the older memories that one contradicts itself.
func (d Differences) DiffersFrom(id string) []string { return d.older[id] }
