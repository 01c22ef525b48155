package neo4j

import (
	"cmp"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

func (t *tx) Strongest(fs ...brain.ListFilter) ([]brain.Memory, error) {
	lists := make([]orderedList, len(fs))
	for i, f := range fs {
		lists[i] = orderedList{strongestCypher(f), f.Limit, map[string]any{
			"tier": string(f.Tier), "type": f.Type, "tag": f.Tag, "project": projectParam(f.Project), "since": instant(f.Since),
			"unexpired": instant(f.Unexpired), "faded": instant(f.Faded), "until": never.AddDate(1, 0, 0),
		}}
		if f.After != nil {
			lists[i].params["until"], lists[i].params["after"] = cmp.Or(instant(f.After.ExpiresAt), any(never)), f.After.ID
		}
	}
	return t.ordered(lists, func(a, b brain.Memory) int {
		return cmp.Or(lastsUntil(&b).Compare(lastsUntil(&a)), cmp.Compare(a.ID, b.ID))
	})
}

// never is the end of a memory that does not expire: an index has no nodes without one.
var never = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

func lastsUntil(m *brain.Memory) time.Time {
	if m.ExpiresAt.IsZero() {
		return never
	}
	return m.ExpiresAt
}

// orderedList is a list that an index has in its order: the query, which is the same
// for all lists with the same filters, and the parameters.
type orderedList struct {
	cypher string
	limit  int
	params map[string]any
}

// ordered returns lists one after the other, with one query for all lists with the
// same Cypher.
func (t *tx) ordered(lists []orderedList, compare func(a, b brain.Memory) int) ([]brain.Memory, error) {
	groups := make(map[string][]any)
	limits := make(map[string]int)
	for i, l := range lists {
		if l.limit <= 0 {
			return nil, brain.Errorf(brain.ErrInvalid, "", "a list needs a limit above 0, not %d", l.limit)
		}
		l.params["no"] = i
		groups[l.cypher] = append(groups[l.cypher], l.params)
		limits[l.cypher] = max(limits[l.cypher], l.limit)
	}
	all := make([][]brain.Memory, len(lists))
	for cypher, group := range groups {
		rows, err := fetchRows(t, memories(), cypher, map[string]any{"lists": group, "limit": limits[cypher]})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			no, _ := r.row[0].(int64)
			all[no] = append(all[no], r.value)
		}
	}
	for i, list := range all {
		slices.SortFunc(list, compare)
		all[i] = list[:min(len(list), lists[i].limit)]
	}
	return slices.Concat(all...), nil
}

func strongestCypher(f brain.ListFilter) string {
	where := []string{"n.brain = $brain", "n.tier = l.tier", "n.lastsUntil <= l.until", "n.promoteDue IS NULL"}
	if f.DueOnly {
		where[3] = "n.promoteDue IS NOT NULL"
	}
	if !f.Unexpired.IsZero() {
		where = append(where, "n.lastsUntil > l.unexpired")
	}
	if !f.Faded.IsZero() {
		where = append(where, "n.lastsUntil <= l.faded")
	}
	if f.After != nil {
		where = append(where, "(n.lastsUntil < l.until OR n.id > l.after)")
	}
	if f.Type != "" {
		where = append(where, "n.memoryType = l.type")
	}
	if f.Tag != "" {
		where = append(where, "l.tag IN n.tags")
	}
	if !f.Since.IsZero() {
		where = append(where, "n.created >= l.since")
	}
	return orderedCypher("tier", "lastsUntil", f.Project, where)
}

// orderedCypher returns a query that reads lists from the index over the brain, a key and an
// instant, latest first, ties by id.
func orderedCypher(key, at string, project *string, where []string) string {
	if project != nil {
		where = append(where, "coalesce(n.project, '') = l.project")
	}
	order := "n.brain DESC, n." + key + " DESC, n." + at + " DESC, n.id"
	return "UNWIND $lists AS l CALL (l) {\n  MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, " + key + ", " + at + ")\n  WHERE " +
		strings.Join(where, " AND ") + "\n  RETURN n ORDER BY " + order + " LIMIT $limit\n}\nRETURN " + node + ", l.no AS no"
}

