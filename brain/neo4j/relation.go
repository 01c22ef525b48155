package neo4j

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// nodeLabels returns the labels of nodes that can have relations.
func nodeLabels() []string { return []string{memoryLabel, sourceLabel, sectionLabel} }

// indexHint forces a seek on the index of brain and id. Without it, the planner caches a
// label scan that it chose while the database was nearly empty.
func indexHint(node, label string) string {
	return " USING INDEX SEEK " + node + ":" + label + "(brain, id)"
}

// eachLabel returns the union of a query for each label of nodes that can have
// relations; LABEL stands for the label.
func eachLabel(union, query string) string {
	parts := nodeLabels()
	for i, label := range parts {
		parts[i] = strings.ReplaceAll(query, "LABEL", label)
	}
	return strings.Join(parts, "\n"+union+"\n")
}

func relations() string {
	return "UNWIND $ids AS id CALL (id) {\n" + eachLabel("UNION", `MATCH (n:LABEL {brain: $brain, id: id})-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|RELATED]-(o)
USING INDEX SEEK n:LABEL(brain, id) WHERE o.brain = $brain AND (o:Memory OR o:Source OR o:Section) RETURN r`) + `
} WITH DISTINCT r WITH r, startNode(r) AS a, endNode(r) AS b
RETURN a.id, [l IN labels(a) WHERE l IN $ends][0], CASE type(r) WHEN 'RELATED' THEN r.type ELSE type(r) END,
  b.id, [l IN labels(b) WHERE l IN $ends][0], r.made`
}

func (t *tx) Relations(ids ...string) ([]brain.Relation, error) {
	found := make(map[brain.Relation]int64) // Made by the key
	for part := range slices.Chunk(sortedSet(ids), chunk) {
		rows, err := t.query(relations(), map[string]any{"ids": part, "ends": nodeLabels()})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			r := brain.Relation{From: value[string](row, 0), Type: value[string](row, 2), To: value[string](row, 3)}
			if r.From == "" || r.Type == "" || r.To == "" {
				continue // written by another program, or being deleted
			}
			found[r] = value[int64](row, 5)
			t.known[nodeRef{value[string](row, 1), r.From}] = true
			t.known[nodeRef{value[string](row, 4), r.To}] = true
		}
	}
	all := slices.SortedFunc(maps.Keys(found), brain.Relation.Compare)
	for i, r := range all {
		all[i].Made = found[r]
	}
	return all, nil
}

// PutRelations stores relations, or none if one is invalid. Both ends must exist.
func (t *tx) PutRelations(rs ...brain.Relation) error {
	if err := t.loadEnds(rs); err != nil {
		return err
	}
	for _, r := range rs {
		if r.Type == "" {
			return brain.Errorf(brain.ErrInvalid, "", "the relation from %s to %s has no type", r.From, r.To)
		}
		for _, id := range []string{r.From, r.To} {
			if t.labelOf(id) == "" {
				return brain.Errorf(brain.ErrNotFound, "", "there is no %s to relate", id)
			}
		}
	}
	var rows []row
	for _, r := range rs {
		made := ""
		if r.Made != 0 && !brain.BuiltIn(r.Type) {
			made = " ON CREATE SET r.made = row.made"
		}
		rows = append(rows, t.relationRow(r, " MERGE (a)-[r:"+relationshipPattern(r.Type)+"]->(b)"+made+counts))
	}
	return t.enqueue(rows)
}

func (t *tx) DeleteRelations(rs ...brain.Relation) error {
	if err := t.loadEnds(rs); err != nil {
		return err
	}
	var rows []row
	for _, r := range rs {
		if t.labelOf(r.From) != "" && t.labelOf(r.To) != "" {
			rows = append(rows, t.relationRow(r, " MATCH (a)-[r:"+relationshipPattern(r.Type)+"]->(b) DELETE r"))
		}
	}
	return t.enqueue(rows)
}

func (t *tx) DeleteNodes(ids ...string) error {
	return errors.Join(t.drop(memoryLabel, ids), t.drop(sourceLabel, ids), t.drop(sectionLabel, ids))
}

// labelOf returns the label of a node that this transaction knows to exist, or "".
func (t *tx) labelOf(id string) string {
	for _, label := range [...]string{memoryLabel, sourceLabel, sectionLabel} {
		if t.known[nodeRef{label, id}] {
			return label
		}
	}
	return ""
}

func existing() string {
	return "UNWIND $ids AS id CALL (id) {\n" + eachLabel("UNION ALL",
		"MATCH (n:LABEL {brain: $brain, id: id}) USING INDEX SEEK n:LABEL(brain, id) RETURN 'LABEL' AS label") + "\n} RETURN label, id"
}

// loadEnds looks up the ends of relations whose labels are not known yet.
func (t *tx) loadEnds(rs []brain.Relation) error {
	var unknown []string
	for _, r := range rs {
		for _, id := range []string{r.From, r.To} {
			if t.labelOf(id) == "" {
				unknown = append(unknown, id)
			}
		}
	}
	for part := range slices.Chunk(sortedSet(unknown), chunk) {
		rows, err := t.query(existing(), map[string]any{"ids": part})
		if err != nil {
			return err
		}
		for _, row := range rows {
			t.known[nodeRef{value[string](row, 0), value[string](row, 1)}] = true
		}
	}
	return nil
}

// relationRow returns a write that matches both ends by their labels.
func (t *tx) relationRow(r brain.Relation, clause string) row {
	from, to := t.labelOf(r.From), t.labelOf(r.To)
	return row{
		"UNWIND $rows AS row MATCH (a:" + from + " {brain: $brain, id: row.from})" + indexHint("a", from) +
			" MATCH (b:" + to + " {brain: $brain, id: row.to})" + indexHint("b", to) + clause,
		map[string]any{"from": r.From, "type": r.Type, "to": r.To, "made": r.Made},
	}
}

// relationshipPattern returns the pattern of a relationship. Types other than the
// built-in ones are a property of RELATED, so that user text never becomes part of a
// query.
func relationshipPattern(relation string) string {
	if brain.BuiltIn(relation) {
		return relation
	}
	return "RELATED {type: row.type}"
}
