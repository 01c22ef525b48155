package sqlite

import (
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

var sections = sync.OnceValue(func() table[brain.Section] {
	return newTable("section", (*brain.Section).Fields)
})

// Sections returns sections by id.
func (t *tx) Sections(ids ...string) ([]brain.Section, error) {
	return sections().find(t, sections().byColumn("id"), ids)
}

// SectionsByFile returns the sections of files.
func (t *tx) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	return sections().find(t, sections().byFile(), files, dir)
}

// storedSection is a section's entry in the index.
type storedSection struct {
	doc
	id   string
	text brain.IndexedText
}

func (t *tx) storedSections(ids []string) (map[string]storedSection, error) {
	const query = `SELECT m.id, m.doc, d.size, m.heading, m.file, m.project, m.transcript, m.modified, m.text FROM json_each(?1) j
		CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value CROSS JOIN doc d ON d.doc = m.doc`
	type row struct {
		storedSection
		section brain.Section
	}
	dest := func(s *row) []any {
		return []any{&s.id, &s.doc.id, &s.size, &s.section.Heading, &s.section.File, &s.section.Project, &s.section.Transcript, column{&s.section.Modified}, &s.section.Text}
	}
	found, err := byKeys(t, dest, query, ids)
	known := make(map[string]storedSection, len(found))
	for _, s := range found {
		s.text = s.section.Indexed()
		known[s.id] = s.storedSection
	}
	return known, err
}

// PutSections stores sections whole.
func (t *tx) PutSections(ss ...brain.Section) error {
	ids := make([]string, len(ss))
	for i, s := range ss {
		ids[i] = s.ID
	}
	known, err := t.storedSections(ids)
	if err != nil {
		return err
	}
	var fresh []brain.IndexedText
	for _, s := range ss {
		if text := s.Indexed(); known[s.ID].text != text {
			fresh = append(fresh, text)
		}
	}
	t.readAhead(fresh)
	query := sections().upsert("brain, id", "doc")
	for _, s := range ss {
		indexed, err := t.indexSection(&s, known)
		if err != nil {
			return err
		}
		known[s.ID] = indexed
		if err := t.exec(query, append([]any{t.s.brain, indexed.doc.id}, bound(s.Fields())...)...); err != nil {
			return err
		}
	}
	return nil
}

// indexSection indexes the text of s unless it is indexed already.
func (t *tx) indexSection(s *brain.Section, known map[string]storedSection) (storedSection, error) {
	text, part := s.Indexed(), t.partOf(s.Transcript)
	old, exists := known[s.ID]
	if exists && old.text == text && old.part() == part {
		return old, nil
	}
	if exists {
		if err := t.dropDoc(old.doc); err != nil {
			return old, err
		}
	}
	d, err := t.addDoc(text, part, false, true)
	return storedSection{d, s.ID, text}, err
}

// DeleteSections removes sections and their relations.
func (t *tx) DeleteSections(ids ...string) error {
	known, err := t.storedSections(ids)
	if err != nil {
		return err
	}
	for id, s := range known {
		if err := t.dropDoc(s.doc); err != nil {
			return err
		}
		if err := t.exec(`DELETE FROM section WHERE brain = ? AND id = ?`, t.s.brain, id); err != nil {
			return err
		}
	}
	return t.deleteRelationsAt(ids)
}
