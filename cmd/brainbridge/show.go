package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

func (a *cli) showCommand() *cobra.Command {
	c := command("show ID", "Show a memory with its details and relations", nil)
	exact := c.Flags().Bool("exact", false, "show this exact version instead of the current one")
	history := c.Flags().Bool("history", false, "show every event in the life of the memory")
	why := c.Flags().Bool("why", false, "explain its tier, energy and salience")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := exclusive(c, "exact", "history", "why"); err != nil {
			return err
		}
		switch {
		case *history:
			return a.historyCommand().RunE(c, args)
		case *why:
			return a.whyCommand().RunE(c, args)
		}
		return answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.ShowAnswer, error) {
			return u.Show(ctx, args[0], *exact)
		}, a.showShown)(c, args)
	}
	return c
}

func (a *cli) showShown(s app.ShowAnswer) {
	m, now := s.Memory, a.clock()
	if a.printQuiet(m.ID) {
		return
	}
	a.printf("%s\n", a.bold(flat(m.Name, brain.MaxName)))
	a.fields(
		"id", a.answerID(m.ID),
		"type", m.MemoryType+", "+string(m.Importance),
		"state", a.reminderState(s.Source),
		"tier", given(m.Tier, func(t tiers.Tier) string { return string(t) }),
		"energy", given(m.Energy, energy),
		"expires", given(m.ExpiresAt, func(t time.Time) string { return at(t) + " (" + ago(t, now) + ")" }),
		"created", at(m.Created)+" ("+ago(m.Created, now)+")",
		"accessed", given(m.LastAccessed, func(t time.Time) string { return ago(t, now) + ", " + counted(m.AccessCount, "time") }),
		"used", some(m.UseCount, "time"),
		"helpful", given(m.Effectiveness, func(share float64) string { return fmt.Sprintf("%.0f %% of the verdicts", 100*share) }),
		"confirmed", some(m.Confirmations, "time"),
		"relevance", given(m.RelevanceScore, score),
		"project", string(m.Project),
		"tags", strings.TrimSuffix("#"+strings.Join(m.Tags, " #"), "#"),
		"note", given(m.Source, placed),
	)
	if saysSources(s) {
		for _, source := range s.Sources {
			a.fields("said", a.saidIn(source))
		}
	}
	a.showRelations(s)
	if text := strings.TrimSpace(m.Content); text != m.Name {
		a.printf("\n%s\n", indented(text, "  "))
	}
}

// saysSources reports whether the sources of a memory have lines of their own.
func saysSources(s app.ShowAnswer) bool { return len(s.Sources) > 1 }

// saidIn says when and where a source said something.
func (a *cli) saidIn(s app.SourceView) string {
	kind := strings.ToLower(string(s.Kind)) + " " + brain.ShortID(s.ID)
	if s.File == "" {
		return at(s.Created) + ", " + kind
	}
	return s.Date + ", " + placed(brain.Place{File: s.File, Line: s.Line, Removed: !s.Removed.IsZero()}) + ", " + kind
}

// given formats a value; it is "" where there is none.
func given[T any](value *T, format func(T) string) string {
	if value == nil {
		return ""
	}
	return format(*value)
}

// some is a number with its noun, "" for 0.
func some(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return counted(n, noun)
}

// reminderState says whether a reminder is open, and when it is due; "" for another source.
func (a *cli) reminderState(s *app.SourceView) string {
	switch {
	case s == nil || s.Kind != brain.Reminder:
		return ""
	case !s.Done.IsZero():
		return "done since " + at(s.Done)
	case !s.Removed.IsZero():
		return "removed from its note"
	case s.Due.IsZero():
		return "open"
	}
	return "open, due " + a.dueAt(s.Due)
}

// placed formats the place of a text in the notes, now or before.
func placed(p brain.Place) string {
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	if p.Removed {
		at += " (no longer there)"
	}
	return at
}

// showRelations prints relations, without those to sources that have lines of their own, without
// the superseding that is a replacement, and without promotions, which history tells.
func (a *cli) showRelations(s app.ShowAnswer) {
	for _, r := range s.Relations {
		same := func(o brain.Relation) bool { return o.Type == brain.Replaces && o.From == r.From && o.To == r.To }
		if r.Type == brain.PromotedTo || r.Type == brain.HasMemory && saysSources(s) || r.Type == brain.Supersedes && slices.ContainsFunc(s.Relations, same) {
			continue
		}
		other := "← " + brain.ShortID(r.From)
		if r.From == s.Memory.ID {
			other = "→ " + brain.ShortID(r.To)
		}
		a.fields(r.Type, other)
	}
}

// fields prints names and values in turn, one aligned line for each value that there is.
func (a *cli) fields(namesAndValues ...string) {
	for pair := range slices.Chunk(namesAndValues, 2) {
		if pair[1] != "" {
			a.printf("  %s %s\n", a.dim(fmt.Sprintf("%-12s", pair[0])), pair[1])
		}
	}
}

func (a *cli) historyCommand() *cobra.Command {
	return command("history ID", "Show every event in the life of a memory", answersTo(a, (*app.UseCases).History, &a.typed, a.showHistory))
}

func (a *cli) showHistory(h app.HistoryAnswer) {
	gone := ""
	if last := h.Events[len(h.Events)-1]; last.Kind == string(brain.ActForget) && last.Undone == nil {
		gone = "  (forgotten; `brainbridge unforget " + h.Memory.ID + "` brings it back)"
	}
	a.printf("%s%s\n", a.bold(flat(h.Memory.Name, 70)), gone)
	a.showEvents(h.Events)
}

func (a *cli) showEvents(events []journal.HistoryEvent) {
	t := table{head: []string{"WHEN", "WHAT", "MEMORY", "WHY"}}
	for _, e := range events {
		why := flat(e.Reason, 80)
		if e.Undone != nil {
			why += " (undone " + at(*e.Undone) + ")"
		}
		t.row(e.At.Local().Format("2006-01-02 15:04:05"), e.Kind, brain.ShortID(e.Memory), why)
	}
	a.print(t)
}

func (a *cli) whyCommand() *cobra.Command {
	return command("why ID", "Explain the tier, energy and salience of a memory", answersTo(a, (*app.UseCases).Why, &a.typed, a.showWhy))
}

func (a *cli) showWhy(w app.WhyAnswer) {
	m := w.Memory
	if a.printQuiet(strings.Join(w.Reasons, "\n")) {
		return
	}
	a.printf("%s\n", a.bold(flat(m.Name, 70)))
	pushed := w.NotPushed
	if w.Part != "" {
		pushed = "in the context, part " + string(w.Part)
	}
	a.fields(
		"id", a.answerID(m.ID),
		"tier", string(*m.Tier),
		"energy", energy(*m.Energy),
		"half-life", given(w.HalfLife, func(hours float64) string { return fmt.Sprintf("%.2f hours", hours) }),
		"promotion", given(w.PromoteDue, func(t time.Time) string { return "due since " + at(t) + "; the next run writes it" }),
		"used", fmt.Sprintf("%s in %s, recalled %s", counted(w.Uses, "time"), counted(w.Sessions, "session"), counted(w.Recalls, "time")),
		"salience", fmt.Sprintf("%.2f: %s", w.Salience, pushed),
	)
	for _, id := range w.Replaced {
		a.fields("replaced", id)
	}
	a.printf("\n%s\n\n", indented(strings.Join(w.Reasons, "\n"), "  "))
	a.showEvents(w.Events)
}
