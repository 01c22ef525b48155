package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// message is a message of a labelled conversation.
type message struct {
	Session string          `json:"session"`
	Role    extract.Speaker `json:"role"`
	Text    string          `json:"text"`
	Answers bool            `json:"answers"`
	Keep    []label         `json:"keep"`
}

// label is a statement of a message that is worth keeping.
type label struct {
	Kind  extract.Kind `json:"kind"`
	Quote string       `json:"quote"`
}

// Extraction is what extraction keeps of conversations, and how good that is by their labels.
type Extraction struct {
	Items    []extract.Item `json:"items"`
	Messages int            `json:"messages"`
	Labelled int            `json:"labelled"` // statements that people marked as worth keeping
	Found    int            `json:"found"`    // those that an item overlaps
	Right    int            `json:"right"`    // items that overlap a marked statement
}

// Precision is the share of the items that are right, in percent.
func (e Extraction) Precision() float64 { return percent(e.Right, len(e.Items)) }

// Recall is the share of the labelled statements that an item overlaps, in percent.
func (e Extraction) Recall() float64 { return percent(e.Found, e.Labelled) }

// Extract extracts the explicit statements of a file: labelled messages, one JSON object a
// line, or the session of an agent, which has no labels.
func Extract(file string) (Extraction, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Extraction{}, err
	}
	messages, err := readMessages(file, data)
	if err != nil {
		return Extraction{}, err
	}
	turns := make([]extract.Turn, len(messages))
	for n, m := range messages {
		turns[n] = extract.Turn{Session: m.Session, Speaker: m.Role, Text: m.Text, Answers: m.Answers, Place: strconv.Itoa(n)}
	}
	e := Extraction{Items: append([]extract.Item{}, extract.Explicit(turns)...), Messages: len(messages)}
	found := map[label]bool{}
	for _, i := range e.Items {
		n, _ := strconv.Atoi(i.Place) // as it was written above
		m, right := messages[n], false
		for _, l := range m.Keep {
			if overlap(m.Text, i.Quote, l.Quote) {
				right, found[label{Kind: l.Kind, Quote: i.Place + l.Quote}] = true, true
			}
		}
		if right {
			e.Right++
		}
	}
	for _, m := range messages {
		e.Labelled += len(m.Keep)
	}
	e.Found = len(found)
	return e, nil
}

func readMessages(file string, data []byte) (all []message, err error) {
	var first map[string]json.RawMessage
	line, _, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(line, &first); err != nil {
		return nil, fmt.Errorf("read line 1 of %s: %w", file, err)
	}
	if first["role"] == nil || first["text"] == nil {
		var said []transcript.Message
		_, err = transcript.Read(bytes.NewReader(data), transcript.Options{File: file}, func(m transcript.Message) error {
			if m.TakenBack {
				said = slices.DeleteFunc(said, func(o transcript.Message) bool { return o.Key() == m.Key() })
			} else {
				said = append(said, m)
			}
			return nil
		})
		for _, m := range said {
			if m.Kind != transcript.Said && m.Kind != transcript.Answer {
				m.Role = transcript.Tool
			}
			all = append(all, message{Session: m.Session, Role: extract.Speaker(m.Role), Text: m.Text, Answers: m.Kind == transcript.Answer})
		}
		return all, err
	}
	n := 0
	for line := range bytes.Lines(data) {
		var m message
		n++
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("read line %d of %s: %w", n, file, err)
		}
		if !slices.Contains([]extract.Speaker{extract.User, extract.Assistant, extract.Tool}, m.Role) {
			return nil, fmt.Errorf("read line %d of %s: the role is %.40q; use user, assistant or tool", n, file, m.Role)
		}
		all = append(all, m)
	}
	return all, nil
}

// overlap reports whether two passages of a text have a byte in common.
func overlap(text, a, b string) bool {
	x, y := strings.Index(text, a), strings.Index(text, b)
	return x >= 0 && y >= 0 && x < y+len(b) && y < x+len(a)
}
