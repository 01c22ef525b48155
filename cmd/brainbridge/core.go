package main

import (
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) coreCommand() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "What is in core memory", Args: noArgs}
	list.RunE = answersOf(a, (*app.UseCases).Core, a.showCore)
	promote := a.changing(&cobra.Command{
		Use: "promote ID", Short: "Take a memory into core, where it does not fade", Args: between(1, 1),
	})
	promote.RunE = answersAbout(a, (*app.UseCases).PromoteToCore, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "taken into core") })
	demote := a.changing(&cobra.Command{
		Use: "demote ID", Short: "Put a core memory back among the long-term ones", Args: between(1, 1),
	})
	demote.RunE = answersAbout(a, (*app.UseCases).DemoteFromCore, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "put back into longTerm") })
	return parent("core", "What is always true: core memory, and its file core-memory.json", list, promote, demote)
}

func (a *cli) showCore(found app.CoreAnswer) {
	t := table{head: []string{"ID", "TYPE", "NAME", "TEXT"}}
	for _, v := range found.Memories {
		t.item(v.ID, short(v.ID), v.MemoryType, flat(v.Name, 30), flat(v.Content, 60))
	}
	if a.printList(t, "core memory is empty") {
		a.next("file: %s", found.File)
	}
}

func (a *cli) showCoreChange(changed app.CoreChangeAnswer, done string) {
	m := changed.Memories[0]
	if a.quiet {
		a.printf("%s\n", m.ID)
		return
	}
	a.printf("%s: %s\n", a.verb(done), flat(m.Name, 60))
	a.showUndo(changed.RunID)
}
