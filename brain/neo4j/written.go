package neo4j

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// setWritten follows every query that inserts or replaces memories. The property written
// and the id are the place of a memory in the order of texts: the milliseconds of the
// server's clock (13 digits until the year 2286) and the number of the transaction. All
// texts of one query have the same, and are a group.
const setWritten = " SET n.written = toString(timestamp()) + '.' + $transaction"

// writtenLag is the longest time between the place of a text and its commit: the
// timeout of the store ends a transaction after half a minute.
const writtenLag = 2 * time.Minute

const (
	inOrder = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, written, id) WHERE n.brain = $brain
AND n.written >= $from AND n.written < $to AND n.id IS NOT NULL `
	writtenOn = inOrder + `AND (n.written > $from OR n.id > $after) AND NOT n.written IN $given
WITH n ORDER BY n.brain, n.written, n.id LIMIT $limit RETURN ` + node + `, n.written, n.id`
	writtenGroups = inOrder + `RETURN n.written, count(*)`
)

func (t *tx) Written(after string, limit int) ([]brain.Memory, string, error) {
	m := parseMark(after)
	from, id, _ := strings.Cut(m.At, "|")
	if from == "" {
		now, err := t.Clock()
		if err != nil {
			return nil, "", err
		}
		began := m.End
		m.End = fmt.Sprintf("%013d", now.Add(-writtenLag).UnixMilli()) // the form of setWritten
		from = min(began, m.End)                                       // the clock may have been set back
	}
	given, err := t.unchanged(&m)
	if err != nil {
		return nil, "", err
	}
	var ms []brain.Memory
	for want := limit; want > 0; want = limit - len(ms) { // again for those that cannot be read
		rows, err := t.query(writtenOn, map[string]any{"from": from, "after": id, "to": ":", "given": given, "limit": want})
		if err != nil {
			return nil, "", err
		}
		for _, r := range rows {
			from, id = value[string](r, 1), value[string](r, 2)
			m.At = from + "|" + id
			m.Given[from]++
			one, readable, err := readNode(t, memories(), value[props](r, 0))
			if err != nil {
				return nil, "", err
			}
			if readable {
				ms = append(ms, one)
			}
		}
		if len(rows) < want {
			m.At = ""
			break
		}
	}
	maps.DeleteFunc(m.Given, func(g string, _ int) bool { return g <= m.End }) // which the next reading cannot meet
	next, err := json.Marshal(m)
	return ms, string(next), err
}

// unchanged returns the groups of a mark that still have the number of texts that
// was returned. It removes the others from the mark.
func (t *tx) unchanged(m *mark) ([]string, error) {
	reached, _, _ := strings.Cut(m.At, "|")
	ahead := slices.DeleteFunc(slices.Sorted(maps.Keys(m.Given)), func(g string) bool { return g <= reached })
	if len(ahead) == 0 {
		return []string{}, nil
	}
	rows, err := t.query(writtenGroups, map[string]any{"from": ahead[0], "to": ahead[len(ahead)-1] + "}"})
	if err != nil {
		return nil, err
	}
	now := make(map[string]int64, len(rows))
	for _, r := range rows {
		now[value[string](r, 0)] = value[int64](r, 1)
	}
	return slices.DeleteFunc(ahead, func(g string) bool {
		same := now[g] == int64(m.Given[g])
		if !same {
			delete(m.Given, g)
		}
		return !same
	}), nil
}

// mark is the position of a reader. Texts that are committed later may have a position
// before texts that were read. So the next reading begins some time before the present, at
// End, and leaves out the groups from there on that were returned completely.
type mark struct {
	End   string         `json:"end"`             // the stamp at which the next reading begins
	At    string         `json:"at,omitempty"`    // the place after which this one continues, "" if it has ended
	Given map[string]int `json:"given,omitempty"` // number of returned texts by group, after End
}

// parseMark reads a mark; a foreign text is the beginning.
func parseMark(s string) mark {
	var m mark
	if err := json.Unmarshal([]byte(s), &m); err != nil {
		m = mark{}
	}
	if m.Given == nil {
		m.Given = make(map[string]int)
	}
	return m
}
