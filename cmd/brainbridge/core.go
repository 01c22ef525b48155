package main

import (
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) coreCommand() *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "List core memories", Args: noArgs}
	list.RunE = answersOf(a, (*app.UseCases).Core, a.showCore)
	promote := a.changing(&cobra.Command{
		Use: "promote ID", Short: "Promote a memory to core, where it does not decay", Args: between(1, 1),
	})
	promote.RunE = answersAbout(a, (*app.UseCases).PromoteToCore, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "promoted to core") })
	demote := a.changing(&cobra.Command{
		Use: "demote ID", Short: "Move a core memory back to the longTerm tier", Args: between(1, 1),
	})
	demote.RunE = answersAbout(a, (*app.UseCases).DemoteFromCore, func(done app.CoreChangeAnswer) { a.showCoreChange(done, "moved back to longTerm") })
	return parent("core", "Manage core memory, which never decays", list, promote, demote)
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
