// Package dataset reads records and queries in JSON Lines, one object a line:
//
//	{"kind": "record", "set": S, "id": I, "group": G, "text": T, "name"?, "date"?}
//	{"kind": "query", "set": S, "id": I, "text": T, "relevant": [ID, …], "category"?}
//
// The records of a group are listed in order. A date is YYYY-MM-DD or in RFC 3339.
package dataset

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// The kinds of lines.
const (
	Record = "record"
	Query  = "query"
)

// MaxLine is the maximum length of a line, in bytes. It suffices for a record of maximum
// content in which every character is escaped.
const MaxLine = 8 * brain.MaxContent

// Line is a record or a query.
type Line struct {
	Kind string `json:"kind"`
	Set  string `json:"set"`
	ID   string `json:"id"`
	Text string `json:"text"`

	// Of a record.
	Group string `json:"group"`
	Name  string `json:"name"`
	Date  string `json:"date"`

	// Of a query.
	Relevant []string `json:"relevant"`
	Category string   `json:"category"`
}

// Time returns the date of a record as a time, zero if it has none.
func (l *Line) Time(zone *time.Location) (time.Time, error) {
	if l.Date == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339, l.Date); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation(time.DateOnly, l.Date, zone)
	if err != nil {
		return at, fmt.Errorf("%q is not a date such as 2026-03-01", l.Date)
	}
	return at, nil
}

// Read calls each with every line that is not empty, and its number. It stops at the first
// error, of a line or of each, and returns it with the number of the line.
func Read(r io.Reader, each func(number int, l Line) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxLine)
	number := 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		l, err := Parse(lines.Bytes())
		if err == nil {
			err = each(number, l)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	return nil
}

// Parse parses one line. Its errors are predicates, such as "has no id".
func Parse(line []byte) (l Line, err error) {
	if err := json.Unmarshal(line, &l); err != nil {
		return l, fmt.Errorf("is not a JSON object of this format: %w", err)
	}
	switch {
	case l.Kind != Record && l.Kind != Query:
		return l, fmt.Errorf("kind is %q, want record or query", l.Kind)
	case l.ID == "":
		return l, errors.New("has no id")
	case l.Text == "":
		return l, errors.New("has no text")
	}
	return l, nil
}
