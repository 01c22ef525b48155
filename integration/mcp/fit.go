package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/integration/app"
)

// maxAnswer is the longest answer of a memory tool, in characters: agents cut longer
// ones.
const maxAnswer = 10_000

// maxContent is the largest part of an answer that the text of a memory takes; the
// rest is for its other fields.
const maxContent = maxAnswer * 3 / 4

// long is an answer with a list that may be too long.
type long struct {
	Items int
	// First returns the answer with the first n items; it counts the others.
	First func(n int) (answer, error)
}

// fit returns the answer with as many of its items as fit.
func (l long) fit() (answer, error) {
	out, err := l.First(l.Items)
	if err != nil || out.fits() {
		return out, err
	}
	n := sort.Search(l.Items, func(n int) bool { // the first number of items that is too long
		out, failed := l.First(n + 1)
		return failed != nil || !out.fits()
	})
	return l.First(n)
}

// fits reports whether neither form of an answer is too long.
func (a answer) fits() bool {
	structured, err := compact(a.structured)
	return err == nil && utf8.RuneCountInString(a.text) <= maxAnswer && utf8.RuneCountInString(structured) <= maxAnswer
}

// entriesAnswer returns entries, in a list of this name for programs beside other
// fields, as many as fit. Those that do not fit, and those left out earlier, are counted.
func (c call) entriesAnswer(fields map[string]any, name, none string, all []entry, leftOut int) (answer, error) {
	return long{len(all), func(n int) (answer, error) {
		return fitEntries(all[:n], func(some []entry) answer {
			text, structured := cmp.Or(lines(some, c.o.Project), none), maps.Clone(fields)
			structured[name] = some
			if left := leftOut + len(all) - n; left > 0 {
				text += fmt.Sprintf("\n%d more did not fit", left)
				structured["heldBack"] = map[string]int{"overBudget": left}
			}
			return answer{text, structured}
		}), nil
	}}.fit()
}

// memoryAnswer returns a memory with its relations.
func (c call) memoryAnswer(found app.ShowAnswer) (answer, error) {
	return long{len(found.Relations), func(n int) (answer, error) {
		first, left := found, len(found.Relations)-n
		first.Relations = found.Relations[:n]
		return document(c.memoryText(first, left), struct {
			app.ShowAnswer
			MoreRelations int `json:"moreRelations"`
		}{first, left}, nil)
	}}.fit()
}

// runAnswer returns the report of a run with its actions; `runs show` has all of them.
func runAnswer(done app.ConsolidateAnswer) (answer, error) {
	return long{len(done.Actions), func(n int) (answer, error) {
		first, left := done, len(done.Actions)-n
		first.Actions = done.Actions[:n]
		return document(runText(first, left), struct {
			app.ConsolidateAnswer
			MoreActions int `json:"moreActions"`
		}{first, left}, nil)
	}}.fit()
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
