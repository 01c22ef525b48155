package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) modelCommand() *cobra.Command {
	var from string
	install := changing(command("install", "Download the sentence model, for recall by meaning", answersTo(a, (*app.UseCases).InstallModel, &from, a.showModel)))
	install.Long = `Install all-MiniLM-L6-v2 (English, Apache-2.0) into the data folder. It runs in this
program, without a server or a key: then recall also finds what was said in other
words. The two files of a pinned revision are downloaded (91 MB), checked against
their SHA-256 and converted (23 MB). HF_ENDPOINT names a mirror of huggingface.co.`
	install.Flags().StringVar(&from, "from", "", "take the files from `PATH`: a folder with model.safetensors and vocab.txt, or a converted file")
	remove := rehearsed(a, (*app.UseCases).RemoveModel, func(app.ModelAnswer) (string, []string) {
		return "Remove the sentence model", []string{"recall goes by words alone", "the vectors of the brain are kept"}
	}, func(app.ModelAnswer) {
		if !a.dryRun {
			a.printf("removed the sentence model\n")
		}
	})
	return parent("model", "The sentence model, for recall by meaning",
		command("status", "Show the sentence model and what it has done", answersOf(a, (*app.UseCases).Model, a.showModel)),
		install,
		changing(command("remove", "Remove the sentence model", remove)))
}

func (a *cli) showModel(m app.ModelAnswer) {
	switch {
	case a.dryRun && m.From != "":
		a.printf("would install %s as %s\n", m.From, m.Path)
		return
	case a.dryRun:
		a.printf("would download 91 MB from %s into %s\n", m.Source, m.Path)
		return
	case m.Uses == "none":
		a.printf("off: embedding.model is none\n")
	case m.Uses != "":
		a.printf("the sentence model is not used: vectors come from %s\n", m.Uses)
	case m.Damaged:
		a.printf("damaged: remove the file, then `brainbridge model install` makes it anew\n")
	case !m.Installed:
		a.printf("not installed: recall goes by words alone; `brainbridge model install` downloads it (91 MB)\n")
		return
	default:
		a.printf("%s\n", m.Name)
	}
	if a.quiet {
		return
	}
	if m.Installed {
		a.fields("file", fmt.Sprintf("%s (%s)", m.Path, humanize.IBytes(uint64(m.Bytes))), "from", m.Source, "licence", "Apache-2.0")
	}
	a.fields("texts", fmt.Sprintf("%s of %s have a vector", humanize.Comma(int64(m.Embedded)), humanize.Comma(int64(m.Texts))))
	if m.Stored != "" {
		a.printf("%s\n", otherModel(m.Stored))
	}
}

// otherModel says that the vectors of the brain are those of another model than here.
func otherModel(stored string) string {
	return "the brain has vectors of " + stored + ": recall goes by words until `brainbridge consolidate` has made new ones, or the settings name that model"
}
