package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/integration/app"
)

// rememberText returns the answer to remember for reading.
func rememberText(a app.RememberAnswer) string {
	switch {
	case a.CaptureAnswer != nil:
		return captureText(*a.CaptureAnswer)
	case !a.Rejected:
		return ""
	case a.DuplicateOf != "":
		return "not kept: [" + brain.ShortID(a.DuplicateOf) + "] says the same"
	}
	return fmt.Sprintf("not kept: it scores %g, and %g are needed (%s)", a.Score, a.Threshold, strings.Join(a.Reasons, "; "))
}

// captureText returns the answer to a capture for reading.
func captureText(a app.CaptureAnswer) string {
	text := a.Kind + ": " + a.Title + statement.DueText(a.Due, time.Local)
	if id := cmp.Or(a.MemoryID, a.SourceID); id != "" {
		text += " [" + brain.ShortID(string(id)) + "]"
	}
	switch {
	case a.Known != "":
		return "known " + text
	case a.Spooled:
		return "kept in the spool until the store is back: " + text + "\n" + a.Why.Error()
	}
	text = "kept " + text
	if a.Hint != "" {
		text += "\n" + a.Hint
	}
	for _, id := range a.Replaced {
		text += "\nreplaced [" + brain.ShortID(id) + "]"
	}
	for _, m := range a.Similar {
		text += "\n" + m.Line()
	}
	if len(a.Similar) > 0 {
		text += "\nIf one no longer holds: replace it, with its id as old and " + brain.ShortID(string(a.MemoryID)) + " as new"
	}
	return text
}

// memoryText returns a memory for reading; moreRelations of its relations are left out.
func (c call) memoryText(found app.ShowAnswer, moreRelations int) string {
	m := found.Memory
	head := newEntry(m, 0)
	head.Text = m.Name
	parts := []string{}
	if m.Tier != nil {
		parts = append(parts, fmt.Sprintf("%s, energy %.1f", *m.Tier, *m.Energy))
	}
	if len(m.Tags) > 0 {
		parts = append(parts, "tags "+strings.Join(m.Tags, ", "))
	}
	if m.Source != nil {
		parts = append(parts, fmt.Sprintf("from %s:%d", m.Source.File, m.Source.Line))
	}
	text := head.line(c.o.Project) + "\n"
	if len(parts) > 0 {
		text += strings.Join(parts, "; ") + "\n"
	}
	text += "\n" + m.Content
	if len(found.Relations) > 0 {
		text += "\n\nrelations:"
	}
	for _, r := range found.Relations {
		if r.From == m.ID {
			text += "\n" + r.Type + " [" + brain.ShortID(r.To) + "]"
		} else {
			text += "\n[" + brain.ShortID(r.From) + "] " + r.Type + " this"
		}
	}
	if moreRelations > 0 {
		text += fmt.Sprintf("\n%d more relations", moreRelations)
	}
	return text
}

// runText returns the report of a run for reading; moreActions of its actions are left out.
func runText(done app.ConsolidateAnswer, moreActions int) string {
	all := len(done.Actions) + moreActions
	text := "plan: " + english.Plural(all, "action", "") + "; nothing was changed, call consolidate with apply to do it"
	if !done.DryRun {
		text = "done: " + english.Plural(all, "action", "")
	}
	if all == 0 {
		text = "nothing to do"
	}
	for _, a := range done.Actions {
		text += fmt.Sprintf("\n%s: %s [%s]", a.Kind, a.Reason, strings.Join(brain.Map(a.IDs, brain.ShortID), ", "))
	}
	if moreActions > 0 {
		text += fmt.Sprintf("\n%d more actions", moreActions)
	}
	if done.RunID != "" {
		text += forAgent("\n`brainbridge undo " + brain.ShortID(string(done.RunID)) + "` takes it back")
	}
	return text
}

// healthText returns the health of a brain for reading.
func healthText(r health.Report) string {
	text := "in order: " + english.Plural(r.Totals.Memories, "memory", "memories")
	if warnings := r.Warnings(); len(warnings) > 0 {
		text = "needs attention: " + strings.Join(warnings, ", ")
	}
	for _, line := range r.Recommendations {
		text += "\n" + forAgent(line)
	}
	return text
}

// maxAnswer is the longest answer of a memory tool, in characters: agents cut longer ones.
const maxAnswer = 10_000

// maxContent is the largest part of an answer that the text of a memory takes.
const maxContent = maxAnswer * 3 / 4

// fit returns an answer with as many of its items as fit: first makes one with the first n.
func fit(items int, first func(n int) answer) answer {
	if out := first(items); out.fits() {
		return out
	}
	return first(sort.Search(items, func(n int) bool { return !first(n + 1).fits() }))
}

// fits reports whether neither form of an answer is too long.
func (a answer) fits() bool {
	return utf8.RuneCountInString(a.text) <= maxAnswer && utf8.RuneCountInString(compact(a.structured)) <= maxAnswer
}

// entriesAnswer returns entries, in a list of this name for programs beside other
// fields, as many as fit. Those that do not fit, and those left out earlier, are counted.
func (c call) entriesAnswer(fields map[string]any, name, none string, all []entry, leftOut int) answer {
	return fit(len(all), func(n int) answer {
		return fitEntries(all[:n], func(some []entry) answer {
			lines := brain.Map(some, func(e entry) string { return e.line(c.o.Project) })
			text, structured, left := strings.Join(lines, "\n"), maps.Clone(fields), leftOut+len(all)-n
			structured[name] = some
			if left > 0 {
				structured["heldBack"] = map[string]int{"overBudget": left}
			}
			switch {
			case text == "" && left > 0:
				text = fmt.Sprintf("%d found, but none fits the budget; ask with a larger one", left)
			case text == "":
				text = none
			case left > 0:
				text += fmt.Sprintf("\n%d more did not fit", left)
			}
			return answer{text, structured}
		})
	})
}

// memoryAnswer returns a memory with its relations.
func (c call) memoryAnswer(found app.ShowAnswer) answer {
	return fit(len(found.Relations), func(n int) answer {
		first, left := found, len(found.Relations)-n
		first.Relations = found.Relations[:n]
		return answer{c.memoryText(first, left), withoutNulls(struct {
			app.ShowAnswer
			MoreRelations int `json:"moreRelations"`
		}{first, left})}
	})
}

// runAnswer returns the report of a run with its actions; `runs show` has all of them.
func runAnswer(done app.ConsolidateAnswer) answer {
	return fit(len(done.Actions), func(n int) answer {
		first, left := done, len(done.Actions)-n
		first.Actions = done.Actions[:n]
		return answer{runText(first, left), withoutNulls(struct {
			app.ConsolidateAnswer
			MoreActions int `json:"moreActions"`
		}{first, left})}
	})
}

// excerpt returns at most limit characters in JSON of a text, and how to read on.
func excerpt(text string, from, limit int) string {
	rest := []rune(text)
	rest = rest[min(from, len(rest)):]
	n := sort.Search(min(limit, len(rest)), func(n int) bool { // the first length in JSON that is too long
		return utf8.RuneCountInString(plaintext.Quote(string(rest[:n+1]))) > limit
	})
	if n == len(rest) {
		return string(rest)
	}
	return fmt.Sprintf("%s\n[… %d more characters; open_memory with offset %d reads on]", string(rest[:n]), len(rest)-n, from+n)
}
