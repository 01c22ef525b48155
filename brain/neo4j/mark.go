package neo4j

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// mark is the position of a reader. Texts that are committed later may have a position
// before texts that were read. So the next reading begins some time before the present, at
// End, and leaves out the groups from there on that were returned completely.
type mark struct {
	End   string         `json:"end"`             // the stamp at which the next reading begins
	At    string         `json:"at,omitempty"`    // the place after which this one continues, "" if it has ended
	Given map[string]int `json:"given,omitempty"` // number of returned texts by group, after End
}

// mostGroups is the maximum number of groups in a mark, which keeps the largest ones,
// because it is stored in checkpoints. A run that merges a thousand clusters creates a
// thousand groups.
const mostGroups = 2000

// trim removes the groups that the next reading cannot meet, and the smallest ones
// of too many.
func (m *mark) trim() {
	maps.DeleteFunc(m.Given, func(g string, _ int) bool { return g <= m.End })
	known := slices.Sorted(maps.Keys(m.Given))
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(m.Given[a], m.Given[b]) })
	for _, g := range known[:max(0, len(known)-mostGroups)] {
		delete(m.Given, g)
	}
}

// parseMark reads a mark; a foreign text is the beginning.
func parseMark(s string) mark {
	var m mark
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		m = mark{}
	}
	if m.Given == nil {
		m.Given = make(map[string]int)
	}
	return m
}

// stamp returns an instant in Unix milliseconds as a text in order.
func stamp(ms int64) string { return fmt.Sprintf("%013d", ms) }
