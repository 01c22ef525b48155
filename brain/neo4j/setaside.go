package neo4j

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// SetAside removes what cannot be read, page by page.
func (s *Store) SetAside(ctx context.Context, found []brain.Unreadable, keep func(raw []json.RawMessage) error) error {
	for some := range slices.Chunk(found, brain.PageSize) {
		if err := s.update(ctx, func(btx brain.Tx) error {
			t, _ := btx.(*tx)
			var all []brain.Aside
			var nodes, rels []string
			for _, u := range some {
				asides, elements, err := t.findAside(u)
				if err != nil {
					return err
				}
				all = append(all, asides...)
				if u.Kind == brain.RelationNode {
					rels = append(rels, elements...)
				} else {
					nodes = append(nodes, elements...)
				}
			}
			return t.takeOut(all, nodes, rels, keep)
		}); err != nil {
			return err
		}
	}
	return nil
}

const (
	// rawNode ends a query for nodes to be set aside.
	rawNode = ` WITH DISTINCT n SET n._lock = true REMOVE n._lock
RETURN elementId(n), properties(n), [(n)-[r]-() | {type: type(r), from: coalesce(startNode(r).id, ''), to: coalesce(endNode(r).id, ''), values: properties(r)}]`
	rawRelation = `MATCH (a)-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|RELATED]->(b) WHERE a.brain = $brain AND a.id = $from AND b.id = $to
AND (a:Memory OR a:Source OR a:Section) AND CASE WHEN type(r) <> 'RELATED' THEN type(r) WHEN r.type IS :: STRING NOT NULL THEN r.type ELSE '' END = $type
RETURN elementId(r), properties(r)`
	dropNodes     = "MATCH (n) WHERE elementId(n) IN $ids DETACH DELETE n"
	dropRelations = "MATCH ()-[r]->() WHERE elementId(r) IN $ids DELETE r"
)

// findAside reads the raw content of what a dump has named, and returns the elements that have it.
func (t *tx) findAside(u brain.Unreadable) (all []brain.Aside, elements []string, err error) {
	params, cypher := map[string]any{"id": u.ID}, ""
	ends := strings.Split(u.ID, " ")
	switch {
	case u.Kind == brain.RelationNode && len(ends) > 2:
		last := len(ends) - 1
		params = map[string]any{"from": ends[0], "type": strings.Join(ends[1:last], " "), "to": ends[last]}
		cypher = rawRelation
	case slices.Contains(strayLabels(), u.Kind):
		cypher = "CALL () { MATCH (n:" + u.Kind + ") WHERE n.brain = $brain AND n.id = $id RETURN n UNION " +
			strings.Replace(strayOf("$brain"), "(n:"+strings.Join(strayLabels(), "|")+")", "(n:"+u.Kind+")", 1) + " AND " + strayName + " = $id RETURN n }" + rawNode
	default:
		return nil, nil, nil
	}
	rows, err := t.query(cypher, params)
	for _, r := range rows {
		all, elements = append(all, asideOf(u.Kind, u.ID, u.Why, r)), append(elements, value[string](r, 0))
	}
	return all, elements, err
}

// asideOf returns what a row of rawNode or rawRelation has.
func asideOf(kind, id, why string, r *driver.Record) brain.Aside {
	a := brain.Aside{Kind: kind, ID: id, Why: why, Values: plainMap(value[props](r, 1))}
	if len(r.Values) > 2 {
		for _, rel := range value[[]any](r, 2) {
			if p, is := rel.(props); is {
				a.Relations = append(a.Relations, plainMap(p))
			}
		}
	}
	return a
}

// takeOut calls keep with what is removed then.
func (t *tx) takeOut(all []brain.Aside, nodes, rels []string, keep func(raw []json.RawMessage) error) error {
	if len(all) == 0 {
		return nil
	}
	var raw []json.RawMessage
	for _, a := range all {
		line, err := json.Marshal(a)
		if err != nil {
			return err
		}
		raw = append(raw, line)
	}
	if err := keep(raw); err != nil {
		return err
	}
	var errs []error
	for cypher, ids := range map[string][]string{dropNodes: nodes, dropRelations: rels} {
		if len(ids) > 0 {
			_, err := t.query(cypher, map[string]any{"ids": ids})
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
