package neo4j

import (
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// labelList returns the labels of nodes that relations join.
func labelList() []string { return []string{memoryLabel, sourceLabel, sectionLabel} }

// byIndex makes the planner begin at the index of ids. In a nearly empty database it
// would read all nodes of a label instead, and keep that plan while the database
// grows.
func byIndex(node, label string) string {
	return " USING INDEX SEEK " + node + ":" + label + "(brain, id)"
}

// Constants cannot call byIndex; the hints in them are the same.
const (
	edgesAt = ` {brain: $brain, id: id})-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|RELATED]-(o)
    USING INDEX SEEK n:`
	edgesTo   = `(brain, id) WHERE o.brain = $brain AND (o:Memory OR o:Source OR o:Section) RETURN r`
	relations = `UNWIND $ids AS id CALL (id) {
  MATCH (n:Memory` + edgesAt + `Memory` + edgesTo + `
UNION
  MATCH (n:Source` + edgesAt + `Source` + edgesTo + `
UNION
  MATCH (n:Section` + edgesAt + `Section` + edgesTo + `
} WITH DISTINCT r WITH r, startNode(r) AS a, endNode(r) AS b
RETURN a.id, [l IN labels(a) WHERE l IN $ends][0], CASE type(r) WHEN 'RELATED' THEN r.type ELSE type(r) END,
  b.id, [l IN labels(b) WHERE l IN $ends][0]`
)

// Relations returns all relations at these ids.
func (t *tx) Relations(ids ...string) ([]brain.Relation, error) {
	found := make(map[brain.Relation]bool)
	for part := range slices.Chunk(sortedSet(ids), chunk) {
		rows, err := t.read(relations, map[string]any{"ids": part, "ends": labelList()}, named(0, 3))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			v := texts(row.Values)
			if v[2] == "" {
				continue // a relationship of another program
			}
			found[brain.Relation{From: v[0], Type: v[2], To: v[3]}] = true
			t.known[nodeRef{v[1], v[0]}] = true
			t.known[nodeRef{v[4], v[3]}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), brain.Relation.Compare), nil
}

// texts returns the texts of a row, empty where there is none.
func texts(values []any) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i], _ = v.(string)
	}
	return list
}

// PutRelations stores relations between nodes that exist.
func (t *tx) PutRelations(rs ...brain.Relation) error {
	if err := t.lookForEnds(rs); err != nil {
		return err
	}
	for _, r := range rs {
		if r.Type == "" {
			return brain.Errorf(brain.ErrInvalid, "", "a relation from %s to %s without a type cannot be stored", r.From, r.To)
		}
		for _, id := range []string{r.From, r.To} {
			if t.labelOf(id) == "" {
				return brain.Errorf(brain.ErrNotFound, "", "there is no %s to relate", id)
			}
		}
	}
	for _, r := range rs {
		if err := t.enqueue(joinRelations, t.relationRow(r, " MERGE (a)-[:"+edge(r.Type)+"]->(b)"+counts)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteRelations removes relations.
func (t *tx) DeleteRelations(rs ...brain.Relation) error {
	if err := t.lookForEnds(rs); err != nil {
		return err
	}
	for _, r := range rs {
		if t.labelOf(r.From) == "" || t.labelOf(r.To) == "" {
			continue
		}
		if err := t.enqueue(cutRelations, t.relationRow(r, " MATCH (a)-[r:"+edge(r.Type)+"]->(b) DELETE r")); err != nil {
			return err
		}
	}
	return nil
}

// labelOf returns the label of a node that this transaction knows to exist.
func (t *tx) labelOf(id string) string {
	for _, label := range [...]string{memoryLabel, sourceLabel, sectionLabel} {
		if t.known[nodeRef{label, id}] {
			return label
		}
	}
	return ""
}

const existing = `UNWIND $ids AS id CALL (id) {
  MATCH (n:Memory {brain: $brain, id: id}) USING INDEX SEEK n:Memory(brain, id) RETURN 'Memory' AS label
UNION ALL
  MATCH (n:Source {brain: $brain, id: id}) USING INDEX SEEK n:Source(brain, id) RETURN 'Source' AS label
UNION ALL
  MATCH (n:Section {brain: $brain, id: id}) USING INDEX SEEK n:Section(brain, id) RETURN 'Section' AS label
} RETURN label, id`

// lookForEnds reads the ends that this transaction has not seen yet.
func (t *tx) lookForEnds(rs []brain.Relation) error {
	if err := t.writable(); err != nil {
		return err
	}
	var unknown []string
	for _, r := range rs {
		for _, id := range []string{r.From, r.To} {
			if t.labelOf(id) == "" {
				unknown = append(unknown, id)
			}
		}
	}
	for part := range slices.Chunk(sortedSet(unknown), chunk) {
		rows, err := t.query(existing, map[string]any{"ids": part})
		if err != nil {
			return err
		}
		for _, row := range rows {
			v := texts(row.Values)
			t.known[nodeRef{v[0], v[1]}] = true
		}
	}
	return nil
}

// relationRow returns a write that matches both ends by their labels.
func (t *tx) relationRow(r brain.Relation, write string) row {
	from, to := nodeRef{t.labelOf(r.From), r.From}, nodeRef{t.labelOf(r.To), r.To}
	return row{
		cypher: "UNWIND $rows AS row MATCH (a:" + from.label + " {brain: $brain, id: row.from})" + byIndex("a", from.label) +
			" MATCH (b:" + to.label + " {brain: $brain, id: row.to})" + byIndex("b", to.label) + write,
		values: map[string]any{"from": r.From, "type": r.Type, "to": r.To},
		own:    "relation " + r.From + " " + r.Type + " " + r.To,
		others: []string{from.end(), to.end()},
	}
}

// edge returns the pattern of a relationship. All types but our own are properties of
// RELATED, so that no text becomes Cypher.
func edge(relation string) string {
	switch relation {
	case brain.HasMemory, brain.PromotedTo, brain.Supersedes:
		return relation
	}
	return "RELATED {type: row.type}"
}
