package mcp

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/integration/app"
)

// maxAnswer is the longest answer of a memory tool, in characters: agents cut longer
// ones.
const maxAnswer = 10_000

// maxContent is the largest part of an answer that the text of a memory takes; the
// rest is for its other fields.
const maxContent = maxAnswer * 3 / 4

// long is a document with a list that may not fit into an answer.
type long struct {
	Items int
	// First returns the document with the first n items, and how many were left out.
	First func(n int) any
}

// fit answers with a document that has as many of its items as fit.
func fit(l long, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	out, err := document(l.First(l.Items), nil)
	if err != nil || out.fits() {
		return out, err
	}
	n := sort.Search(l.Items, func(n int) bool { // the first number of items that is too long
		out, failed := document(l.First(n+1), nil)
		return failed != nil || !out.fits()
	})
	return document(l.First(n), nil)
}

func (a answer) fits() bool { return utf8.RuneCountInString(a.text) <= maxAnswer }

// recallDocument returns the results of a recall. Those that do not fit count as over
// the budget; a text that is too long by itself is cut.
func recallDocument(found recall.Recollection) long {
	for i := range found.Results {
		m := &found.Results[i].Memory
		m.Content = excerpt(m.Content, 0, maxAnswer/2)
	}
	return long{len(found.Results), func(n int) any {
		first := found
		first.Results, first.HeldBack = found.Results[:n], maps.Clone(found.HeldBack)
		if left := len(found.Results) - n; left > 0 {
			if first.HeldBack == nil {
				first.HeldBack = map[string]int{}
			}
			first.HeldBack["overBudget"] += left
		}
		return first
	}}
}

// memoryDocument returns a memory with its relations.
func memoryDocument(found app.ShowAnswer) long {
	return long{len(found.Relations), func(n int) any {
		first := found
		first.Relations = found.Relations[:n]
		return struct {
			app.ShowAnswer
			MoreRelations int `json:"moreRelations"`
		}{first, len(found.Relations) - n}
	}}
}

// runDocument returns the report of a run with its actions; `runs show` has all of them.
func runDocument(done app.ConsolidateAnswer) long {
	return long{len(done.Actions), func(n int) any {
		first := done
		first.Actions = done.Actions[:n]
		return struct {
			app.ConsolidateAnswer
			MoreActions int `json:"moreActions"`
		}{first, len(done.Actions) - n}
	}}
}

// excerpt returns the part of a text from an offset that takes at most limit characters
// in an answer, and a line that says how to read on.
func excerpt(text string, from, limit int) string {
	all := []rune(text)
	from = min(from, len(all))
	end := from
	for ; end < len(all) && limit > 0; end++ {
		limit -= encodedLength(all[end])
	}
	if end == len(all) {
		return string(all[from:])
	}
	return fmt.Sprintf("%s\n[… %d more characters; open_memory with offset %d reads on]", string(all[from:end]), len(all)-end, end)
}

// encodedLength returns the number of characters that a character takes in JSON.
func encodedLength(r rune) int {
	switch {
	case strings.ContainsRune("\"\\\n\r\t\b\f", r):
		return len(`\n`)
	case r < ' ':
		return len(`\u0000`)
	}
	return 1
}
