package neo4j

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// strength returns the place of a memory in the lists of Strongest, as a text for
// one index: the name of the list, then "0" for no expiry or "1" and the complement of the
// instant, so that later ones come first, then the id. An index over expiresAt
// would leave out the nodes without one.
func strength(m *brain.Memory) string {
	return listName(m.Tier, !m.PromoteDue.IsZero()) + "|" + place(m.ExpiresAt) + "|" + m.ID
}

// dueSuffix marks the list of memories that are due for promotion.
const dueSuffix = "+due"

// listName returns the name of the list of a tier, or of its memories that are due
// for promotion.
func listName(t tiers.Tier, due bool) string {
	if due {
		return string(t) + dueSuffix
	}
	return string(t)
}

// spans returns ranges of strength for queries: those of both lists of these tiers, between
// two places in each. Their memories count for the tier as or, if that is "", for theirs.
func spans(of func(tiers.Tier) bool, from, to string, as tiers.Tier) (all []any) {
	for _, name := range tierNames(of) {
		for _, list := range []string{name, name + dueSuffix} {
			all = append(all, map[string]any{"tier": cmp.Or(string(as), name), "from": list + from, "to": list + to})
		}
	}
	return all
}

// wholeSpans returns the ranges of complete lists.
func wholeSpans(of func(tiers.Tier) bool) []any { return spans(of, "|", "}", "") }

func place(expires time.Time) string {
	if expires.IsZero() {
		return "0"
	}
	// Flipping the sign bit orders negative numbers before positive ones.
	return fmt.Sprintf("1%016x", ^(uint64(expires.UnixMilli()) ^ 1<<63))
}

// span returns the bounds of a list within strength, both exclusive.
func span(f brain.ListFilter) (from, to string) {
	name := listName(f.Tier, f.DueOnly)
	from, to = name+"|", name+"}" // "}" is what follows "|"
	if f.After != nil {
		from += place(f.After.ExpiresAt) + "|" + f.After.ID
	}
	if !f.Faded.IsZero() {
		from = max(from, name+"|"+place(f.Faded))
	}
	if !f.Unexpired.IsZero() {
		to = name + "|" + place(f.Unexpired)
	}
	return from, to
}

func (t *tx) Strongest(fs ...brain.ListFilter) ([]brain.Memory, error) {
	lists := make([]orderedList, len(fs))
	for i, f := range fs {
		from, to := span(f)
		lists[i] = orderedList{strongestCypher(f), f.Limit, map[string]any{
			"from": from, "to": to, "type": groupKey(f.Type), "tag": f.Tag,
			"project": projectParam(f.Project), "since": instant(f.Since),
		}}
	}
	return t.ordered(lists, strength)
}

// orderedList is a list that an index has in its order: the query, which is the same
// for all lists with the same filters, and the parameters.
type orderedList struct {
	cypher string
	limit  int
	params map[string]any
}

// ordered returns lists one after the other, with one query for all lists with the
// same Cypher. placeOf returns the indexed place of a memory: one that was moved
// meanwhile is read again.
func (t *tx) ordered(lists []orderedList, placeOf func(*brain.Memory) string) ([]brain.Memory, error) {
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
	found := make([][]brain.Memory, len(lists))
	for cypher, group := range groups {
		rows, err := fetchRows(t, memories(), cypher, map[string]any{"lists": group, "limit": limits[cypher]}, inPlace(placeOf))
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			no, _ := r.row[1].(int64)
			if len(found[no]) < lists[no].limit {
				found[no] = append(found[no], r.value)
			}
		}
	}
	return slices.Concat(found...), nil
}

// inPlace returns a key for [fetch]: "" unless the memory has the place that it was
// found by. A memory may be in several lists.
func inPlace(placeOf func(*brain.Memory) string) func(*brain.Memory, []any) string {
	return func(m *brain.Memory, row []any) string {
		if placeOf(m) != row[0] {
			return ""
		}
		return fmt.Sprint(m.ID, row[1:])
	}
}

func strongestCypher(f brain.ListFilter) string {
	var keys, where []string
	if f.Project != nil {
		keys = append(keys, "project")
	}
	if f.Type != "" {
		keys = append(keys, "type")
	}
	if f.Tag != "" {
		where = append(where, "l.tag IN n.tags")
	}
	if !f.Since.IsZero() {
		where = append(where, "n.created >= l.since")
	}
	return orderedCypher(keys, "strength", where)
}

