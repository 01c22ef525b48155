package neo4j

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// ListMemories runs one query for all lists with the same Cypher.
func (t *tx) ListMemories(fs ...brain.ListFilter) ([]brain.Memory, error) {
	groups := map[string][]any{}
	limits := map[string]int{}
	for i, f := range fs {
		if f.By != "" && len(f.Keys) == 0 {
			continue
		}
		cypher := listCypher(f)
		if t.write && f.By == brain.ByText {
			cypher = lockTexts + cypher
		}
		groups[cypher] = append(groups[cypher], listParams(i, f))
		limits[cypher] = max(limits[cypher], cmp.Or(f.Limit, math.MaxInt32))
	}
	all := make([][]brain.Memory, len(fs))
	for cypher, lists := range groups {
		params := map[string]any{"lists": lists, "limit": limits[cypher], "current": tierNames(tiers.Tier.Current), "live": tierNames(tiers.Tier.Live)}
		rows, err := fetchRows(t, memories(), cypher, params)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			no, _ := r.row[0].(int64)
			all[no] = append(all[no], r.value)
		}
	}
	for i, list := range all {
		slices.SortFunc(list, orderOf(fs[i]))
		if fs[i].By == "" {
			all[i] = list[:min(len(list), cmp.Or(fs[i].Limit, len(list)))]
		}
	}
	return slices.Concat(all...), nil
}

// orderOf returns the order of a list: what the index found may have changed since.
func orderOf(f brain.ListFilter) func(a, b brain.Memory) int {
	return func(a, b brain.Memory) int {
		first := 0
		switch {
		case f.Group != "":
			_, x := a.Freshness()
			_, y := b.Freshness()
			first = y.Compare(x)
		case f.Newest:
			first = b.Created.Compare(a.Created)
		case f.Tier != "":
			first = lastsUntil(&b).Compare(lastsUntil(&a))
		}
		return cmp.Or(first, cmp.Compare(a.ID, b.ID))
	}
}

func listParams(no int, f brain.ListFilter) map[string]any {
	return map[string]any{
		"no": no, "group": string(f.Group), "tier": string(f.Tier), "type": f.Type, "tag": f.Tag, "project": projectParam(f.Project),
		"keys": f.Keys, "tiers": listParam(f.Tiers), "since": instant(f.Since), "unexpired": instant(f.Unexpired), "faded": instant(f.Faded), "due": instant(f.Due), "after": f.After,
	}
}

// never is the end of a memory that does not expire: an index has no nodes without one.
var never = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

func lastsUntil(m *brain.Memory) time.Time {
	if m.ExpiresAt.IsZero() {
		return never
	}
	return milliseconds(m.ExpiresAt)
}

const newestOrder = "n.created IS NOT NULL DESC, n.created DESC, n.id"

