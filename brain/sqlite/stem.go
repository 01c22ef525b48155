package sqlite

import (
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// finishStems adds the terms of this Update to the table. It keeps terms whose last doc is
// deleted. They are so few that looking for them would take longer than reading them.
func (t *tx) finishStems() {
	if len(t.changes.stems) > 0 {
		t.exec(addStems, t.s.brain, distinctJSON(slices.Sorted(maps.Keys(t.changes.stems))))
	}
}

const addStems = `INSERT OR IGNORE INTO stem SELECT ?, value FROM json_each(?)`

const stemsQuery = `SELECT ifnull(group_concat(term, ' '), '') FROM stem WHERE brain = ?`

// StandIns reads the whole table of terms.
func (t *tx) StandIns(unknown ...string) (all []words.StandIn, err error) {
	s, err := t.scopeOf(brain.SearchQuery{})
	if err != nil {
		return nil, err
	}
	var joined string
	if err := t.one(t.ctx, stemsQuery, []any{t.s.brain}, &joined); err != nil {
		return nil, err
	}
	vocabulary := strings.Fields(joined)
	for _, word := range unknown {
		found, err := s.held(words.StandIns(word, vocabulary))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// held returns the first stand-ins that a current doc still has.
func (s scope) held(like []words.StandIn) (found []words.StandIn, err error) {
	for _, n := range like {
		if len(found) == words.MaxStandIns {
			break
		}
		list, err := s.list(n.Term, true)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			found = append(found, n)
		}
	}
	return found, nil
}
