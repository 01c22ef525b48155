package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// message is a message of a labelled conversation.
type message struct {
	Session string          `json:"session"`
	Role    extract.Speaker `json:"role"`
	Text    string          `json:"text"`
	Answers bool            `json:"answers"`
	Keep    []struct {
		Quote string `json:"quote"`
	} `json:"keep"`
}

// extraction is what extraction keeps of conversations, and how good that is by their labels.
type extraction struct {
	Items    []extract.Item `json:"items"`
	Messages int            `json:"messages"`
	Labelled int            `json:"labelled"` // statements that people marked as worth keeping
	Found    int            `json:"found"`    // those that an item overlaps
	Right    int            `json:"right"`    // items that overlap a marked statement
}

func (e *extraction) print(w io.Writer) {
	for _, i := range e.Items {
		fmt.Fprintf(w, "%s, %s: %s\n  %s\n", i.Kind, i.Speaker, i.Title, plaintext.OneLine(i.Quote))
	}
	fmt.Fprintf(w, "%d items in %d messages\n", len(e.Items), e.Messages)
	fmt.Fprintf(w, "precision %.1f %%, recall %.1f %% of %d marked statements\n", percent(e.Right, len(e.Items)), percent(e.Found, e.Labelled), e.Labelled)
}

// measureExtraction extracts the explicit statements of a file of messages, one JSON object a line:
//
//	{"session": S, "role": "user", "text": T, "keep": [{"quote": Q}, …]?}
//
// keep has the statements that people marked as worth keeping. Precision is the share of the
// items that overlap a marked quote of their message, recall the share of the marked quotes that
// an item overlaps.
func measureExtraction(file string) (report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var messages []message
	var turns []extract.Turn
	for text := range bytes.Lines(data) {
		var m message
		if err := json.Unmarshal(text, &m); err != nil || m.Role == "" {
			return nil, fmt.Errorf("line %d of %s is not a message with a role and a text: %w", len(messages)+1, file, err)
		}
		turns = append(turns, extract.Turn{Session: m.Session, Speaker: m.Role, Text: m.Text, AnswersForm: m.Answers, Location: strconv.Itoa(len(messages))})
		messages = append(messages, m)
	}
	e := &extraction{Items: extract.Explicit(turns), Messages: len(messages)}
	found := map[string]bool{}
	for _, i := range e.Items {
		n, _ := strconv.Atoi(i.Location) // as it was written above
		right := 0
		for _, k := range messages[n].Keep {
			if overlap(messages[n].Text, i.Quote, k.Quote) {
				right, found[i.Location+" "+k.Quote] = 1, true
			}
		}
		e.Right += right
	}
	for _, m := range messages {
		e.Labelled += len(m.Keep)
	}
	e.Found = len(found)
	return e, nil
}

// overlap reports whether two passages of a text have a byte in common.
func overlap(text, a, b string) bool {
	x, y := strings.Index(text, a), strings.Index(text, b)
	return x >= 0 && y >= 0 && x < y+len(b) && y < x+len(a)
}
