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

// storedSection is a section with its doc.
type storedSection struct {
	brain.Section
	doc
}

func (t *tx) storedSections(ids []string) (map[string]storedSection, error) {
	query := `SELECT ` + sections().selected + `, d.doc, d.talk, d.size FROM json_each(?1) j
		CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value CROSS JOIN doc d ON d.doc = m.doc`
	dest := func(s *storedSection) []any { return append(sections().dest(t)(&s.Section), &s.id, &s.talk, &s.size) }
	found, err := byKeys(t, dest, query, ids)
	known := make(map[string]storedSection, len(found))
	for _, s := range found {
		known[s.ID] = s
	}
	return known, err
}

func (t *tx) PutSections(ss ...brain.Section) error {
	ids := brain.Map(ss, func(s brain.Section) string { return s.ID })
	if err := sections().giveWay(t, "key", brain.Map(ss, func(s brain.Section) string { return s.Key }), ids); err != nil {
		return err
	}
	known, err := t.storedSections(ids)
	if err != nil {
		return err
	}
	query := sections().upsert("brain, id", "doc")
	for _, s := range ss {
		old, exists := known[s.ID]
		same := exists && old.Indexed() == s.Indexed() && old.Transcript == s.Transcript
		if exists && !same {
			t.dropDoc(old.doc)
		}
		if !same {
			old.doc = t.addDoc(s.ID, s.Indexed(), s.Transcript, false)
		}
		known[s.ID] = storedSection{s, old.doc}
		t.exec(query, append([]any{t.s.brain, old.id}, sections().values(t, &s)...)...)
	}
	return t.changes.failed
}
