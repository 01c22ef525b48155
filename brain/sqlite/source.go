package sqlite

import (
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

var sources = sync.OnceValue(func() table[brain.Source] {
	return newTable("source", (*brain.Source).Fields)
})

func (t *tx) Sources(ids ...string) ([]brain.Source, error) {
	return sources().find(t, sources().byColumn("id"), ids)
}

func (t *tx) SourcesByKey(keys ...string) ([]brain.Source, error) {
	return sources().find(t, sources().byColumn("key"), keys)
}

func (t *tx) SourcesByFile(dir string, files ...string) ([]brain.Source, error) {
	return sources().find(t, sources().byFile(), files, dir)
}

// sourcesByTitle returns a query that reads the newest sources of each key from
// the index.
func sourcesByTitle() string {
	return `SELECT ` + sources().selected + ` FROM json_each(?1) j CROSS JOIN source m ON m.seq IN (
			SELECT seq FROM source WHERE brain = ?2 AND title_key = j.value AND title_key <> ''
			ORDER BY date DESC, time DESC, id LIMIT +?3)
		ORDER BY j.key, m.date DESC, m.time DESC, m.id`
}

func (t *tx) SourcesByTitle(keys []string, limit int) ([]brain.Source, error) {
	return sources().find(t, sourcesByTitle(), keys, limit)
}

func (t *tx) ListSources(f brain.SourceFilter) ([]brain.Source, error) {
	query, args := t.listSources(f)
	return collect(t, sources().dest, query, args...)
}

func (t *tx) listSources(f brain.SourceFilter) (string, []any) {
	var c conditions
	c.add("m.brain = ?", t.s.brain)
	from := "source m"
	if f.Open {
		from += " INDEXED BY source_open"
		c.add("m.kind = 'Reminder' AND m.done IS NULL AND m.removed IS NULL")
	}
	c.addIf(f.Kind != "", "m.kind = ?", f.Kind)
	c.ofProject(f.Project)
	query := "SELECT " + sources().selected + " FROM " + from + " WHERE " + c.String() +
		" ORDER BY m.created DESC, m.id LIMIT +?"
	return query, append(c.args, f.Limit)
}

func (t *tx) PutSources(ss ...brain.Source) error {
	for _, s := range ss {
		t.changes.known[s.ID] = true
	}
	return sources().put(t, sources().upsert("brain, id"), ss)
}

func (t *tx) DeleteSources(ids ...string) error {
	for _, id := range ids {
		delete(t.changes.known, id)
	}
	t.exec(`DELETE FROM source WHERE brain = ? AND id IN (SELECT value FROM json_each(?))`, t.s.brain, asJSON(ids))
	return t.deleteRelationsAt(ids)
}
