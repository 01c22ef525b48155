package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// helper compares the nodes of a kind with what the program stores.
type helper[T any] struct {
	kind[T]

	// should returns the properties and labels that follow from a node, nil if a person has changed
	// it: then they follow with the next run.
	should     func(p props, v *T) (newNode, error)
	properties []string // that are compared
}

// eachHelper compares all helper properties, and corrects them if correct. found receives the
// nodes by property.
func (s *Store) eachHelper(ctx context.Context, found map[string][]string, correct bool) error {
	policy := newDump(ctx, s.unhinted(), nil).policy
	err := eachHelper(ctx, s, helper[brain.Memory]{memories(), func(p props, m *brain.Memory) (newNode, error) {
		return s.memoryShould(p, m, policy)
	}, []string{"contentHash", "nameKey", "entityKey", "textKey", wordsKey, scopeKey, "length", "lastsUntil", "freshGroup", "freshAt", "expiresAt", "written", vectorModel}}, found, correct)
	if err == nil {
		err = eachHelper(ctx, s, helper[brain.Section]{sections(), func(_ props, x *brain.Section) (newNode, error) {
			return s.sectionNode(x)
		}, []string{wordsKey, scopeKey, "length", talkKey, talkScopeKey, "talkLength", vectorModel}}, found, correct)
	}
	if err == nil {
		err = eachHelper(ctx, s, helper[brain.Source]{sources(), func(_ props, x *brain.Source) (newNode, error) {
			return sourceNode(x)
		}, []string{"date", "dir", "file"}}, found, correct)
	}
	return err
}

// memoryShould returns a memory as the program stores it.
func (s *Store) memoryShould(p props, m *brain.Memory, policy func() (*tiers.Policy, error)) (newNode, error) {
	if now := derivedFrom(m); now != derivedThen(p) {
		return newNode{}, nil
	}
	key := m.EntityKey
	m.Complete()
	if key == "" { // another entity may have the name, which health says
		m.EntityKey = ""
	}
	if lifecycle, err := policy(); err == nil { // otherwise a dump names the numbers
		if then := lifecycle.Recompute(m.State); then.ExpiresAt.IsZero() != m.ExpiresAt.IsZero() {
			m.ExpiresAt = then.ExpiresAt
		}
	}
	n, err := s.memoryNode(m)
	if n.props["written"] = p["written"]; !isText(p["written"]) {
		n.props["written"] = fmt.Sprintf("%013d.0", time.Now().UnixMilli())
	}
	return n, err
}

func isText(v any) bool { _, is := v.(string); return is }

// eachHelper reads the nodes of a kind page by page, locked if they are to be corrected.
func eachHelper[T any](ctx context.Context, s *Store, h helper[T], found map[string][]string, correct bool) error {
	lock, do := "", s.unhinted().repeat
	if correct {
		lock = " SET n._lock = true REMOVE n._lock"
		do = func(ctx context.Context, _ driver.AccessMode, fn func(*tx) error) error {
			return s.update(ctx, func(btx brain.Tx) error { t, _ := btx.(*tx); return fn(t) })
		}
	}
	page := "MATCH (n:" + h.label + ") WHERE n.brain = $brain AND n.id > $after WITH n ORDER BY n.brain, n.id LIMIT $limit" + lock +
		" RETURN n {.*, " + vectorProperty(int(s.dimensions.Load())) + ": null}, n.id, labels(n)"
	for after, more := "", true; more; {
		var last string
		var names map[string][]string
		err := do(ctx, driver.AccessModeRead, func(t *tx) error {
			rows, err := t.query(page, map[string]any{"after": after, "limit": brain.PageSize})
			names, more = map[string][]string{}, len(rows) > 0
			for _, r := range rows {
				last = value[string](r, 1)
				if err == nil {
					err = h.compare(t, r, names, correct)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		after = last
		for property, some := range names {
			found[property] = append(found[property], some...)
		}
	}
	return nil
}

// compare compares one node, and corrects it.
func (h helper[T]) compare(t *tx, r *driver.Record, found map[string][]string, correct bool) error {
	p := value[props](r, 0)
	var v T
	if h.read(p, &v) != nil || brain.CheckFields(h.fields(&v)) != nil {
		return nil // a dump names it
	}
	n, err := h.should(p, &v)
	if err != nil || n.props == nil {
		return nil //nolint:nilerr // no program could have stored it, and a dump names what cannot be read
	}
	change := props{}
	for _, name := range h.properties {
		want := n.props[name]
		if name == vectorModel && want != nil && isText(p[name]) { // the name of a model
			want = p[name]
		}
		if !sameProperty(p[name], want) {
			change[name] = want
			found[name] = append(found[name], h.label+" "+h.id(&v))
		}
	}
	labels := slices.DeleteFunc(n.labels, func(l string) bool { return slices.Contains(value[[]any](r, 2), any(l)) })
	if len(labels) > 0 {
		found["label"] = append(found["label"], h.label+" "+h.id(&v))
	}
	if !correct || len(change) == 0 && len(labels) == 0 {
		return nil
	}
	cypher := "MATCH (n:" + h.label + " {brain: $brain, id: $id}) SET n += $change"
	for _, l := range labels {
		cypher += " SET n:" + l
	}
	_, err = t.query(cypher, map[string]any{"id": h.id(&v), "change": maps.Clone(change)})
	return err
}

// sameProperty compares a stored property with what the program stores.
func sameProperty(stored, want any) bool {
	at, isTime := stored.(time.Time)
	wanted, wantTime := want.(time.Time)
	switch n := want.(type) {
	case int:
		return stored == int64(n)
	case []string:
		return fmt.Sprint(stored) == fmt.Sprint(want)
	}
	if isTime && wantTime {
		return at.Equal(wanted)
	}
	return stored == want
}