// listCypher returns a query that reads lists from the index that has their order.
func listCypher(f brain.ListFilter) string {
	lists, match, index, order := "UNWIND $lists AS l CALL (l)", "", "brain, id", "n.brain, n.id"
	where := []string{"n.brain = $brain"}
	and := func(yes bool, condition string) {
		if yes {
			where = append(where, condition)
		}
	}
	switch {
	case f.By != "" && f.Limit > 0:
		lists, index = "UNWIND $lists AS l UNWIND l.keys AS key WITH DISTINCT l, key CALL (l, key)", "brain, "+string(f.By)
		order = "coalesce(n.entity, false) DESC, " + newestOrder
		and(true, "n."+string(f.By)+" = key AND n.tier IN $current")
	case f.By != "":
		index = "brain, " + string(f.By)
		and(true, "n."+string(f.By)+" IN l.keys AND n.tier IN $current")
	case f.Entities:
		index = "brain, entityKey"
		and(true, "n.entityKey IS NOT NULL")
	case f.Group != "":
		index, order = "brain, freshGroup, freshAt", "n.brain DESC, n.freshGroup DESC, n.freshAt DESC, n.id"
		and(true, "n.freshGroup = l.group AND n.freshAt IS NOT NULL")
	case f.Newest:
		order = newestOrder
		and(true, "n.tier IN $current")
	case len(f.Tiers) > 0:
		and(true, "n.tier IN l.tiers")
	case !f.Due.IsZero():
		match = "CALL (l) {\n" + dueCypher + "\n} WITH n, l"
	case f.Tier != "" && f.DueOnly: // few
		index, order = "brain, promoteDue", "n.lastsUntil DESC, n.id"
		and(true, "n.promoteDue IS NOT NULL AND n.tier = l.tier")
	case f.Tier != "":
		index, order = "brain, tier, lastsUntil", "n.brain DESC, n.tier DESC, n.lastsUntil DESC, n.id"
		and(true, "n.tier = l.tier AND n.lastsUntil IS NOT NULL AND n.promoteDue IS NULL")
	default:
		and(true, "n.tier IN $current")
	}
	and(order == "n.brain, n.id" || f.Newest, "n.id > l.after")
	and(!f.Unexpired.IsZero(), "n.lastsUntil > l.unexpired")
	and(!f.Faded.IsZero(), "n.lastsUntil <= l.faded")
	and(f.Type != "", "n.memoryType = l.type")
	and(f.Tag != "", "l.tag IN n.tags")
	and(!f.Since.IsZero(), "n.created >= l.since")
	and(f.Project != nil, "coalesce(n.project, '') = l.project")
	match = cmp.Or(match, "MATCH (n:Memory) USING INDEX SEEK n:Memory("+index+")")
	return lists + " {\n  " + match + "\n  WHERE " +
		strings.Join(where, " AND ") + "\n  RETURN n ORDER BY " + order + " LIMIT $limit\n}\nRETURN " + node + ", l.no AS no"
}

func projectParam(p *string) any {
	if p == nil {
		return nil
	}
	return *p
}

// tierNames returns the names of the tiers for which is returns true.
func tierNames(is func(tiers.Tier) bool) (names []string) {
	for _, t := range tiers.All() {
		if is(t) {
			names = append(names, string(t))
		}
	}
	return names
}

// dueCypher finds what has fallen due.
const dueCypher = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, promoteDue) WHERE n.brain = $brain AND n.promoteDue <= l.due AND n.tier IN $live RETURN n
UNION
MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, tier, lastsUntil) WHERE n.brain = $brain AND n.tier IN $live AND n.lastsUntil <= l.due RETURN n`

const (
	// ofTiers reads the memories of tiers.
	ofTiers = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, tier, lastsUntil) WHERE n.brain = $brain AND n.tier IN $tiers AND n.lastsUntil IS NOT NULL `
	// countTiers and countFaded do not read the nodes.
	countTiers = ofTiers + `RETURN n.tier, count(*)`
	countFaded = `MATCH (n:Memory) WHERE n.brain = $brain AND n.tier IN $tiers AND n.lastsUntil <= $now RETURN n.tier, count(*)`
)

func (t *tx) Counts(now time.Time) (brain.Counts, error) {
	c := brain.Counts{ByTier: make(map[tiers.Tier]int), Faded: make(map[tiers.Tier]int)}
	every := func(tiers.Tier) bool { return true }
	stored, err := t.query(countTiers, map[string]any{"tiers": tierNames(every)})
	if err != nil {
		return c, err
	}
	addCounts(c.ByTier, stored)
	faded, err := t.query(countFaded, map[string]any{"tiers": tierNames(tiers.Tier.Live), "now": instant(now)})
	addCounts(c.Faded, faded)
	return c, err
}

// addCounts adds rows of a name and a number to counts by name.
func addCounts[K ~string](counts map[K]int, rows []*driver.Record) {
	for _, r := range rows {
		counts[K(value[string](r, 0))] += int(value[int64](r, 1))
	}
}
