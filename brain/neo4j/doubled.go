package neo4j

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// doubled are several nodes with one unique key, while its constraint is missing.
type doubled struct {
	label, property, brain, key string
	elements                    []string // the first stays as it is
}

func (d doubled) defect() brain.Defect {
	return brain.Defect{
		What:  fmt.Sprintf("%d nodes %s have the %s %s", len(d.elements), d.label, d.property, d.key),
		Means: "reads return any of them, and the constraint cannot be made", Mendable: true,
	}
}

// doubled returns the nodes with one key, of all brains: they share the constraints.
func (s *Store) doubled(ctx context.Context, wrongs []wrong) (all []doubled, err error) {
	for _, w := range wrongs {
		if !w.should.unique || err != nil {
			continue
		}
		label, property := w.should.labels[0], w.should.properties[len(w.should.properties)-1]
		own := "coalesce(n.brain, '')"
		where := "n.brain IS NOT NULL AND n." + property + " IS NOT NULL"
		if len(w.should.properties) == 1 {
			own, where = "''", "n."+property+" IS NOT NULL"
		}
		var rows []*driver.Record
		rows, err = s.run(ctx, driver.AccessModeRead, "MATCH (n:"+label+") WHERE "+where+
			" WITH n ORDER BY COUNT {(n)--()} DESC, n.at DESC, n.number, elementId(n) WITH "+own+" AS brain, n."+property+" AS key, collect(elementId(n)) AS elements"+
			" WHERE size(elements) > 1 RETURN brain, toString(key), elements", nil)
		for _, r := range rows {
			d := doubled{label: label, property: property, brain: value[string](r, 0), key: value[string](r, 1)}
			for _, e := range value[[]any](r, 2) {
				d.elements = append(d.elements, fmt.Sprint(e))
			}
			all = append(all, d)
		}
	}
	return all, err
}

// mendDouble leaves the key to the first node. Another one with the same content, or that is only
// a mark of the program, is taken out; one that is found by another key loses this one, and one
// with content of its own gets a new id.
func (s *Store) mendDouble(ctx context.Context, d doubled, keep func(raw []json.RawMessage) error) error {
	return s.ofBrain(d.brain).repeat(ctx, driver.AccessModeWrite, func(t *tx) error {
		rows, err := t.query(`MATCH (n:`+d.label+`) WHERE elementId(n) IN $ids`+rawNode, map[string]any{"ids": d.elements})
		if err != nil || len(rows) < 2 {
			return err
		}
		at := func(r *driver.Record) int { return slices.Index(d.elements, value[string](r, 0)) }
		slices.SortFunc(rows, func(a, b *driver.Record) int { return at(a) - at(b) })
		content := slices.Contains(append(nodeLabels(), string(brain.ConfigRecord)), d.label)
		first := fmt.Sprint(plainMap(value[props](rows[0], 1)))
		var out []brain.Aside
		var outIDs []string
		for _, r := range rows[1:] {
			change := "REMOVE n." + d.property
			switch {
			case d.property == "id" && content && fmt.Sprint(plainMap(value[props](r, 1))) != first:
				change = "SET n.id = $id"
			case d.property == "id" || strings.HasPrefix(d.label, "Brainbridge"):
				out, outIDs = append(out, asideOf(d.label, d.key, "a second node with its "+d.property, r)), append(outIDs, value[string](r, 0))
				continue
			}
			if _, err := t.query("MATCH (n:"+d.label+") WHERE elementId(n) = $element "+change, map[string]any{"element": value[string](r, 0), "id": t.store.newID()}); err != nil {
				return err
			}
		}
		return t.takeOut(out, outIDs, nil, keep)
	})
}
