package neo4j

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// sourceLabel is a second label of every source, so that one constraint serves all
// kinds.
const sourceLabel = "Source"

func sourceKinds() []string {
	return brain.Map(brain.SourceKinds(), func(k brain.SourceKind) string { return string(k) })
}

func sources() kind[brain.Source] {
	return kindOfNode(sourceLabel, func(s *brain.Source) string { return s.ID }, (*brain.Source).Fields)
}

func (t *tx) Sources(ids ...string) ([]brain.Source, error) {
	return byID(t, sources(), ids)
}

// ListSources sorts outcomes in Go: they are few.
func (t *tx) ListSources(f brain.SourceFilter) ([]brain.Source, error) {
	kinds := sourceKinds()
	if f.Kind != "" {
		kinds = []string{string(f.Kind)}
	}
	if f.Open {
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k != string(brain.Reminder) })
	}
	found, err := fetch(t, sources(), listSources(f), map[string]any{
		"kinds": kinds, "limit": f.Limit, "project": projectParam(f.Project), "keys": f.Keys, "dir": f.Dir,
	})
	if f.By != "" {
		slices.SortFunc(found, func(a, b brain.Source) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
		})
	}
	return found, err
}

// listSources returns a query that reads the newest of each kind from the index,
// then takes the newest of all; or outcomes with some keys.
func listSources(f brain.SourceFilter) string {
	where := ""
	if f.Open {
		where += " AND n.done IS NULL AND n.removed IS NULL"
	}
	if f.Project != nil {
		where += " AND coalesce(n.project, '') = $project"
	}
	if f.By != "" && f.Limit > 0 {
		return "UNWIND $keys AS key WITH DISTINCT key CALL (key) { MATCH (n:Outcome) WHERE n.brain = $brain AND n.titleKey = key AND n.date >= '' AND n.kind IN $kinds" +
			" RETURN n ORDER BY n.date DESC, coalesce(n.time, '') DESC, n.id LIMIT $limit } RETURN " + node
	}
	if f.By != "" {
		indexed := map[brain.Key]string{brain.ByKey: "n.key IN $keys", brain.ByTitle: "n.titleKey IN $keys AND n.date >= ''", brain.ByFile: "n.dir = $dir AND n.file IN $keys"}[f.By]
		return "MATCH (n:Outcome) WHERE n.brain = $brain AND " + indexed + " AND n.kind IN $kinds" + where + " RETURN " + node
	}
	return "UNWIND $kinds AS kind CALL (kind) { MATCH (n:Source) WHERE n.brain = $brain AND n.kind = kind AND n.created IS NOT NULL" + where +
		" RETURN n ORDER BY n.brain DESC, n.kind DESC, n.created DESC, n.id LIMIT $limit } WITH n ORDER BY n.created DESC, n.id LIMIT $limit RETURN " + node
}

func (t *tx) PutSources(ss ...brain.Source) error { return putAll(t, ss, sourceNode, replaceNode, "") }

func sourceNode(s *brain.Source) (newNode, error) {
	if !slices.Contains(sourceKinds(), string(s.Kind)) {
		return newNode{}, brain.Errorf(brain.ErrInvalid, "", "source %s: there is no kind %q", s.ID, s.Kind)
	}
	p := propertiesOf(s.Fields())
	labels := []string{sourceLabel, string(s.Kind)}
	switch {
	case s.Kind == brain.Reminder && s.Key != "": // from a note: found as its outcomes are
		labels = append(labels, string(brain.Outcome))
		fallthrough
	case s.Kind == brain.Outcome:
		// The indexes over them have no node without.
		p["date"], p["dir"], p["file"] = s.Date, s.Dir, s.File
	default:
		p["line"] = nil
	}
	return labelled(s.ID, p, labels...), checkKeys("source", s.ID, s.Date, s.Key, s.TitleKey, s.Dir, s.File)
}

const sectionLabel = "Section"

const bySectionFile = "UNWIND $ids AS file MATCH (n:Section {brain: $brain, dir: $dir, file: file}) RETURN " + node

func sections() kind[brain.Section] {
	return kindOfNode(sectionLabel, func(s *brain.Section) string { return s.ID }, (*brain.Section).Fields)
}

func (t *tx) Sections(ids ...string) ([]brain.Section, error) {
	return byID(t, sections(), ids)
}

func (t *tx) SectionsByFile(dir string, files ...string) ([]brain.Section, error) {
	found, err := by(t, sections(), bySectionFile, sortedSet(files), map[string]any{"dir": dir})
	slices.SortFunc(found, func(a, b brain.Section) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
	})
	return found, err
}

func (t *tx) PutSections(ss ...brain.Section) error {
	return putAll(t, ss, t.store.sectionNode, replaceText, "")
}

func (s *Store) sectionNode(x *brain.Section) (newNode, error) {
	p := propertiesOf(x.Fields())
	p["dir"], p["file"] = x.Dir, x.File
	if x.Transcript {
		p[talkKey], p[wordsKey], p[scopeKey], p["length"] = indexedWords(x.Indexed()), nil, nil, nil
		maps.Copy(p, s.indexed(talkScopeKey, "talkLength", true, x.Indexed()))
		p[vectorModel] = nil
	} else {
		p[wordsKey], p[talkKey], p[talkScopeKey], p["talkLength"] = indexedWords(x.Indexed()), nil, nil, nil
		maps.Copy(p, s.indexed(scopeKey, "length", true, x.Indexed()))
	}
	return labelled(x.ID, p, sectionLabel), checkKeys("section", x.ID, x.Key, x.Dir, x.File, x.Group)
}
