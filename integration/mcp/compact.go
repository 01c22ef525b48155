package mcp

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// entry is one memory in an answer. Fields without a value are left out.
type entry struct {
	ID      string  `json:"id"`
	Kind    string  `json:"kind"`
	Text    string  `json:"text"`
	Date    string  `json:"date"`
	Project string  `json:"project,omitempty"`
	Score   float64 `json:"score,omitempty"`

	done    bool // reminder
	meaning bool // see [recall.Why]
	name    string
	match   string // word by which it was found, "" if it was not searched for
	around  string // part of the text that begins shortly before match
}

// newEntry returns the entry of a memory, with its full statement as the text.
func newEntry(m brain.View, score float64) entry {
	return entry{
		ID: m.ID, Kind: m.MemoryType, Date: m.Date, Score: math.Round(score*100) / 100,
		Text: oneLine(m.Name, m.Content), name: plaintext.OneLine(m.Name), done: m.Done != nil, Project: string(m.Project),
	}
}

// recalledEntry returns the entry of a result of a recall.
func recalledEntry(r recall.Recalled) entry {
	const before = 20 // bytes
	e := newEntry(r.Memory, r.Score)
	e.meaning = r.Why.Meaning
	if len(r.Marks) > 0 {
		m := r.Marks[0]
		e.match, e.around = r.Excerpt[m.Start:m.End], r.Excerpt[m.Start:]
		if start := max(0, m.Start-before); start == 0 {
			e.around = r.Excerpt
		} else if blank := strings.IndexByte(r.Excerpt[start:m.Start], ' '); blank >= 0 {
			e.around = r.Excerpt[start+blank+1:]
		}
	}
	return e
}

// shortened returns an entry with at most limit characters of text: its beginning or, if
// that lacks the match, its name and the part with it.
func (e entry) shortened(limit int) entry {
	whole := plaintext.Shorten(e.Text, limit)
	if strings.Contains(whole, e.match) {
		e.Text = whole
		return e
	}
	name := plaintext.Shorten(e.name, limit/2) + ": " + plaintext.Ellipsis
	e.Text = name + plaintext.Shorten(strings.TrimPrefix(e.around, plaintext.Ellipsis), limit-utf8.RuneCountInString(name))
	return e
}

// oneLine returns name and text on one line; a name that the text says is not repeated.
func oneLine(name, text string) string {
	name, text = plaintext.OneLine(name), plaintext.OneLine(text)
	if plaintext.Says(text, name) {
		return strings.TrimPrefix(text, plaintext.QuoteMark)
	}
	return name + ": " + text
}

// line returns an entry as a line of text, without the project if that is the caller's.
func (e entry) line(here string) string {
	project := ""
	if e.Project != "" && e.Project != here {
		project = " (" + e.Project + ")"
	}
	line := fmt.Sprintf("%s %s%s: %s [%s]", e.Date, e.Kind, project, e.Text, brain.ShortID(e.ID))
	if e.done {
		line += " (done)"
	}
	if e.meaning {
		line += " (near in meaning)"
	}
	return line
}

// A text in a list has at most longText characters and at least shortText. Between
// these, texts are as long as the bytes of a whole answer allow: listBytes for up to
// listed entries, and as much for each further entry.
const (
	longText, shortText = 300, 60
	listBytes, listed   = 3850, 10
)

// fitEntries shortens entries so that an answer, which answerOf makes, stays within its bytes.
func fitEntries(all []entry, answerOf func([]entry) answer) answer {
	most := max(listBytes, listBytes*len(all)/listed)
	excess := sort.Search(longText-shortText, func(n int) bool { // characters to take away from the longest text
		return answerOf(shortened(all, longText-n)).size() <= most
	})
	return answerOf(shortened(all, longText-excess))
}

func shortened(all []entry, limit int) []entry {
	return brain.Map(all, func(e entry) entry { return e.shortened(limit) })
}

// size returns the bytes of an answer in the result of a call.
func (a answer) size() int {
	return len(compact(a.text)) + len(compact(a.structured))
}

// withoutNulls returns a value as JSON in which no field is null.
func withoutNulls(v any) any {
	var out any
	if err := json.Unmarshal([]byte(compact(v)), &out); err != nil {
		panic(err) // it was just written
	}
	return dropNulls(out)
}

func dropNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if value == nil {
				delete(v, key)
			} else {
				v[key] = dropNulls(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = dropNulls(v[i])
		}
	}
	return v
}

// indented returns a value as the reference writes it, with nothing escaped that need not be.
func indented(v any) string { return written(v, "  ") }

// compact returns the same on one line.
func compact(v any) string { return written(v, "") }

func written(v any, indent string) string {
	out, err := plaintext.JSON(v, indent)
	if err != nil {
		panic(err) // an answer always encodes
	}
	text := strings.TrimSuffix(string(out), "\n")
	if !strings.Contains(text, `\u202`) {
		return text
	}
	// Go escapes two separators that JavaScript does not. An escaped backslash stays.
	return strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(text)
}
