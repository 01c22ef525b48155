package sqlite

import (
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// finishStems adds the terms of this Update to the table. It keeps terms whose last text is
// deleted. They are so few that looking for them would take longer than reading them.
func (t *tx) finishStems() {
	if len(t.changes.stems) > 0 {
		t.exec(addStems, t.s.brain, distinctJSON(slices.Sorted(maps.Keys(t.changes.stems))))
	}
}

const addStems = `INSERT OR IGNORE INTO stem SELECT ?, value FROM json_each(?)`

const stemsQuery = `SELECT ifnull(group_concat(term, ' '), '') FROM stem WHERE brain = ?`

// StandIns reads the whole table of terms; fts5vocab would read the whole index for it.
func (t *tx) StandIns(unknown ...string) (all []words.StandIn, err error) {
	var joined string
	if err := t.one(t.ctx, stemsQuery, []any{t.s.brain}, &joined); err != nil {
		return nil, err
	}
	vocabulary := strings.Fields(joined)
	for _, word := range unknown {
		found := 0
		for _, like := range words.StandIns(word, vocabulary) {
			if found == words.MaxStandIns {
				break
			}
			held := map[string]int{like.Term: 0}
			if err := t.frequencies(false, false, held); err != nil {
				return nil, err
			}
			if held[like.Term] > 0 {
				all, found = append(all, like), found+1
			}
		}
	}
	return all, nil
}
