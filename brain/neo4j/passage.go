package neo4j

import (
	"slices"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	passagesCypher = `UNWIND $ids AS id MATCH (n:Memory {brain: $brain, id: id}) USING INDEX SEEK n:Memory(brain, id)` + asPassages + `
UNION ALL UNWIND $ids AS id MATCH (n:Section {brain: $brain, id: id}) USING INDEX SEEK n:Section(brain, id)` + asPassages
	// A map is read in half the time of one property after another.
	asPassages = ` RETURN n.id AS id, n:Section AS section, n {.group, .position, .project, .speaker, .name, .content, .entity, .tags, .created,
  .heading, .file, .transcript, .text, .modified} AS fields`
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
	rows, err := t.read(passagesCypher, map[string]any{"ids": brain.Unique(ids)}, named(0))
	return passages(rows), err
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
	params := map[string]any{"places": places, "current": currentTiers(), "reach": reach}
	rows, err := t.read(neighboursCypher(), params, named(0))
	return slices.DeleteFunc(passages(rows), func(p brain.Passage) bool { return known[p.ID] }), err
}

func passages(rows []*driver.Record) []brain.Passage {
	found := make([]brain.Passage, len(rows))
	for i, r := range rows {
		p := props(value[map[string]any](r, 2))
		project := of[string](p, "project")
		found[i] = brain.Passage{
			ID: value[string](r, 0), Section: value[bool](r, 1), Group: of[string](p, "group"), Position: int(of[int64](p, "position")),
			Project: project, Speaker: of[string](p, "speaker"),
		}
		if found[i].Section {
			s := brain.Section{
				Heading: of[string](p, "heading"), File: of[string](p, "file"), Transcript: of[bool](p, "transcript"),
				Text: of[string](p, "text"), Project: project, Modified: of[time.Time](p, "modified"),
			}
			found[i].Text = s.Indexed()
			continue
		}
		m := brain.Memory{Name: of[string](p, "name"), Content: of[string](p, "content"), Tags: texts(p["tags"]), Created: of[time.Time](p, "created")}
		m.Entity = of[bool](p, "entity")
		found[i].Text = m.Indexed()
	}
	return found
}

// of returns a property, the zero value where there is none.
func of[T any](p props, name string) T {
	v, _ := p[name].(T)
	return v
}

// texts returns a list of texts.
func texts(v any) []string {
	list, _ := v.([]any)
	all := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}
