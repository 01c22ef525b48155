// Package dataset reads records and queries in JSON Lines, one object a line:
//
//	{"kind": "record", "set": S, "id": I, "group": G, "text": T, "name"?, "speaker"?, "date"?}
//	{"kind": "query", "set": S, "id": I, "text": T, "relevant": [ID, …], "category"?}
//
// Records of a group are in their order. A date is YYYY-MM-DD or in RFC 3339.
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

// MaxLine is the maximum length of a line, in bytes: that of a record with the largest
// content and every character escaped.
const MaxLine = 8 * brain.MaxContent

// Line is a record or a query.
type Line struct {
	Kind string `json:"kind"`
	Set  string `json:"set"`
	ID   string `json:"id"`
	Text string `json:"text"`

	// Of a record.
	Group   string `json:"group"`
	Name    string `json:"name"`
	Speaker string `json:"speaker"`
	Date    string `json:"date"`

	// Of a query.
	Relevant []string `json:"relevant"`
	Category string   `json:"category"`
}

// At returns the date of a record, zero if it has none.
func (l *Line) At(zone *time.Location) (time.Time, error) {
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

// Read calls each with the lines of a file that are not empty, and their numbers. Its
// errors name the line; an error of each ends the reading.
func Read(r io.Reader, each func(no int, l Line) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, MaxLine)
	no := 0
	for lines.Scan() {
		no++
		if len(lines.Bytes()) == 0 {
			continue
		}
		l, err := Parse(lines.Bytes())
		if err == nil {
			err = each(no, l)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", no, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", no+1, err)
	}
	return nil
}

// Parse reads one line. Its errors say what is wrong with it.
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
