package bench

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// The labelled set: conversations, and what of them is worth keeping. The rules were
// written for the first half; the second half is only measured.
//
//go:embed testdata/extract/*.jsonl
var labelledSet embed.FS

// Half is a half of the labelled set.
type Half string

// The halves.
const (
	Development Half = "development"
	Second      Half = "second"
)

// message is a labelled message.
type message struct {
	Session string          `json:"session"`
	Style   string          `json:"style"`
	Lang    string          `json:"lang"`
	Role    extract.Speaker `json:"role"`
	Text    string          `json:"text"`
	Keep    []label         `json:"keep"`
}

// label is a statement of a message that is worth keeping.
type label struct {
	Kind  extract.Kind `json:"kind"`
	Quote string       `json:"quote"`
	found bool
}

// Quality is the quality of extraction on a half.
type Quality struct {
	groups   []group
	agreed   int // items of the labelled kind
	messages int
	Misses   []string // labels that were not found, and items that are not labelled
}

// group counts the items of a part of the set.
type group struct {
	name                  string
	labelled, found       int // labels, and those that an item overlaps
	extracted, overlapped int // items, and those that overlap a label
}

func (g group) precision() float64 { return percent(g.overlapped, g.extracted) }
func (g group) recall() float64    { return percent(g.found, g.labelled) }

// Extraction extracts the items of a half, as from transcripts, and compares them with
// its labels. An item is right if its quote overlaps a labelled quote of the same message.
func Extraction(half Half) (Quality, error) {
	messages, err := readLabelled(half)
	if err != nil {
		return Quality{}, err
	}
	items := extractAll(messages)
	q := Quality{messages: len(messages)}
	for n := range messages {
		q.compare(&messages[n], items[n])
	}
	order := func(g group) int {
		return slices.Index([]string{"all", "English", "German"}, g.name)
	}
	slices.SortStableFunc(q.groups, func(a, b group) int {
		x, y := uint(order(a)), uint(order(b)) // others are last
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a.name, b.name))
	})
	return q, nil
}

func readLabelled(half Half) ([]message, error) {
	data, err := labelledSet.ReadFile("testdata/extract/" + string(half) + ".jsonl")
	if err != nil {
		return nil, fmt.Errorf("read the labelled set: %w", err)
	}
	var all []message
	for line := range bytes.Lines(data) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("read line %d of the %s half: %w", len(all)+1, half, err)
		}
		all = append(all, m)
	}
	return all, nil
}

// extractAll returns the items of each message.
func extractAll(messages []message) map[int][]extract.Item {
	turns := make([]extract.Turn, len(messages))
	for n, m := range messages {
		turns[n] = extract.Turn{Session: m.Session, Speaker: m.Role, Text: m.Text, Place: strconv.Itoa(n)}
	}
	items := map[int][]extract.Item{}
	for _, i := range extract.Judge(turns) {
		n, _ := strconv.Atoi(i.Place) // as it was written above
		items[n] = append(items[n], i)
	}
	return items
}

// compare counts the items of one message.
func (q *Quality) compare(m *message, items []extract.Item) {
	parts := []string{"all", "style " + m.Style, "English"}
	if m.Lang == "de" {
		parts[2] = "German"
	}
	for _, i := range items {
		right := m.mark(i)
		for _, name := range append(parts, "kind "+string(i.Kind)) {
			g := q.group(name)
			g.extracted++
			if len(right) > 0 {
				g.overlapped++
			}
		}
		if slices.Contains(right, i.Kind) {
			q.agreed++
		}
		if len(right) == 0 {
			q.Misses = append(q.Misses, fmt.Sprintf("wrong\t%s\t%s\t%s\t%.1f\t%s", m.Session, m.Role, i.Kind, i.Strength, plaintext.OneLine(i.Quote)))
		}
	}
	for _, l := range m.Keep {
		for _, name := range append(parts, "kind "+string(l.Kind)) {
			g := q.group(name)
			g.labelled++
			if l.found {
				g.found++
			}
		}
		if !l.found {
			q.Misses = append(q.Misses, fmt.Sprintf("missed\t%s\t%s\t%s\t\t%s", m.Session, m.Role, l.Kind, plaintext.OneLine(l.Quote)))
		}
	}
}

// mark marks the labels that an item overlaps, and returns their kinds.
func (m *message) mark(i extract.Item) []extract.Kind {
	var kinds []extract.Kind
	for n := range m.Keep {
		if l := &m.Keep[n]; overlap(m.Text, i.Quote, l.Quote) {
			l.found = true
			kinds = append(kinds, l.Kind)
		}
	}
	return kinds
}

func (q *Quality) group(name string) *group {
	n := slices.IndexFunc(q.groups, func(g group) bool { return g.name == name })
	if n < 0 {
		n = len(q.groups)
		q.groups = append(q.groups, group{name: name})
	}
	return &q.groups[n]
}

// overlap reports whether two passages of a text have a byte in common.
func overlap(text, a, b string) bool {
	x, y := strings.Index(text, a), strings.Index(text, b)
	return x >= 0 && y >= 0 && x < y+len(b) && y < x+len(a)
}

// Columns returns the heads of the rows.
func (q Quality) Columns() []string {
	return []string{"part", "labelled", "extracted", "right", "precision", "recall"}
}

// Rows returns the figures as the rows of a table.
func (q Quality) Rows() [][]string {
	rows := make([][]string, len(q.groups))
	for i, g := range q.groups {
		rows[i] = []string{
			g.name, strconv.Itoa(g.labelled), strconv.Itoa(g.extracted), strconv.Itoa(g.overlapped),
			fmt.Sprintf("%.1f %%", g.precision()), fmt.Sprintf("%.1f %%", g.recall()),
		}
	}
	return rows
}

// Agreement returns the share of the right items that have the labelled kind, in percent.
func (q Quality) Agreement() float64 { return percent(q.agreed, q.groups[0].overlapped) }

// Values returns the figures as the document of a benchmark.
func (q Quality) Values() Values {
	figures := []Value{
		{"messages", float64(q.messages), "messages"},
		{"labelled", float64(q.groups[0].labelled), "statements"},
		{"kind agreement", q.Agreement(), "%"},
	}
	for _, g := range q.groups {
		figures = append(figures, Value{g.name + ": precision", g.precision(), "%"}, Value{g.name + ": recall", g.recall(), "%"})
	}
	return Values{figures}
}
