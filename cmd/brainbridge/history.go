package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

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

func (a *cli) showEvents(events []app.HistoryEvent) {
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
	c.RunE = answersAbout(a, (*app.UseCases).Why, a.showWhy)
	return c
}

func (a *cli) showWhy(w app.WhyAnswer) {
	m := w.Memory
	if a.quiet {
		a.printf("%s\n", strings.Join(w.Reasons, "\n"))
		return
	}
	a.printf("%s\n", a.bold(flat(m.Name, 70)))
	a.field("id", m.ID)
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
