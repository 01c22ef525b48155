package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// line is one capture that waits.
type line struct {
	Brain   string        `json:"brain"`
	Store   string        `json:"store"`
	At      time.Time     `json:"at"` // of the capture
	Capture brain.Capture `json:"capture"`
}

// rejection is one line of the side file: why, and the line as it was, in the
// first form that can hold it.
type rejection struct {
	At     time.Time       `json:"at"`
	Reason string          `json:"reason"`
	Line   json.RawMessage `json:"line,omitempty"`  // JSON
	Text   string          `json:"text,omitempty"`  // UTF-8
	Bytes  []byte          `json:"bytes,omitempty"` // anything, as base64
}

func newRejection(at time.Time, raw []byte, reason error) rejection {
	r := rejection{At: at, Reason: reason.Error()}
	switch {
	case !utf8.Valid(raw):
		r.Bytes = raw
	case json.Valid(raw):
		r.Line = raw
	default:
		r.Text = string(raw)
	}
	return r
}

// encode is v as one line of JSON with its end.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// parse reads one line without its end. What it accepts can be stored: a
// capture with a memory or a source, each of which has its id.
func parse(raw []byte) (line, error) {
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		return line{}, fmt.Errorf("read a spooled capture: %w", err)
	}
	if l.Brain == "" || l.Store == "" {
		return line{}, errors.New("read a spooled capture: it names no brain or no store")
	}
	return l, check(l.Capture)
}

func check(c brain.Capture) error {
	switch {
	case c.Memory == nil && c.Source == nil:
		return brain.Errorf(brain.ErrInvalid, "", "the capture has neither a memory nor a source")
	case c.Memory != nil && c.Memory.ID == "", c.Source != nil && c.Source.ID == "":
		return brain.Errorf(brain.ErrInvalid, "", "the capture has no id")
	}
	return nil
}

// split cuts a file into its lines, blank ones left out.
func split(content []byte) [][]byte {
	var lines [][]byte
	for raw := range bytes.SplitSeq(content, []byte("\n")) {
		if len(bytes.TrimSpace(raw)) > 0 {
			lines = append(lines, raw)
		}
	}
	return lines
}
