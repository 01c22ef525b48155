package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/cmd/brainbridge/bench"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) benchCommand() *cobra.Command {
	c := command("bench", "Measure speed and size on this machine with generated memories", nil)
	c.Long = `Measure speed and size on this machine, compared with the time that a durable write
and a process start take. The benchmark uses generated memories in a temporary folder
(in TMPDIR, or beside the file of --store sqlite:PATH; on Neo4j in a separate brain)
and removes them afterwards. Your own brain is not touched. Slow results are reported
but are not errors.`
	c.Example = "  brainbridge bench\n  brainbridge bench --memories 10000,100000,1000000\n  brainbridge bench --store neo4j://localhost:7687 --json"
	c.AddCommand(morningCommand(a), extractionCommand(a), recallBenchCommand(a))
	sizes := c.Flags().IntSlice("memories", []int{100_000}, "number `N` of memories in the large store; several are separated by commas")
	c.Flags().Lookup("memories").DefValue = "100000" // as it is written
	c.RunE = func(c *cobra.Command, _ []string) error {
		if slices.Min(*sizes) < 1 || slices.Max(*sizes) > 100_000_000 {
			return usage("give a number such as 100000, or several as 10000,100000", "--memories takes numbers from 1 to 100000000")
		}
		o, err := a.benchOptions(bench.Full(*sizes))
		if err != nil {
			return err
		}
		report, err := bench.Run(c.Context(), o)
		if report.Figures == nil {
			return err
		}
		return errors.Join(a.answer(report, func() { a.printBench(report) }), err)
	}
	return c
}

func morningCommand(a *cli) *cobra.Command {
	return command("morning", "Measure the context for the first session of a day in a made-up project", func(c *cobra.Command, _ []string) error {
		o, err := a.benchOptions(bench.Plan{})
		if err != nil {
			return err
		}
		found, err := bench.Morning(c.Context(), o)
		if err != nil {
			return err
		}
		return a.answer(found, func() {
			a.print(table{head: []string{"figure", "value", "unit", "target"}, rows: found.Rows(), right: "value"})
		})
	})
}

func extractionCommand(a *cli) *cobra.Command {
	c := command("extract --dataset=FILE", "Print what extraction keeps of conversations, and how good that is", nil)
	c.Long = `Print each explicit statement of a file with its quote, as it is kept of a session without a
model. Your own brain is not touched. The file is the session of an agent, or has
messages, one JSON object a line:

  {"session": S, "role": "user", "text": T, "keep": [{"kind": K, "quote": Q}, ...]?}

With keep, the statements that people marked as worth keeping, precision and recall are
printed too: the share of the items that overlap a marked quote of their message, and the
share of the marked quotes that an item overlaps.`
	c.Example = "  brainbridge bench extract --dataset ~/.claude/projects/-home-ada-shop/7f1c03ab.jsonl"
	file := c.Flags().String("dataset", "", "the `FILE`")
	c.RunE = func(*cobra.Command, []string) error {
		if *file == "" {
			return usage("give the file with --dataset", "bench extract needs conversations")
		}
		found, err := bench.Extract(*file)
		if err != nil {
			return err
		}
		return a.answer(found, func() {
			for _, i := range found.Items {
				a.printf("%s, %s: %s\n  %s\n", i.Kind, i.Speaker, i.Title, plaintext.OneLine(i.Quote))
			}
			a.printf("%d items in %d messages\n", len(found.Items), found.Messages)
			if found.Labelled > 0 {
				a.printf("precision %.1f %%, recall %.1f %% of %d marked statements\n", found.Precision(), found.Recall(), found.Labelled)
			}
		})
	}
	return c
}

func recallBenchCommand(a *cli) *cobra.Command {
	c := command("recall --dataset=FILE", "Measure how well recall finds the relevant records for a set of queries", nil)
	c.Long = `Store the records of a file, ask its queries and print how many of the relevant records
are among the first 1, 3, 5, 10, 20 and 50 answers, and the mean reciprocal rank of the first
one (MRR), in percent with 95 % intervals. Your own brain is not touched. The lines of
the file are JSON objects:

  {"kind": "record", "set": S, "id": I, "group": G, "text": T, "name"?, "date"?}
  {"kind": "query", "set": S, "id": I, "text": T, "relevant": [ID, ...], "category"?}

Each set is a brain of its own. Records of a group stand in their order. If an embedding
endpoint is configured, all records are sent to it, unless vectors are off.`
	c.Example = "  brainbridge bench recall --dataset questions.jsonl\n  brainbridge bench recall --dataset questions.jsonl --off context"
	var set bench.RecallSet
	c.Flags().StringVar(&set.File, "dataset", "", "the `FILE`")
	c.Flags().StringSliceVar(&set.Off, "off", nil, "switch `PARTS` of the ranking off: "+strings.Join(bench.RecallParts(), ", "))
	c.RunE = func(c *cobra.Command, _ []string) error {
		if set.File == "" {
			return usage("give the file with --dataset", "bench recall needs a set of records and queries")
		}
		for _, part := range set.Off {
			if !slices.Contains(bench.RecallParts(), part) {
				return usage("use one or more of "+strings.Join(bench.RecallParts(), ", "), "--off: %q is not a part of the ranking that can be switched off", part)
			}
		}
		o, err := a.benchOptions(bench.Plan{})
		if err != nil {
			return err
		}
		found, err := bench.Recall(c.Context(), o, set)
		if err != nil {
			return err
		}
		return a.answer(found, func() {
			a.print(table{head: bench.RecallColumns(), rows: found.Rows(), right: strings.Join(bench.RecallColumns()[1:], " ")})
			a.printf("\na query takes %.1f ms (p50), %.1f ms (p95)\n", found.P50, found.P95)
		})
	}
	return c
}

// benchOptions are the options of a benchmark on the store that the settings name.
func (a *cli) benchOptions(plan bench.Plan) (bench.Options, error) {
	settings, err := a.settings()
	if err != nil {
		return bench.Options{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return bench.Options{}, fmt.Errorf("find this program: %w", err)
	}
	embedder, err := app.New(app.Options{Settings: settings, Env: a.env}).Embedder(false)
	if err != nil {
		return bench.Options{}, err
	}
	a.startProgress()
	return bench.Options{
		Embedder: embedder, Plan: plan, Program: program, Version: version(), Settings: settings.Config, Env: a.env,
		Folder:   benchFolder(a.storeURI+a.env("BRAINBRIDGE_STORE"), settings.Config.Store),
		Progress: a.bar.tell,
		Done: func(step string, err error) {
			a.bar.clear()
			if err != nil {
				a.warn(fmt.Sprintf("%s could not be measured: %v", step, err))
			}
		},
	}, nil
}

// benchFolder is the folder in which the temporary one is made: that of the store's file if
// a store was asked for, so that its disk is measured; "" otherwise.
func benchFolder(asked, store string) string {
	where, err := config.ParseStore(store)
	if err != nil || asked == "" || where.Kind != config.KindSQLite {
		return ""
	}
	folder := filepath.Dir(where.Path)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return ""
	}
	return folder
}

func (a *cli) printBench(r bench.Report) {
	a.print(table{head: bench.Columns(), rows: r.Rows(), right: "memories p50 p95"})
	a.printf("\nstore: %s, measured below %s\nfloor: %s\n", r.Store, r.Folder, r.Floor)
}
