package neo4j

import (
	"cmp"
	"slices"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	passagesCypher = `UNWIND $ids AS id MATCH (n:Memory {brain: $brain, id: id}) USING INDEX SEEK n:Memory(brain, id)` + asPassages + `
UNION ALL UNWIND $ids AS id MATCH (n:Section {brain: $brain, id: id}) USING INDEX SEEK n:Section(brain, id)` + asPassages
	asPassages = ` RETURN n.packed, n:Section`
)

// neighboursCypher finds some nodes on each side of places in groups.
func neighboursCypher() string {
	near := func(label, condition, side, order string) string {
		return `MATCH (n:` + label + `) WHERE n.brain = $brain AND n.groupKey = p.group AND n.position ` + side + `= p.position` + condition +
			` AND (n.position ` + side + ` p.position OR n.id ` + side + ` p.id)
  RETURN n ORDER BY n.position ` + order + `, n.id ` + order + ` LIMIT $reach`
	}
	const current = " AND n.tier IN $current"
	return `UNWIND $places AS p CALL (p) {
  ` + near(memoryLabel, current, "<", "DESC") + `
  UNION ALL ` + near(memoryLabel, current, ">", "") + `
  UNION ALL ` + near(sectionLabel, "", "<", "DESC") + `
  UNION ALL ` + near(sectionLabel, "", ">", "") + `
} WITH DISTINCT n` + asPassages
}

// Passages reads nodes of both labels by id.
func (t *tx) Passages(ids ...string) ([]brain.Passage, error) {
	return t.passages(passagesCypher, map[string]any{"ids": brain.Unique(ids)})
}

// Neighbours reads the indexes over groups.
func (t *tx) Neighbours(reach int, of ...brain.Passage) ([]brain.Passage, error) {
	known := map[string]bool{}
	var places []any
	for _, p := range of {
		known[p.ID] = true
		if p.Group != "" {
			places = append(places, map[string]any{"group": hashKey(p.Group), "position": p.Position, "id": p.ID})
		}
	}
	if len(places) == 0 {
		return nil, nil
	}
	params := map[string]any{"places": places, "current": tierNames(tiers.Tier.Current), "reach": reach}
	found, err := t.passages(neighboursCypher(), params)
	return slices.DeleteFunc(found, func(p brain.Passage) bool { return known[p.ID] }), err
}

// passages runs a query that returns memories and sections.
func (t *tx) passages(cypher string, params map[string]any) (found []brain.Passage, err error) {
	_, failed := t.read(cypher, params, func(rows []*driver.Record) bool {
		found, err = nil, nil
		for _, r := range rows {
			packed, ok := r.Values[0].([]byte)
			if !ok || err != nil {
				continue
			}
			var p brain.Passage
			p, err = t.passage(packed, value[bool](r, 1))
			found = append(found, p)
		}
		return len(found) == len(rows)
	})
	return found, cmp.Or(failed, t.store.unreadable(err))
}

// passage returns that of a packed node.
func (t *tx) passage(packed []byte, section bool) (brain.Passage, error) {
	if section {
		var s brain.Section
		err := t.unpacker.unpack(packed, s.Fields())
		return s.Passage(), err
	}
	var m brain.Memory
	err := t.unpacker.unpack(packed, m.Fields())
	return m.Passage(), err
}
