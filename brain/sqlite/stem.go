package sqlite

import (
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// finishStems adds the terms of this Update to the table. It keeps terms whose last doc is
// deleted. They are so few that looking for them would take longer than reading them.
func (t *tx) finishStems() error {
	if len(t.changes.stems) == 0 {
		return nil
	}
	return t.exec(`INSERT OR IGNORE INTO stem SELECT ?, value FROM json_each(?)`,
		t.s.brain, distinctJSON(slices.Sorted(maps.Keys(t.changes.stems))))
}

const stemsQuery = `SELECT group_concat(term, ' ') FROM stem WHERE brain = ?`

// StandIns reads the table of terms only if a word is unknown.
func (t *tx) StandIns(typed ...string) ([]words.StandIn, error) {
	s, err := t.scopeOf(brain.SearchQuery{})
	if err != nil {
		return nil, err
	}
	var vocabulary []string
	var all []words.StandIn
	for _, word := range typed {
		known, err := s.has(words.Index(word))
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		if vocabulary == nil {
			if vocabulary, err = s.vocabulary(); err != nil {
				return nil, err
			}
		}
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
		known, err := s.has(n.Term)
		if err != nil {
			return nil, err
		}
		if known {
			found = append(found, n)
		}
	}
	return found, nil
}

// has reports whether a current doc has a term.
func (s scope) has(term string) (bool, error) {
	list, err := s.list(term, true)
	return len(list) > 0, err
}

func (s scope) vocabulary() (all []string, err error) {
	dest := func(joined *sql.RawBytes) []any { return []any{joined} }
	err = scan(s.t.ctx, s.t, dest, stemsQuery, []any{s.t.s.brain}, func(joined sql.RawBytes) error {
		all = strings.Fields(string(joined))
		return nil
	})
	return all, err
}
