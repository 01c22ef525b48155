package neo4j

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// derivedKey is the property with the hashes of what other properties of a memory follow from.
// A person who changes that does not change them.
const derivedKey = "derivedFrom"

// derived are the hashes of the parts of a memory.
type derived [6]string

const (
	derivedText = iota
	derivedObservations
	derivedPlace // its tier and validity
	derivedLife
	derivedUse  // when it was made and used
	derivedName // the name that its content gives
)

func (d derived) String() string { return strings.Join(d[:], "-") }

func derivedFrom(m *brain.Memory) (d derived) {
	at := func(t time.Time) string { return milliseconds(t).String() }
	observations := strings.Join(m.Observations, "\n")
	for i, part := range [len(d)][]string{
		{m.Name, m.Content, m.MemoryType, m.Project, string(m.Importance), strings.Join(m.Tags, "\n"), observations},
		{observations},
		{string(m.Tier), at(m.ValidFrom), at(m.ValidTo)},
		{string(m.Tier), fmt.Sprint(m.Energy), at(m.LastDecay)},
		{at(m.Created), at(m.LastUsed)},
		{brain.NameOf(m.Content)},
	} {
		d[i] = brain.Hash(part...)[:12]
	}
	return d
}

// derivedThen returns the hashes of a node as it was stored.
func derivedThen(p props) (then derived) {
	stored, _ := p[derivedKey].(string)
	copy(then[:], strings.Split(stored, "-"))
	return then
}

// followEdit sets the fields that follow from what a person has changed, and reports whether a
// version counts that. The key of an entity follows once the memory is stored again: its new name
// may be taken. policy is only called if it is needed.
func followEdit(p props, m *brain.Memory, policy func() (*tiers.Policy, error)) (edited, counts bool, err error) {
	now, then := derivedFrom(m), derivedThen(p)
	if now == then || p[packedKey] != nil {
		return false, false, nil
	}
	text := now[derivedText] != then[derivedText]
	if text {
		if m.Entity && now[derivedObservations] == then[derivedObservations] { // so perhaps its content
			m.Observations = strings.FieldsFunc(m.Content, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		if !m.Entity && brain.Hash(m.Name)[:12] == then[derivedName] { // it was the beginning of the content
			m.Name = ""
		}
		key := m.EntityKey
		m.Complete()
		m.EntityKey = key
	}
	if now[derivedLife] != then[derivedLife] {
		policy, err := policy()
		if err != nil {
			return false, false, err
		}
		m.State = policy.Edited(m.State)
	}
	return true, text || now[derivedPlace] != then[derivedPlace], nil
}

// readPolicy reads the lifecycle numbers once in a transaction.
func (t *tx) readPolicy() (*tiers.Policy, error) {
	if t.policy == nil {
		policy, err := brain.ReadPolicy(t)
		if err != nil {
			return nil, err
		}
		t.policy = policy
	}
	return t.policy, nil
}

// Scan reads like a dump, while others write.
func (s *Store) Scan(ctx context.Context, memories bool, fn func(brain.Page) error) error {
	d := newDump(ctx, s, fn)
	if memories {
		return d.memories(ctx)
	}
	return d.others(ctx)
}
