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
// from them and from those in turn.
func ReadDifferences(r brain.DifferenceReader, ids ...string) (Differences, error) {
	d := Differences{map[string][]string{}, map[string][]string{}}
	rels, err := r.Differences(ids...)
	for _, rel := range rels {
		d.newer[rel.To] = append(d.newer[rel.To], rel.From)
		d.older[rel.From] = append(d.older[rel.From], rel.To)
	}
	return d, err
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

// Newer returns the memories that differ from one, those that differ from them, and so on.
func (d Differences) Newer(id string) []string {
	all := slices.Clone(d.newer[id])
	for i := 0; i < len(all); i++ {
		for _, by := range d.newer[all[i]] {
			if by != id && !slices.Contains(all, by) {
				all = append(all, by)
			}
		}
	}
	return all
}

// Len returns the number of relations of the chains that memories are part of.
func (d Differences) Len(of ...string) (n int) {
	seen := map[string]bool{}
	for len(of) > 0 {
		id := of[0]
		of = of[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		n += len(d.older[id])
		of = slices.Concat(of, d.older[id], d.newer[id])
	}
	return n
}

// DiffersFrom returns the older memories that one contradicts itself.
func (d Differences) DiffersFrom(id string) []string { return d.older[id] }
