package neo4j

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
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

// writtenOn reads memories by their place, after one of them.
const writtenOn = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, written, id) WHERE n.brain = $brain
AND n.written >= $from AND n.id IS NOT NULL AND (n.written > $from OR n.id > $after)
WITH n ORDER BY n.brain, n.written, n.id LIMIT $limit RETURN ` + node + `, n.written, n.id`

// writtenPlaces reads the places of the memories from one on.
const writtenPlaces = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, written, id) WHERE n.brain = $brain
AND n.written >= $from AND n.id IS NOT NULL RETURN n.written, n.id`

// Written reads from the place of a mark on. Texts that are committed later may have a place before
// texts that were read. So what follows the end begins some time before the present, and returns the
// texts of that time again unless they are the same.
func (t *tx) Written(after string, limit int) ([]brain.Memory, string, error) {
	m := parseMark(after)
	from, id, _ := strings.Cut(m.At, "|")
	if from == "" {
		if same, err := t.nothingNew(m); err != nil || same {
			return nil, after, err
		}
		now, err := t.Clock()
		if err != nil {
			return nil, "", err
		}
		end := fmt.Sprintf("%013d", now.Add(-writtenLag).UnixMilli()) // the form of setWritten
		from, m.End, m.Sum = min(m.End, end), end, 0                  // the clock may have been set back
	}
	var ms []brain.Memory
	for len(ms) < limit { // again for those that cannot be read
		want := limit - len(ms)
		rows, err := t.query(writtenOn, map[string]any{"from": from, "after": id, "limit": want})
		if err != nil {
			return nil, "", err
		}
		for _, r := range rows {
			from, id = value[string](r, 1), value[string](r, 2)
			m.pass(from, id)
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
	next, err := json.Marshal(m)
	return ms, string(next), err
}

// nothingNew reports whether the places from the end of a reading on are those that it read.
func (t *tx) nothingNew(m mark) (bool, error) {
	if m.End == "" { // the beginning
		return false, nil
	}
	rows, err := t.query(writtenPlaces, map[string]any{"from": m.End})
	var sum uint64
	for _, r := range rows {
		sum += placeSum(value[string](r, 0), value[string](r, 1))
	}
	return sum == m.Sum, err
}

// mark is the position of a reader.
type mark struct {
	End string `json:"end"`           // the place at which the next reading begins
	At  string `json:"at,omitempty"`  // the place and the id after which this one continues, "" if it has ended
	Sum uint64 `json:"sum,omitempty"` // of the places that were read, from End on
}

// pass moves the mark behind a memory.
func (m *mark) pass(written, id string) {
	m.At = written + "|" + id
	if written >= m.End {
		m.Sum += placeSum(written, id)
	}
}

// placeSum returns the part of a place in [mark].Sum.
func placeSum(written, id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(written + "|" + id)) // never fails
	return h.Sum64()
}

// parseMark reads a mark; a foreign text is the beginning.
func parseMark(s string) (m mark) {
	if json.Unmarshal([]byte(s), &m) != nil {
		return mark{}
	}
	return m
}
