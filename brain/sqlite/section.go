package sqlite

import (
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

var sections = sync.OnceValue(func() table[brain.Section] {
	return newTable("section", (*brain.Section).Fields)
})

func (t *tx) Sections(ids ...string) ([]brain.Section, error) {
	return sections().find(t, sections().byColumn("id"), ids)
}

func (t *tx) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	return sections().find(t, sections().byFile(), files, dir)
}

// storedSection is a section's entry in the index.
type storedSection struct {
	doc
	text brain.IndexedText
}

func (t *tx) storedSections(ids []string) (map[string]storedSection, error) {
	query := `SELECT ` + sections().selected + `, m.doc, d.section, d.size FROM json_each(?1) j
		CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value CROSS JOIN doc d ON d.doc = m.doc`
	type row struct {
		doc
		section brain.Section
	}
	found, err := byKeys(t, func(r *row) []any { return append(sections().dest(&r.section), &r.id, &r.doc.section, &r.size) }, query, ids)
	known := make(map[string]storedSection, len(found))
	for _, r := range found {
		known[r.section.ID] = storedSection{r.doc, r.section.Indexed()}
	}
	return known, err
}

func (t *tx) PutSections(ss ...brain.Section) error {
	known, err := t.storedSections(brain.Map(ss, func(s brain.Section) string { return s.ID }))
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
		indexed := t.indexSection(&s, known)
		known[s.ID] = indexed
		t.exec(query, append([]any{t.s.brain, indexed.id}, bound(s.Fields())...)...)
	}
	return t.changes.failed
}

// indexSection indexes the text of s unless it is indexed already.
func (t *tx) indexSection(s *brain.Section, known map[string]storedSection) storedSection {
	text, part := s.Indexed(), t.partOf(s.Transcript)
	old, exists := known[s.ID]
	if exists && old.text == text && old.part() == part {
		return old
	}
	if exists {
		t.dropDoc(old.doc)
	}
	return storedSection{t.addDoc(text, part, false, true), text}
}

func (t *tx) DeleteSections(ids ...string) error {
	known, err := t.storedSections(ids)
	if err != nil {
		return err
	}
	for id, s := range known {
		t.dropDoc(s.doc)
		t.exec(`DELETE FROM section WHERE brain = ? AND id = ?`, t.s.brain, id)
	}
	return t.deleteRelationsAt(ids)
}
