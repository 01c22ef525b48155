package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) initCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "init [--store URI]", Short: "Make what is needed, and say where things are",
		Long: "Make what is needed, and say where things are. With --store the store is opened first\nand then kept in the config file. Doing it twice changes nothing.",
		Args: noArgs,
	})
	c.RunE = answersOf(a, (*app.UseCases).Init, a.showPlaces)
	return c
}

func (a *cli) showPlaces(done app.InitAnswer) {
	a.printf("%s\n", a.would("ready", "would make"))
	if a.quiet {
		return
	}
	a.field("store", done.Store)
	a.field("brain", done.Brain)
	a.field("notes", done.Notes)
	if _, err := os.Stat(done.Config); err == nil {
		a.field("config", done.Config)
	} else {
		a.field("config", done.Config+" (not needed yet)")
	}
	if a.dryRun {
		return
	}
	a.printf("\nnext\n")
	a.printf("  brainbridge learn \"Go errors\" \"wrap once, with verb and subject\"\n")
	a.printf("  brainbridge recall \"how do I wrap errors?\"\n")
	a.printf("  brainbridge serve    %s\n", a.dim("watches the notes and settles what is due"))
}
