package sqlite

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// What a passage is read from: a memory, and a section.
const (
	memoryPassage  = `m.doc, m.id, 0, m."group", m.position, m.project, m.name, m.content, m.entity, m.tags, '', '', 0, m.created, m.checksum FROM `
	sectionPassage = `m.doc, m.id, 1, m."group", m.position, m.project, '', m.text, 0, NULL, m.heading, m.file, m.transcript, m.modified, m.checksum FROM `
)

// neighboursQuery finds some of a table's rows on each side of places in groups.
func neighboursQuery() string {
	near := func(table, passage, condition string) string {
		some := func(side, order string) string {
			return `SELECT * FROM (SELECT m.seq FROM ` + table + ` m WHERE m.brain = ?2 AND m."group" <> '' AND m."group" = j.value ->> 0` + condition +
				` AND (m.position, m.id) ` + side + ` (j.value ->> 1, j.value ->> 2) ORDER BY m.position ` + order + `, m.id ` + order + ` LIMIT +?3)`
		}
		return `SELECT ` + passage + table + ` m WHERE m.seq IN (SELECT n.seq FROM json_each(?1) j CROSS JOIN ` + table + ` n ON n.seq IN (` +
			some("<", "DESC") + ` UNION ALL ` + some(">", "") + `))`
	}
	return near("memory", memoryPassage, " AND "+isCurrent) + ` UNION ALL ` + near("section", sectionPassage, "")
}

// Neighbours reads the indexes over groups.
func (t *tx) Neighbours(reach int, of ...brain.Passage) ([]brain.Passage, error) {
	known := map[string]bool{}
	var places [][3]any
	for _, p := range of {
		known[p.ID] = true
		if p.Group != "" {
			places = append(places, [3]any{p.Group, p.Position, p.ID})
		}
	}
	if len(places) == 0 {
		return nil, nil
	}
	found, err := t.passages(neighboursQuery(), asJSON(places), t.s.brain, reach)
	return slices.DeleteFunc(found, func(p brain.Passage) bool {
		twice := known[p.ID]
		known[p.ID] = true
		return twice
	}), err
}

func (t *tx) passages(query string, args ...any) ([]brain.Passage, error) {
	rows, err := collect(t, (*passageRow).dest, query, args...)
	return brain.Map(rows, func(r passageRow) brain.Passage { return r.passage() }), err
}

// passageRow is a row of a query for passages.
type passageRow struct {
	doc       int64
	isSection bool
	memory    brain.Memory
	section   brain.Section
}

func (r *passageRow) dest() []any {
	m, s := &r.memory, &r.section
	return []any{
		&r.doc, &m.ID, &r.isSection, &m.Group, &m.Position, &m.Project, &m.Name, &m.Content, &m.Entity,
		column{&m.Tags},
		&s.Heading, &s.File, &s.Transcript,
		column{&m.Created},
		partial{&m.ID},
	}
}

func (r *passageRow) passage() brain.Passage {
	m, s := &r.memory, &r.section
	if !r.isSection {
		return m.Passage()
	}
	s.ID, s.Group, s.Position, s.Project, s.Text, s.Modified = m.ID, m.Group, m.Position, m.Project, m.Content, m.Created
	return s.Passage()
}
