package neo4j

import (
	"cmp"

	"github.com/brainbridge/brainbridge/brain"
)

const sectionLabel = "Section"

const bySectionFile = "UNWIND $ids AS file MATCH (n:Section {brain: $brain, fileKey: file}) RETURN n.packed"

func sections() kind[brain.Section] {
	return kind[brain.Section]{sectionLabel, func(s *brain.Section) string { return s.ID }, (*brain.Section).Fields}
}

func (t *tx) Sections(ids ...string) ([]brain.Section, error) {
	return byLabel(t, sections(), ids)
}

func (t *tx) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	return byFile(t, sections(), bySectionFile, dir, files, func(s *brain.Section) fileLine { return fileLine{s.Dir, s.File, s.Line} })
}

func (t *tx) PutSections(ss ...brain.Section) error {
	return putAll(t, setSections, ss, t.store.vocabulary.sectionNode)
}

func (t *tx) DeleteSections(ids ...string) error {
	return t.dropLabelled(dropSections, sectionLabel, ids)
}

func (v vocabulary) sectionNode(x *brain.Section) (newNode, error) {
	p, err := packedProps(x.Fields())
	p["key"], p["fileKey"], p["groupKey"] = lookupKey(x.Key), hashKey(x.Dir, x.File), lookupKey(x.Group)
	v.index(p, v.ofSection(x), x.Indexed())
	return labelled(x.ID, p, sectionLabel), cmp.Or(err, checkKeys("section", x.ID))
}
