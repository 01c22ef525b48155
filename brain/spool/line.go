package spool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// line is a capture that waits.
type line struct {
	Brain   string        `json:"brain"`
	Store   string        `json:"store"`
	At      time.Time     `json:"at"` // of the capture
	Capture brain.Capture `json:"capture"`
}

// rejection is a line of the rejected file: the reason, and the line in the first
// form that can hold it.
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

// parse reads a line. What it accepts can be stored.
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

// split returns the lines of a file that are not blank.
func split(content []byte) [][]byte {
	var lines [][]byte
	for raw := range bytes.SplitSeq(content, []byte("\n")) {
		if len(bytes.TrimSpace(raw)) > 0 {
			lines = append(lines, raw)
		}
	}
	return lines
}

// mine reports whether a line is for this brain and store.
func (s *Spool) mine(l line) bool {
	here := l.Store == s.store || serverURI(l.Store) == serverURI(s.store)
	return l.Brain == s.brain && (here || s.former != "" && l.Store == s.former)
}

// serverURI returns the URI of a Neo4j server in one spelling of localhost and
// of the default port. The scheme stays: bolt:// reaches one member of the
// cluster that neo4j:// routes to.
func serverURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "bolt") && !strings.HasPrefix(u.Scheme, "neo4j") {
		return uri
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if host == "127.0.0.1" || host == "::1" {
		host = "localhost"
	}
	if port == "" {
		port = "7687"
	}
	u.Host, u.Path = net.JoinHostPort(host, port), strings.TrimSuffix(u.Path, "/")
	return u.String()
}
