package sqlite

import (
	"cmp"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

var sources = sync.OnceValue(func() table[brain.Source] {
	return newTable("source", (*brain.Source).Fields)
})

func (t *tx) Sources(ids ...string) ([]brain.Source, error) {
	return sources().find(t, sources().byColumn("id"), ids)
}

func (t *tx) ListSources(f brain.SourceFilter) ([]brain.Source, error) {
	query, args := t.listSources(f)
	return collect(t, sources().dest(t), query, args...)
}

func (t *tx) listSources(f brain.SourceFilter) (string, []any) {
	if f.By != "" && f.Limit > 0 {
		return "SELECT " + sources().selected + " FROM json_each(?1) j CROSS JOIN source m WHERE m.seq IN (" +
			"SELECT m.seq FROM source m INDEXED BY source_title WHERE m.brain = ?2 AND m.title_key = j.value AND m.title_key <> ''" +
			" ORDER BY m.date DESC, m.time DESC, m.id LIMIT +?3) ORDER BY m.file, m.line, m.id", []any{asJSON(f.Keys), t.s.brain, f.Limit}
	}
	var c conditions
	c.add("m.brain = ?", t.s.brain)
	from, order := "source m", "m.created DESC, m.id"
	if f.By != "" {
		column := map[brain.Key]string{brain.ByKey: "key", brain.ByTitle: "title_key", brain.ByFile: "file"}[f.By]
		from += " INDEXED BY source_" + strings.TrimSuffix(column, "_key")
		order = "m.file, m.line, m.id"
		c.addIf(f.By == brain.ByFile, "m.dir = ?", f.Dir)
		c.add("m."+column+" <> '' AND m."+column+" IN (SELECT value FROM json_each(?))", asJSON(f.Keys))
	}
	if f.Open {
		from += " INDEXED BY source_open"
		c.add("m.kind = 'Reminder' AND m.done IS NULL AND m.removed IS NULL")
	}
	c.addIf(f.Kind != "", "m.kind = ?", f.Kind)
	c.ofProject(f.Project, false)
	query := "SELECT " + sources().selected + " FROM " + from + " WHERE " + c.String() + " ORDER BY " + order + " LIMIT +?"
	return query, append(c.args, cmp.Or(f.Limit, -1))
}

func (t *tx) PutSources(ss ...brain.Source) error {
	ids := brain.Map(ss, func(s brain.Source) string { return s.ID })
	if err := sources().giveWay(t, "key", brain.Map(ss, func(s brain.Source) string { return s.Key }), ids); err != nil {
		return err
	}
	for _, s := range ss {
		t.changes.known[s.ID] = true
	}
	return sources().put(t, sources().upsert("brain, id"), ss)
}
