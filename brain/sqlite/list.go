package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// never is where a memory without expiresAt stands in the order of strength.
const (
	never   = 1<<63 - 1
	expires = `ifnull(m.expires_at, 9223372036854775807)` // never; the indexes are on this very text
)

// conditions collects what a row must satisfy, with its parameters.
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

func (c *conditions) String() string { return strings.Join(c.sql, " AND ") }

// Strongest lists memories of tiers.
func (t *tx) Strongest(fs ...brain.ListFilter) ([]brain.Memory, error) {
	var all []brain.Memory
	for _, f := range fs {
		query, args := t.strongest(f)
		ms, err := collect(t, memoryFields, query, args...)
		if err != nil {
			return nil, t.fail("list memories", err)
		}
		all = append(all, ms...)
	}
	return all, nil
}

// shelf names the index that holds a list as one range, in its order. The
// planner is not left to choose it: the others are right as well, but read as
// many rows as are stored.
func shelf(f brain.ListFilter) string {
	switch {
	case f.Project != nil || f.Type != "":
		return "memory_project_type"
	case f.DueOnly:
		return "memory_due_strength"
	}
	return "memory_strength"
}

// strongest renders the query: a range of one of the indexes of strength, read
// in its order; for a project of any type, or a type of any project, the best
// of one range for each of them.
func (t *tx) strongest(f brain.ListFilter) (string, []any) {
	c := t.listed(f)
	group := ""
	switch {
	case f.Project != nil && f.Type == "":
		group = "memory_type"
	case f.Project == nil && f.Type != "":
		group = "project"
	}
	if group != "" {
		return t.strongestOfGroups(f, c, group)
	}
	query := "SELECT " + qualified(memoryColumns) + listRange(f, c) + inStrength
	return query, append(c.args, f.Limit)
}

const inStrength = " ORDER BY " + expires + " DESC, m.id LIMIT ?"

func listRange(f brain.ListFilter, c conditions) string {
	return " FROM memory m INDEXED BY " + shelf(f) + " WHERE " + c.String()
}

// strongestOfGroups finds the different values of a column, each by one seek,
// and merges the first rows of each: an index for either filter alone would
// make every write dearer.
func (t *tx) strongestOfGroups(f brain.ListFilter, c conditions, column string) (string, []any) {
	prefix := conditions{}
	prefix.add("m.brain = ? AND m.is_test = ? AND m.tier = ?", t.s.brain, f.Tests, f.Tier)
	if f.Project != nil {
		prefix.add("m.project = ?", *f.Project)
	}
	next := "(SELECT m." + column + listRange(f, prefix) + "%s ORDER BY m." + column + " LIMIT 1)"
	query := "WITH RECURSIVE g(v) AS (SELECT " + fmt.Sprintf(next, "") +
		" UNION ALL SELECT " + fmt.Sprintf(next, " AND m."+column+" > g.v") + " FROM g WHERE g.v IS NOT NULL)" +
		" SELECT " + qualified(memoryColumns) + " FROM g CROSS JOIN memory m ON m.seq IN (SELECT m.seq" +
		listRange(f, c) + " AND m." + column + " = g.v" + inStrength + ") WHERE g.v IS NOT NULL" + inStrength
	return query, slices.Concat(prefix.args, prefix.args, c.args, []any{f.Limit, f.Limit})
}

// listed is what the rows of a list fulfil.
func (t *tx) listed(f brain.ListFilter) conditions {
	var c conditions
	c.add("m.brain = ? AND m.is_test = ? AND m.tier = ?", t.s.brain, f.Tests, f.Tier)
	if f.Project != nil {
		c.add("m.project = ?", *f.Project)
	}
	c.addIf(f.Type != "", "m.memory_type = ?", f.Type)
	switch {
	case f.Project != nil || f.Type != "":
		c.add("(m.promote_due IS NULL) = ?", !f.DueOnly)
	case f.DueOnly:
		c.add("m.promote_due IS NOT NULL")
	default:
		c.add("m.promote_due IS NULL")
	}
	c.addIf(!f.Unexpired.IsZero(), expires+" > ?", f.Unexpired.UnixMilli())
	c.addIf(!f.Faded.IsZero(), expires+" <= ?", f.Faded.UnixMilli())
	if f.After != nil {
		at := int64(never)
		if !f.After.ExpiresAt.IsZero() {
			at = f.After.ExpiresAt.UnixMilli()
		}
		c.add(expires+" <= ? AND ("+expires+" < ? OR m.id > ?)", at, at, f.After.ID)
	}
	c.addIf(f.Tag != "", "EXISTS (SELECT 1 FROM json_each(m.tags) j WHERE j.value = ?)", f.Tag)
	c.addIf(!f.Since.IsZero(), "m.created >= ?", millis(f.Since))
	return c
}

