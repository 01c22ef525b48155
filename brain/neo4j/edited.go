package neo4j

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// derivedKey is the property with the hashes of what other properties of a memory follow from.
// A person who changes that does not change them.
const derivedKey = "derivedFrom"

// derivedFrom returns the hashes of the text, the life and the observations of a memory.
func derivedFrom(m *brain.Memory) [3]string {
	observations := strings.Join(m.Observations, "\n")
	return [3]string{
		brain.Hash(m.Name, m.Content, m.MemoryType, m.Project, string(m.Importance), strings.Join(m.Tags, "\n"), observations)[:16],
		brain.Hash(string(m.Tier), strconv.FormatFloat(m.Energy, 'g', -1, 64), strconv.FormatInt(m.LastDecay.UnixMilli(), 10))[:16],
		brain.Hash(observations)[:16],
	}
}

// derivedThen returns the hashes of a node as it was stored.
func derivedThen(p props) (then [3]string) {
	stored, _ := p[derivedKey].(string)
	copy(then[:], strings.Split(stored, "-"))
	return then
}

// followEdit sets the fields that follow from what a person has changed. The key of an entity
// follows once the memory is stored again: its new name may be taken. timeline is only called
// if it is needed.
func followEdit(p props, m *brain.Memory, timeline func() (tiers.Timeline, error)) (edited bool, err error) {
	if p[packedKey] != nil {
		return false, nil
	}
	now, then := derivedFrom(m), derivedThen(p)
	text, life := now[0] != then[0], now[1] != then[1]
	if text {
		if m.Entity && now[2] == then[2] { // not its observations, so perhaps its content
			m.Observations = strings.FieldsFunc(m.Content, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		key := m.EntityKey
		m.Complete()
		m.EntityKey = key
	}
	if life {
		tl, err := timeline()
		if err != nil {
			return false, err
		}
		m.State = tl.Edited(m.State)
	}
	return text || life, nil
}

// readTimeline reads the lifecycle numbers once in a transaction.
func (t *tx) readTimeline() (tiers.Timeline, error) {
	if t.timeline == nil {
		tl, err := brain.Timeline(t)
		if err != nil {
			return nil, err
		}
		t.timeline = tl
	}
	return t.timeline, nil
}

// EachMemory reads the memories like a dump.
func (s *Store) EachMemory(ctx context.Context, fn func(page []brain.Memory, edited []string) error) (unreadable []brain.Unreadable, err error) {
	var d *dump
	d = newDump(ctx, s, func(p brain.Page) error {
		unreadable = append(unreadable, p.Unreadable...)
		edited := slices.Clone(d.edited)
		d.edited = nil
		if len(p.Memories) == 0 {
			return nil
		}
		return fn(p.Memories, edited)
	})
	err = each(ctx, d, memories(), brain.MemoryNode, func(ms []brain.Memory) brain.Page { return brain.Page{Memories: ms} })
	if err == nil {
		err = d.strays(ctx)
	}
	return unreadable, err
}
