package neo4j

import (
	"fmt"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// written is the place of a memory in the order of texts, as a text that one
// index keeps in order: "test " before a test, the milliseconds of the server's
// clock when the memory was last stored whole (13 digits until the year 2286),
// and the id.
const writtenKey = "written"

// setWritten goes behind whatever stores a memory whole.
const setWritten = " SET n." + writtenKey + " = " + writtenPrefix + " + toString(timestamp()) + '|' + n.id"

const writtenPrefix = "CASE WHEN n.isTest THEN '" + testWritten + "' ELSE '' END"

const testWritten = "test "

// fillWritten gives memories that were stored before there was an order a
// place before all others.
func fillWritten() string {
	return "MATCH (n:Memory) WHERE n.strength IS NOT NULL AND n." + writtenKey + " IS NULL CALL (n) { SET n." + writtenKey +
		" = " + writtenPrefix + " + '" + stamp(time.Time{}) + "|' + n.id } IN TRANSACTIONS OF 1000 ROWS"
}

// writtenLag is how long before its commit a text may have got its place: a
// transaction lasts half a minute at most, by the timeout of the store.
const writtenLag = 2 * time.Minute

const (
	serverClock = "RETURN timestamp()"
	writtenOn   = `MATCH (n:Memory) USING INDEX SEEK n:Memory(brain, written) WHERE n.brain = $brain
AND n.written > $from AND n.written < $to
RETURN n, 0 AS no, n.written AS written ORDER BY n.brain, n.written LIMIT $limit`
)

// mark is how far a reading has come. Its end is before the beginning of the
// present, because what is committed later may have its place before what was
// read: the next reading begins there.
type mark struct {
	end string // the stamp at which the reading after this one begins
	at  string // the place behind which this one goes on, "" when it has ended
}

// Written returns memories in the order of their texts.
func (t *tx) Written(after string, tests bool, limit int) ([]brain.Memory, string, error) {
	prefix := ""
	if tests {
		prefix = testWritten
	}
	m := parseMark(after, prefix)
	from := m.at
	if from == "" {
		now, err := t.clock()
		if err != nil {
			return nil, "", err
		}
		began := m.end
		m.end = stamp(now.Add(-writtenLag))
		from = prefix + min(began, m.end) // the clock may have been set back
	}
	rows, err := t.read(writtenOn, map[string]any{"from": from, "to": prefix + ":", "limit": max(limit, 0)}, inPlace(writtenKey))
	if err != nil {
		return nil, "", err
	}
	ms := make([]brain.Memory, 0, len(rows))
	for _, r := range rows {
		if n, ok := r.Values[0].(driver.Node); ok {
			ms = append(ms, memoryFrom(n.Props))
			m.at, _ = r.Values[2].(string)
		}
	}
	if len(ms) < limit {
		m.at = ""
	}
	return ms, prefix + m.end + m.behind(), nil
}

// clock reads the clock that gives texts their places.
func (t *tx) clock() (time.Time, error) {
	rows, err := t.query(serverClock, nil)
	if err != nil || len(rows) == 0 {
		return time.Time{}, err
	}
	ms, _ := rows[0].Values[0].(int64)
	return time.UnixMilli(ms), nil
}

// stamp is how an instant stands in an order; the zero one before all others.
func stamp(at time.Time) string {
	if at.IsZero() {
		at = time.UnixMilli(0)
	}
	return fmt.Sprintf("%013d", at.UnixMilli())
}

func (m mark) behind() string {
	if m.at == "" {
		return ""
	}
	return "/" + m.at
}

// parseMark reads a mark; what is none of ours is the beginning.
func parseMark(s, prefix string) mark {
	end, at, underWay := strings.Cut(strings.TrimPrefix(s, prefix), "/")
	ours := strings.HasPrefix(s, prefix) && isStamp(end)
	if underWay {
		place, _, _ := strings.Cut(strings.TrimPrefix(at, prefix), "|")
		ours = ours && strings.HasPrefix(at, prefix) && isStamp(place)
	}
	if !ours {
		return mark{}
	}
	return mark{end: end, at: at}
}

func isStamp(s string) bool {
	return len(s) == len(stamp(time.Time{})) && strings.Trim(s, "0123456789") == ""
}
