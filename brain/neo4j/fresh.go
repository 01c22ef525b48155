package neo4j

import "github.com/brainbridge/brainbridge/brain"

// freshness returns the place of a memory in the lists of Freshest, "" for none.
func freshness(m *brain.Memory) string {
	group, at := m.Freshness()
	if at.IsZero() {
		return ""
	}
	return string(group) + "|" + place(at) + "|" + m.ID
}

func (t *tx) Freshest(fs ...brain.FreshFilter) ([]brain.Memory, error) {
	lists := make([]orderedList, len(fs))
	for i, f := range fs {
		lists[i] = orderedList{freshCypher(f), f.Limit, map[string]any{
			"from": string(f.Group) + "|", "to": string(f.Group) + "}", "project": projectParam(f.Project),
		}}
	}
	return t.ordered(lists, freshness)
}

func freshCypher(f brain.FreshFilter) string {
	if f.Project == nil {
		return orderedCypher(nil, "fresh", nil)
	}
	return orderedCypher([]string{"project"}, "fresh", nil)
}
