package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) showCommand() *cobra.Command {
	c := &cobra.Command{Use: "show ID", Short: "Show a memory with its details and relations", Args: between(1, 1)}
	exact := c.Flags().Bool("exact", false, "show this exact version instead of the current one")
	c.RunE = func(c *cobra.Command, args []string) error {
		return answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.ShowAnswer, error) {
			return u.Show(ctx, args[0], *exact)
		}, func(s app.ShowAnswer) { a.showShown(s, args[0], a.clock()) })(c, args)
	}
	return c
}

func (a *cli) showShown(s app.ShowAnswer, typed string, now time.Time) {
	m := s.Memory
	if a.brief(m.ID) {
		return
	}
	a.printf("%s\n", a.bold(flat(m.Name, brain.MaxName)))
	a.field("id", answerID(typed, m.ID))
	a.field("type", m.MemoryType+", "+string(m.Importance))
	if s.Source != nil && s.Source.Kind == brain.Reminder {
		a.field("state", a.reminderState(*s.Source))
	}
	if m.Tier != nil {
		a.field("tier", string(*m.Tier))
		a.field("energy", energy(*m.Energy))
	}
	if m.ExpiresAt != nil {
		a.field("expires", at(*m.ExpiresAt)+" ("+ago(*m.ExpiresAt, now)+")")
	}
	a.field("created", at(m.Created)+" ("+ago(m.Created, now)+")")
	if m.LastAccessed != nil {
		a.field("accessed", fmt.Sprintf("%s, %s", ago(*m.LastAccessed, now), counted(m.AccessCount, "time")))
	}
	a.showUse(m)
	if m.Project != nil {
		a.field("project", *m.Project)
	}
	if len(m.Tags) > 0 {
		a.field("tags", "#"+strings.Join(m.Tags, " #"))
	}
	if m.Source != nil {
		a.field("note", placed(*m.Source))
	}
	a.showRelations(s)
	if text := strings.TrimSpace(a.plain(m.Content)); text != m.Name {
		a.printf("\n%s\n", indented(text, "  "))
	}
}

// reminderState says whether a reminder is open, and when it is due.
func (a *cli) reminderState(s app.SourceView) string {
	switch {
	case !s.Done.IsZero():
		return "done since " + at(s.Done)
	case !s.Removed.IsZero():
		return "removed from its note"
	case s.Due.IsZero():
		return "open"
	}
	return "open, due " + a.dueAt(s.Due)
}

// showUse says how a memory has proved itself, where there is something to say.
func (a *cli) showUse(m brain.View) {
	if m.UseCount > 0 {
		a.field("used", counted(m.UseCount, "time"))
	}
	if m.Effectiveness != nil {
		a.field("helpful", fmt.Sprintf("%.0f %% of the verdicts", 100**m.Effectiveness))
	}
	if m.Confirmations > 0 {
		a.field("confirmed", counted(m.Confirmations, "time"))
	}
	if m.RelevanceScore != nil {
		a.field("relevance", score(*m.RelevanceScore))
	}
}

// placed formats the place of a text in the notes, now or before.
func placed(p brain.Place) string {
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	if p.Removed {
		at += " (no longer there)"
	}
	return at
}

func (a *cli) showRelations(s app.ShowAnswer) {
	for _, r := range s.Relations {
		switch s.Memory.ID {
		case r.From:
			a.field(r.Type, "→ "+short(r.To))
		default:
			a.field(r.Type, "← "+short(r.From))
		}
	}
}

// field prints one aligned line of facts.
func (a *cli) field(name, value string) {
	a.printf("  %s %s\n", a.dim(fmt.Sprintf("%-12s", name)), value)
}

func (a *cli) historyCommand() *cobra.Command {
	c := &cobra.Command{Use: "history ID", Short: "Show every event in the life of a memory", Args: between(1, 1)}
	c.RunE = answersAbout(a, (*app.UseCases).History, a.showHistory)
	return c
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
		t.row(e.At.Local().Format("2006-01-02 15:04:05"), e.Kind, short(e.Memory), why)
	}
	a.print(t)
}

func (a *cli) whyCommand() *cobra.Command {
	c := &cobra.Command{Use: "why ID", Short: "Explain the tier, energy and salience of a memory", Args: between(1, 1)}
	c.RunE = func(c *cobra.Command, args []string) error {
		return answersAbout(a, (*app.UseCases).Why, func(w app.WhyAnswer) { a.showWhy(w, args[0]) })(c, args)
	}
	return c
}

func (a *cli) showWhy(w app.WhyAnswer, typed string) {
	m := w.Memory
	if a.brief(strings.Join(w.Reasons, "\n")) {
		return
	}
	a.printf("%s\n", a.bold(flat(m.Name, 70)))
	a.field("id", answerID(typed, m.ID))
	a.field("tier", string(*m.Tier))
	a.field("energy", energy(*m.Energy))
	if w.HalfLife != nil {
		a.field("half-life", fmt.Sprintf("%.2f hours", *w.HalfLife))
	}
	if w.PromoteDue != nil {
		a.field("promotion", "due since "+at(*w.PromoteDue)+"; the next run writes it")
	}
	a.field("used", fmt.Sprintf("%s in %s, recalled %s", counted(w.Uses, "time"), counted(w.Sessions, "session"), counted(w.Recalls, "time")))
	pushed := w.NotPushed
	if w.Part != nil {
		pushed = "in the context, part " + *w.Part
	}
	a.field("salience", fmt.Sprintf("%.2f: %s", w.Salience, pushed))
	for _, id := range w.Replaced {
		a.field("replaced", id)
	}
	a.printf("\n%s\n\n", indented(strings.Join(w.Reasons, "\n"), "  "))
	a.showEvents(w.Events)
}
