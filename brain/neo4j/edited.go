package neo4j

import (
	"context"
	"strconv"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// derivedKey is the property with the hashes of what other properties of a memory follow from:
// of its text and of its life. A person who changes that does not change them.
const derivedKey = "derivedFrom"

func derivedFrom(m *brain.Memory) (text, life string) {
	text = brain.Hash(m.Name, m.Content, m.MemoryType, m.Project, string(m.Importance), strings.Join(m.Tags, "\n"), strings.Join(m.Observations, "\n"))
	life = brain.Hash(string(m.Tier), strconv.FormatFloat(m.Energy, 'g', -1, 64), strconv.FormatInt(m.LastDecay.UnixMilli(), 10))
	return text[:16], life[:16]
}

// isEdited reports whether a person has changed the text or the life of a memory.
func isEdited(p props, m *brain.Memory) (text, life bool) {
	textNow, lifeNow := derivedFrom(m)
	stored, _ := p[derivedKey].(string)
	textThen, lifeThen, _ := strings.Cut(stored, "-")
	return textNow != textThen, lifeNow != lifeThen
}

// followEdit sets the fields that follow from what a person has changed. timeline is only
// called if it is needed.
func followEdit(p props, m *brain.Memory, timeline func() (tiers.Timeline, error)) (edited bool, err error) {
	if p[packedKey] != nil {
		return false, nil
	}
	text, life := isEdited(p, m)
	if text {
		m.Complete()
	}
	if life {
		tl, err := timeline()
		if err != nil {
			return false, err
		}
		m.State = tl.Edited(m.State)
		m.Complete() // the key of an entity depends on its tier
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

// EditedByHand compares every memory with what its properties follow from.
func (s *Store) EditedByHand(ctx context.Context) (ids []string, unreadable []brain.Unreadable, err error) {
	d := &dump{s: s, unreadable: map[string]bool{}, fn: func(p brain.Page) error {
		unreadable = append(unreadable, p.Unreadable...)
		return nil
	}}
	err = d.pages(ctx, pageOf(memoryLabel), func(rows []*driver.Record) (last string, err error) {
		for _, r := range rows {
			var m brain.Memory
			p := value[props](r, 0)
			last = value[string](r, 1)
			err := decode(p, m.Fields())
			if err == nil {
				err = brain.CheckFields(m.Fields())
			}
			if err != nil {
				unreadable = append(unreadable, brain.Unreadable{Kind: brain.MemoryNode, ID: last, Why: err.Error()})
			} else if text, life := isEdited(p, &m); text || life {
				ids = append(ids, last)
			}
		}
		return last, nil
	})
	if err == nil {
		err = d.strays(ctx)
	}
	return ids, unreadable, err
}
