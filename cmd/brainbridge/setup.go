package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) initCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "init [--store URI]", Short: "Create config, folders and store, and show where they are",
		Long: "Create the folders, the config and the store of the brain, and show where they are. With\n--store, the URI is saved in the config file if the store can be opened. Running the\ncommand again changes nothing.",
		Args: noArgs,
	})
	c.RunE = answersOf(a, (*app.UseCases).Init, a.showPlaces)
	return c
}

func (a *cli) showPlaces(done app.InitAnswer) {
	a.printf("%s\n", a.verbFor("ready", "would create"))
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
	a.printf("  brainbridge serve    %s\n", a.dim("watches the notes and runs maintenance"))
}