// orderedCypher returns a query that reads lists from the index over the brain, these
// keys and the order. Its rows come in the order of the lists and of the index.
func orderedCypher(keys []string, order string, where []string) string {
	index, seek := []string{"brain"}, []string{"n.brain = $brain"}
	for _, k := range keys {
		index, seek = append(index, k+"Key"), append(seek, "n."+k+"Key = l."+k)
	}
	index = append(index, order)
	seek = append(seek, "n."+order+" > l.from", "n."+order+" < l.to")
	return "UNWIND $lists AS l CALL (l) {\n  MATCH (n:Memory) USING INDEX SEEK n:Memory(" + strings.Join(index, ", ") + ")\n  WHERE " +
		strings.Join(append(seek, where...), " AND ") + "\n  RETURN n.packed AS packed, n." + order + " AS place ORDER BY n." +
		strings.Join(index, ", n.") + " LIMIT $limit\n}\nRETURN packed, place, l.no AS no"
}

func projectParam(p *string) any {
	if p == nil {
		return nil
	}
	return groupKey(*p)
}

const due = `CALL () {
  MATCH (n:Memory) WHERE n.brain = $brain AND n.promoteDue <= $now RETURN n
UNION
  UNWIND $live AS tier MATCH (n:Memory) WHERE n.brain = $brain AND n.tier = tier AND n.expiresAt <= $now RETURN n
} WITH n RETURN n.packed`

func (t *tx) Due(now time.Time) ([]brain.Due, error) {
	params := map[string]any{"now": instant(now), "live": tierNames(tiers.Tier.Live)}
	ms, err := fetch(t, memories(), due, params, memories().anyRow)
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
	rows, err := t.query("MATCH (n:Memory) WHERE n.brain = $brain AND n.strength > '' AND n.tier IN $current UNWIND "+names+
		" AS name WITH name WHERE name <> '' RETURN name, count(*)", map[string]any{"current": tierNames(tiers.Tier.Current)})
	all := map[string]int{}
	for _, r := range rows {
		all[value[string](r, 0)] = int(value[int64](r, 1))
	}
	return all, err
}

// Both count in the index over strength, without reading a node.
const (
	countLists = `MATCH (n:Memory) WHERE n.brain = $brain AND n.strength > ''
RETURN split(n.strength, '|')[0] AS list, count(*) AS n`
	countFaded = `UNWIND $tiers AS t CALL (t) {
  MATCH (n:Memory) WHERE n.brain = $brain AND n.strength >= t.from AND n.strength < t.to RETURN count(*) AS n
} RETURN t.tier AS tier, n`
)

func (t *tx) Counts(now time.Time) (brain.Counts, error) {
	c := brain.Counts{ByTier: make(map[tiers.Tier]int), Faded: make(map[tiers.Tier]int)}
	stored, err := t.query(countLists, nil)
	if err != nil {
		return c, err
	}
	addTiers(c.ByTier, stored)
	faded, err := t.query(countFaded, map[string]any{"tiers": spans(tiers.Tier.Live, "|"+place(now), "}", "")})
	addTiers(c.Faded, faded)
	return c, err
}

// addTiers adds rows of a tier, or the name of a list, and a number to counts by tier.
func addTiers(counts map[tiers.Tier]int, rows []*driver.Record) {
	for _, r := range rows {
		if n := value[int64](r, 1); n > 0 {
			counts[tiers.Tier(strings.TrimSuffix(value[string](r, 0), dueSuffix))] += int(n)
		}
	}
}

// freshness returns the place of a memory in the lists of Freshest, "" for none.
func freshness(m *brain.Memory) string {
	group, at := m.Freshness()
	if at.IsZero() {
		return ""
	}
	return string(group) + "|" + place(at) + "|" + m.ID
}

func (t *tx) Freshest(fs ...brain.FreshFilter) ([]brain.Memory, error) {
	lists := make([]orderedList, len(fs))
	for i, f := range fs {
		lists[i] = orderedList{freshCypher(f), f.Limit, map[string]any{
			"from": string(f.Group) + "|", "to": string(f.Group) + "}", "project": projectParam(f.Project),
		}}
	}
	return t.ordered(lists, freshness)
}

func freshCypher(f brain.FreshFilter) string {
	if f.Project == nil {
		return orderedCypher(nil, "fresh", nil)
	}
	return orderedCypher([]string{"project"}, "fresh", nil)
}
