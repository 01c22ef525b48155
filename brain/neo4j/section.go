package neo4j

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

const sectionLabel = "Section"

const bySectionFile = "UNWIND $ids AS file MATCH (n:Section {brain: $brain, fileKey: file}) RETURN n.packed"

func sections() kind[brain.Section] {
	return kind[brain.Section]{sectionLabel, func(s *brain.Section) string { return s.ID }, (*brain.Section).Fields}
}

// Sections returns sections by id.
func (t *tx) Sections(ids ...string) ([]brain.Section, error) {
	return byLabel(t, sections(), ids)
}

// SectionsByFile returns the sections of files, by file and line.
func (t *tx) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	found, err := by(t, sections(), bySectionFile, fileKeys(dir, files), nil, func(s *brain.Section) string { return hashKey(s.Dir, s.File) })
	slices.SortFunc(found, func(a, b brain.Section) int {
		return byFile(a.File, b.File, a.Line, b.Line, a.ID, b.ID)
	})
	return found, err
}

// PutSections stores sections whole.
func (t *tx) PutSections(ss ...brain.Section) error {
	return putAll(t, setSections, ss, t.store.vocabulary.sectionNode)
}

// DeleteSections removes sections.
func (t *tx) DeleteSections(ids ...string) error {
	return t.dropLabelled(dropSections, sectionLabel, ids)
}

func (v vocabulary) sectionNode(x *brain.Section) (newNode, error) {
	p, err := packedProps(x.Fields())
	p["key"], p["fileKey"] = lookupKey(x.Key), hashKey(x.Dir, x.File)
	p[v.ofSection(x)] = v.terms(x.Heading, x.Text, nil)
	return labelled(x.ID, p, sectionLabel), cmp.Or(err, checkKeys("section", x.ID))
}