// dueQueries are the three index ranges that Due reads. A memory can be in two
// of them only if it is due, and then the last one leaves it out.
const (
	dueColumns = `SELECT m.id, m.tier, m.energy, m.promote_due, m.expires_at FROM memory m
		WHERE m.brain = ?1 AND m.is_test = ?2 AND `
	liveTiers = `m.tier IN ('working', 'shortTerm', 'longTerm', 'core')`
	dueQuery  = dueColumns + `m.promote_due <= ?3 AND m.promote_due IS NOT NULL
		UNION ALL ` + dueColumns + `m.promote_due IS NULL AND ` + liveTiers + ` AND ` + expires + ` <= ?3
		UNION ALL ` + dueColumns + `m.promote_due IS NOT NULL AND ` + liveTiers + ` AND ` + expires + ` <= ?3
			AND +m.promote_due > ?3`
)

// Due returns what has to be settled.
func (t *tx) Due(now time.Time, tests bool) ([]brain.Due, error) {
	dest := func(d *brain.Due) []any {
		return []any{&d.ID, &d.Tier, &d.Energy, instant{&d.PromoteDue}, instant{&d.ExpiresAt}}
	}
	due, err := collect(t, dest, dueQuery, t.s.brain, tests, now.UnixMilli())
	return due, t.fail("look for what is due", err)
}

// wasNotable is the condition of the index of what Notable returns, in its
// very words.
const wasNotable = `m.tier = 'expired' AND m.is_test = 0 AND m.importance IN ('critical', 'important')`

// notableQuery reads the index in its order.
func notableQuery() string {
	return `SELECT ` + qualified(memoryColumns) + ` FROM memory m INDEXED BY memory_notable
		WHERE m.brain = ? AND ` + wasNotable + ` ORDER BY m.peak_energy DESC, m.created DESC, m.id LIMIT ?`
}

// Notable returns what was important and has faded.
func (t *tx) Notable(limit int) ([]brain.Memory, error) {
	ms, err := collect(t, memoryFields, notableQuery(), t.s.brain, max(limit, 0))
	return ms, t.fail("list what was important", err)
}

const (
	countNotable = `SELECT count(*) FROM memory m INDEXED BY memory_notable WHERE m.brain = ? AND ` + wasNotable
	// countQuery reads an index that has all memories, and no row of any: the
	// planner would rather take those of strength, and look at each row. A count
	// for each tier costs a third of one that groups.
	countQuery = `SELECT t.value, j.value, (SELECT count(*) FROM memory m INDEXED BY memory_project_type
			WHERE m.brain = ?1 AND m.is_test = t.value AND m.tier = j.value)
		FROM json_each('[0,1]') t CROSS JOIN json_each(?2) j`
	fadedQuery = `SELECT 0, m.tier, count(*) FROM memory m
			WHERE m.brain = ?1 AND m.is_test = 0 AND m.promote_due IS NULL AND ` + liveTiers + `
				AND ` + expires + ` <= ?2 GROUP BY m.tier
		UNION ALL SELECT 0, m.tier, count(*) FROM memory m
			WHERE m.brain = ?1 AND m.is_test = 0 AND m.promote_due IS NOT NULL AND ` + liveTiers + `
				AND ` + expires + ` <= ?2 GROUP BY m.tier`
)

// tally is a row of Counts.
type tally struct {
	test bool
	tier tiers.Tier
	n    int
}

func (c *tally) dest() []any { return []any{&c.test, &c.tier, &c.n} }

// Counts counts memories.
func (t *tx) Counts(now time.Time) (brain.Counts, error) {
	out := brain.Counts{ByTier: map[tiers.Tier]int{}, Faded: map[tiers.Tier]int{}}
	all, err := collect(t, (*tally).dest, countQuery, t.s.brain, asJSON(tiers.All()))
	if err != nil {
		return out, t.fail("count memories", err)
	}
	for _, c := range all {
		if c.test {
			out.Tests += c.n
		} else {
			out.ByTier[c.tier] += c.n
		}
	}
	faded, err := collect(t, (*tally).dest, fadedQuery, t.s.brain, now.UnixMilli())
	for _, c := range faded {
		out.Faded[c.tier] += c.n
	}
	if err != nil {
		return out, t.fail("count memories", err)
	}
	ns, err := collect(t, func(n *int) []any { return []any{n} }, countNotable, t.s.brain)
	if len(ns) == 1 {
		out.Notable = ns[0]
	}
	return out, t.fail("count memories", err)
}
