package mcp

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/integration/app"
)

// rememberText returns the answer to remember for reading.
func rememberText(a app.RememberAnswer) string {
	switch {
	case a.Stored != nil:
		return captureText(a.Stored.CaptureAnswer)
	case a.Rejected == nil:
		return ""
	case a.Rejected.DuplicateOf != "":
		return "not kept: [" + shortID(a.Rejected.DuplicateOf) + "] says the same"
	}
	return fmt.Sprintf("not kept: it scores %g, and %g are needed (%s)", a.Rejected.Score, a.Rejected.Threshold, strings.Join(a.Rejected.Reasons, "; "))
}

// captureText returns the answer to a capture for reading.
func captureText(a app.CaptureAnswer) string {
	text := a.Kind + ": " + a.Title + brain.DueText(a.Due, time.Local)
	for _, id := range []*string{a.MemoryID, a.SourceID} {
		if id != nil {
			text += " [" + shortID(*id) + "]"
			break
		}
	}
	switch {
	case a.EchoOf != "":
		return "not kept, since it repeats what was recalled: " + text
	case a.Spooled:
		return "kept in the spool until the store is back: " + text
	}
	text = "kept " + text
	if a.Hint != "" {
		text += "\n" + a.Hint
	}
	for _, older := range a.Older {
		text += "\nholds instead of " + newEntry(brain.View{
			ID: older.ID, Name: older.Name, MemoryType: older.MemoryType, Content: older.Content, Date: older.Created.Format(time.DateOnly),
		}, 0).line("")
	}
	return text
}

// memoryText returns a whole memory for reading; moreRelations of its relations are
// left out.
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
			text += "\n" + r.Type + " [" + shortID(r.To) + "]"
		} else {
			text += "\n[" + shortID(r.From) + "] " + r.Type + " this"
		}
	}
	if moreRelations > 0 {
		text += fmt.Sprintf("\n%d more relations", moreRelations)
	}
	return text
}

// runText returns the report of a run for reading; moreActions of its actions are left
// out.
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
		ids := make([]string, len(a.IDs))
		for i, id := range a.IDs {
			ids[i] = shortID(id)
		}
		text += fmt.Sprintf("\n%s: %s [%s]", a.Kind, a.Reason, strings.Join(ids, ", "))
	}
	if moreActions > 0 {
		text += fmt.Sprintf("\n%d more actions", moreActions)
	}
	if done.RunID != nil {
		text += forAgent("\n`brainbridge undo " + shortID(*done.RunID) + "` takes it back")
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
