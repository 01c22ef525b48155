package sqlite

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	// expires is the expression that the indexes are on.
	expires = `ifnull(m.expires_at, 9223372036854775807)`
	// soundTags are none if they are damaged: functions for JSON would end the query.
	soundTags = `iif(json_valid(m.tags), m.tags, NULL)`
)

// conditions collects the conditions that a row must satisfy, with their parameters.
type conditions struct {
	sql  []string
	args []any
}

func (c *conditions) add(sql string, args ...any) {
	c.sql = append(c.sql, sql)
	c.args = append(c.args, args...)
}

func (c *conditions) addIf(yes bool, sql string, args ...any) {
	if yes {
		c.add(sql, args...)
	}
}

// ofProject adds the condition for a project; shared also lets pass what has none.
func (c *conditions) ofProject(p *string, shared bool) {
	switch {
	case p != nil && shared:
		c.add("m.project IN (?, '')", *p)
	case p != nil:
		c.add("m.project = ?", *p)
	}
}

func (c *conditions) String() string { return strings.Join(c.sql, " AND ") }

// ListMemories runs one query for each list.
func (t *tx) ListMemories(fs ...brain.ListFilter) (all []brain.Memory, err error) {
	for _, f := range fs {
		if f.By != "" && len(f.Keys) == 0 {
			continue
		}
		query, args := t.listQuery(f)
		some, err := collect(t, memories().dest(t), query, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// listQuery returns the query of a list: a range of an index that has its order. Without the
// name of the index, SQLite may choose one with which it reads as many rows as are stored.
func (t *tx) listQuery(f brain.ListFilter) (string, []any) {
	if f.By != "" && f.Limit > 0 {
		return "SELECT " + memories().selected + " FROM json_each(?1) j CROSS JOIN memory m WHERE m.seq IN (" +
			"SELECT m.seq FROM memory m INDEXED BY memory_name WHERE m.brain = ?2 AND m.name_key = j.value AND " + isCurrent +
			" ORDER BY m.entity DESC, m.created DESC, m.id LIMIT +?3) ORDER BY m.id", []any{asJSON(f.Keys), t.s.brain, f.Limit}
	}
	var c conditions
	c.add("m.brain = ?", t.s.brain)
	index, order := "memory_id", "m.id"
	switch {
	case f.By != "":
		column := map[brain.Key]string{brain.ByEntity: "entity_key", brain.ByName: "name_key", brain.ByText: "text_key"}[f.By]
		index = "memory_" + strings.TrimSuffix(column, "_key")
		c.add(isCurrent+" AND m."+column+" <> '' AND m."+column+" IN (SELECT value FROM json_each(?))", asJSON(f.Keys))
	case f.Entities:
		index = "memory_entity"
		c.add("m.entity_key IS NOT NULL")
	case f.Group != "":
		index, order = "memory_fresh", "m.fresh DESC, m.id"
		c.add("m.fresh IS NOT NULL AND m.fresh_group = ?", string(f.Group))
	case f.Newest: // the index has what the order needs, so that few rows are read
		index, order = "memory_name", "m.created DESC, m.id"
		c.add(isCurrent)
	case len(f.Tiers) > 0:
		c.add("m.tier IN (SELECT value FROM json_each(?))", asJSON(f.Tiers))
	case !f.Due.IsZero():
		index = ""
		c.add("m.seq IN ("+dueQuery+")", t.s.brain, f.Due.UnixMilli(), f.Due.UnixMilli(), t.s.brain, f.Due.UnixMilli())
	case f.Tier != "" && f.DueOnly:
		index, order = "memory_due_strength", expires+" DESC, m.id"
		c.add("m.tier = ? AND m.promote_due IS NOT NULL", f.Tier)
	case f.Tier != "":
		index, order = "memory_strength", expires+" DESC, m.id"
		c.add("m.tier = ? AND m.promote_due IS NULL", f.Tier)
	default:
		c.add(isCurrent)
	}
	c.addIf(f.After != "", "m.id > ?", f.After)
	c.ofProject(f.Project, false)
	c.addIf(f.Type != "", "m.memory_type = ?", f.Type)
	c.addIf(f.Tag != "", "EXISTS (SELECT 1 FROM json_each("+soundTags+") j WHERE j.value = ?)", f.Tag)
	c.addIf(!f.Since.IsZero(), "m.created >= ?", millis(f.Since))
	c.addIf(!f.Unexpired.IsZero(), expires+" > ?", f.Unexpired.UnixMilli())
	c.addIf(!f.Faded.IsZero(), expires+" <= ?", f.Faded.UnixMilli())
	by := "INDEXED BY " + index
	if index == "" {
		by = "NOT INDEXED" // but by seq
	}
	columns, rest := memories().selected, " FROM memory m "+by+" WHERE "+c.String()+" ORDER BY "+order+" LIMIT +?"
	if f.Newest {
		rest = " FROM memory m WHERE m.seq IN (SELECT m.seq" + rest + ") ORDER BY " + order
	}
	return "SELECT " + columns + rest, append(c.args, cmp.Or(f.Limit, -1))
}

const (
	liveTiers = `m.tier IN ('working', 'shortTerm', 'longTerm', 'core')`
	// dueQuery finds what is due, once due memories have indexes of their own.
	dueQuery = `SELECT m.seq FROM memory m INDEXED BY memory_due_strength
			WHERE m.brain = ? AND m.promote_due IS NOT NULL AND ` + liveTiers + ` AND (m.promote_due <= ? OR ` + expires + ` <= ?)
		UNION ALL SELECT m.seq FROM memory m INDEXED BY memory_strength
			WHERE m.brain = ? AND m.promote_due IS NULL AND ` + liveTiers + ` AND ` + expires + ` <= ?`
	tallyQuery = `SELECT what, number FROM tally WHERE brain = ?1 AND what NOT IN ('notes', 'talk')`
	// fadedQuery counts the memories of live tiers that are past expiresAt.
	fadedQuery = `SELECT m.tier, count(*) FROM memory m
			WHERE m.brain = ?1 AND m.promote_due IS NULL AND ` + liveTiers + ` AND ` + expires + ` <= ?2 GROUP BY m.tier
		UNION ALL SELECT m.tier, count(*) FROM memory m
			WHERE m.brain = ?1 AND m.promote_due IS NOT NULL AND ` + liveTiers + ` AND ` + expires + ` <= ?2 GROUP BY m.tier`
)

func (t *tx) Counts(now time.Time) (out brain.Counts, err error) {
	query := tallyQuery
	if t.s.format != schemaVersion { // which may have no tally
		query = `SELECT tier, count(*) FROM memory WHERE brain = ?1 GROUP BY tier`
	}
	if out.ByTier, err = countRows[tiers.Tier](t, query, t.s.brain); err == nil {
		out.Faded, err = countRows[tiers.Tier](t, fadedQuery, t.s.brain, now.UnixMilli())
	}
	return out, err
}

// countRows returns the numbers above 0 of rows of a name and a number.
func countRows[K ~string](t *tx, query string, args ...any) (map[K]int, error) {
	type count struct {
		name   K
		number int
	}
	found, err := collect(t, func(c *count) []any { return []any{&c.name, &c.number} }, query, args...)
	all := map[K]int{}
	for _, c := range found {
		if c.number > 0 {
			all[c.name] += c.number
		}
	}
	return all, err
}

// writtenQuery reads memories by doc and seq. A new text gets the next doc, whose number is
// never used again. What a memory was has the doc of the memory, if its text
// is the same, and a new seq.
func writtenQuery() string {
	return `SELECT ` + memories().selected + `, m.doc, m.seq FROM memory m INDEXED BY memory_doc
		WHERE m.brain = ?1 AND m.doc >= ?2 AND (m.doc > ?2 OR m.seq > ?3) ORDER BY m.doc, m.seq LIMIT +?4`
}

// Written returns memories in the order of their texts. A mark has the token of the brain,
// and the doc and the seq of the memory that it is after.
func (t *tx) Written(after string, limit int) ([]brain.Memory, string, error) {
	var doc, seq int64
	mark := t.s.token + ".%d.%d"
	if n, _ := fmt.Sscanf(after, mark, &doc, &seq); n < 2 {
		doc, seq = 0, 0
	}
	dest := func(m *brain.Memory) []any { return append(memories().dest(t)(m), &doc, &seq) }
	ms, err := collect(t, dest, writtenQuery(), t.s.brain, doc, seq, max(limit, 0))
	if err != nil {
		return nil, "", err
	}
	return ms, fmt.Sprintf(mark, doc, seq), nil
}
