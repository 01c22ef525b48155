package mcp

import (
	"cmp"
	"context"
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/integration/app"
)

// rememberTool keeps a text. The hint says what to do about similar memories: clients that
// get structured content do not show the text.
func rememberTool(ctx context.Context, c call, r app.RememberRequest) (answer, error) {
	a, err := c.Remember(ctx, r)
	switch {
	case err != nil:
		return answer{}, err
	case a.CaptureAnswer != nil:
		hint := replaceHint(*a.CaptureAnswer)
		return answer{captureText(*a.CaptureAnswer, hint), struct {
			app.RememberAnswer
			Hint string `json:"hint,omitempty"`
		}{a, hint}}, nil
	case a.DuplicateOf != "":
		return answer{"not kept: [" + brain.ShortID(a.DuplicateOf) + "] says the same", a}, nil
	}
	text := fmt.Sprintf("not kept: it scores %g, and %g are needed (%s)", a.Score, a.Threshold, strings.Join(a.Reasons, "; "))
	return answer{text, a}, nil
}

// replaceHint says how to replace a similar memory that is outdated; "" without similar memories.
func replaceHint(a app.CaptureAnswer) string {
	if len(a.Similar) == 0 {
		return ""
	}
	which, old := "one of them", "ID"
	if len(a.Similar) == 1 {
		which, old = "it", brain.ShortID(a.Similar[0].ID)
	}
	return fmt.Sprintf("If %s no longer holds: replace {\"old\": %q, \"new\": %q}", which, old, brain.ShortID(string(a.MemoryID)))
}

// captureText returns the answer to a capture for reading.
func captureText(a app.CaptureAnswer, hint string) string {
	text := a.Kind + ": " + a.Title + statement.DueText(a.Due, time.Local)
	if id := cmp.Or(a.MemoryID, a.SourceID); id != "" {
		text += " [" + brain.ShortID(string(id)) + "]"
	}
	switch {
	case a.Known != "":
		text = "known " + text
	case a.Spooled:
		return "kept in the spool " + a.Until + ": " + text + "\n" + a.Why.Error()
	default:
		text = "kept " + text
	}
	for _, id := range a.Replaced {
		text += "\nreplaced [" + brain.ShortID(id) + "]"
	}
	for _, m := range a.Similar {
		text += "\n" + m.Line()
	}
	return strings.TrimSuffix(text+"\n"+hint, "\n")
}

// memoryText returns a memory for reading; moreRelations of its relations are left out.
func (c call) memoryText(found app.ShowAnswer, moreRelations int) string {
	m := found.Memory
	head := newSummary(m, 0)
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

// runText returns the report of a run for reading, and what needs attention; moreActions of
// its actions are left out.
func runText(done app.ConsolidateAnswer, moreActions int, r health.Report) string {
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
		text += "\n`brainbridge undo " + brain.ShortID(string(done.RunID)) + "` takes it back"
	}
	if len(r.Recommendations) == 0 {
		return text + "\nnothing needs attention"
	}
	text += "\nneeds attention:"
	for _, line := range r.Recommendations {
		text += "\n- " + line
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

// resultsAnswer returns the results of a recall, as many as fit. Those that do not fit, and
// those left out earlier, are counted. none is said if there are no results.
func (c call) resultsAnswer(found recall.Recollection, none string) answer {
	all, leftOut := brain.Map(found.Results, recalledSummary), found.HeldBack["overBudget"]
	return fit(len(all), func(n int) answer {
		some := shortened(all[:n])
		lines := brain.Map(some, func(s summary) string { return s.line(c.o.Project) })
		text, structured, left := strings.Join(lines, "\n"), map[string]any{"query": plaintext.Shorten(found.Query, longText), "results": some}, leftOut+len(all)-n
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
		if searched := found.Searched(); searched != "" && len(all) > 0 {
			text = searched + "\n" + text
		}
		return answer{text, structured}
	})
}

// memoryAnswer returns a memory with its relations.
func (c call) memoryAnswer(found app.ShowAnswer) answer {
	return fit(len(found.Relations), func(n int) answer {
		first, left := found, len(found.Relations)-n
		first.Relations = found.Relations[:n]
		return answer{c.memoryText(first, left), struct {
			app.ShowAnswer
			MoreRelations int `json:"moreRelations,omitempty"`
		}{first, left}}
	})
}

// runAnswer returns the report of a run with its actions, and what needs attention.
// `runs show` has all actions.
func runAnswer(done app.ConsolidateAnswer, r health.Report) answer {
	return fit(len(done.Actions), func(n int) answer {
		first, left := done, len(done.Actions)-n
		first.Actions = done.Actions[:n]
		return answer{runText(first, left, r), struct {
			app.ConsolidateAnswer
			MoreActions int            `json:"moreActions,omitempty"`
			Health      map[string]any `json:"health"`
		}{first, left, map[string]any{"status": r.Status, "recommendations": r.Recommendations}}}
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