func projectParam(p *string) any {
	if p == nil {
		return nil
	}
	return *p
}

func (t *tx) Freshest(fs ...brain.FreshFilter) ([]brain.Memory, error) {
	lists := make([]orderedList, len(fs))
	for i, f := range fs {
		lists[i] = orderedList{freshCypher(f), f.Limit, map[string]any{"group": string(f.Group), "project": projectParam(f.Project)}}
	}
	return t.ordered(lists, func(a, b brain.Memory) int {
		_, x := a.Freshness()
		_, y := b.Freshness()
		return cmp.Or(y.Compare(x), cmp.Compare(a.ID, b.ID))
	})
}

func freshCypher(f brain.FreshFilter) string {
	return orderedCypher("freshGroup", "freshAt", f.Project, []string{"n.brain = $brain", "n.freshGroup = l.group", "n.freshAt IS NOT NULL"})
}

const due = `CALL () {
  MATCH (n:Memory) WHERE n.brain = $brain AND n.promoteDue <= $now RETURN n
UNION
  UNWIND $live AS tier MATCH (n:Memory) WHERE n.brain = $brain AND n.tier = tier AND n.expiresAt <= $now RETURN n
} RETURN ` + node

func (t *tx) Due(now time.Time) ([]brain.Due, error) {
	params := map[string]any{"now": instant(now), "live": tierNames(tiers.Tier.Live)}
	ms, err := fetch(t, memories(), due, params)
	past := func(at time.Time) bool { return !at.IsZero() && !at.After(now) }
	all := make([]brain.Due, 0, len(ms))
	for _, m := range ms {
		if past(m.PromoteDue) || m.Tier.Live() && past(m.ExpiresAt) { // it may have changed since the index found it
			all = append(all, brain.Due{ID: m.ID, Tier: m.Tier, Energy: m.Energy, PromoteDue: m.PromoteDue, ExpiresAt: m.ExpiresAt})
		}
	}
	return all, err
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

func (t *tx) CountBy(g brain.Group) (map[string]int, error) {
	names := map[brain.Group]string{brain.ByType: "[n.memoryType]", brain.ByProject: "[n.project]", brain.ByTag: "n.tags"}[g]
	rows, err := t.query(ofTiers+"UNWIND "+names+" AS name WITH name WHERE name <> '' RETURN name, count(*)", map[string]any{"tiers": tierNames(tiers.Tier.Current)})
	all := map[string]int{}
	for _, r := range rows {
		all[value[string](r, 0)] = int(value[int64](r, 1))
	}
	return all, err
}

const (
	// ofTiers reads the memories of tiers.
	ofTiers = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, tier, lastsUntil) WHERE n.brain = $brain AND n.tier IN $tiers AND n.lastsUntil IS NOT NULL `
	// countTiers and countFaded do not read the nodes.
	countTiers = ofTiers + `RETURN n.tier, count(*)`
	countFaded = `MATCH (n:Memory) WHERE n.brain = $brain AND n.tier IN $tiers AND n.expiresAt <= $now RETURN n.tier, count(*)`
)

func (t *tx) Counts(now time.Time) (brain.Counts, error) {
	c := brain.Counts{ByTier: make(map[tiers.Tier]int), Faded: make(map[tiers.Tier]int)}
	every := func(tiers.Tier) bool { return true }
	stored, err := t.query(countTiers, map[string]any{"tiers": tierNames(every)})
	if err != nil {
		return c, err
	}
	addTiers(c.ByTier, stored)
	faded, err := t.query(countFaded, map[string]any{"tiers": tierNames(tiers.Tier.Live), "now": instant(now)})
	addTiers(c.Faded, faded)
	return c, err
}

// addTiers adds rows of a tier and a number to counts by tier.
func addTiers(counts map[tiers.Tier]int, rows []*driver.Record) {
	for _, r := range rows {
		counts[tiers.Tier(value[string](r, 0))] += int(value[int64](r, 1))
	}
}
