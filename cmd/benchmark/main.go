// Command benchmark measures brainbridge for the people who work on it. It is not part of the
// product, works in a temporary folder (on Neo4j in brains of its own) and removes what it made.
//
//	benchmark [OPTIONS] speed         time and memory of processes, the store, the daemon, MCP and hooks
//	benchmark [OPTIONS] recall FILE   how well recall finds the relevant records of a set of queries
//	benchmark [OPTIONS] extract FILE  what extraction keeps of conversations
//	benchmark [OPTIONS] morning       what is pushed to the first session of a day
//
// It also makes the file of the sentence model from the published model.safetensors and vocab.txt:
//
//	benchmark convert FOLDER FILE
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// run measures what the arguments name and prints the report.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("benchmark [OPTIONS] speed | recall FILE | extract FILE | morning", flag.ContinueOnError)
	program := flags.String("program", "bin/brainbridge", "the `BINARY` whose processes are measured")
	store := flags.String("store", "", "a Neo4j `URI` instead of SQLite in TMPDIR")
	sizes := flags.String("memories", "10000,100000", "numbers of memories in the store, separated by commas")
	off := flags.String("off", "", "`PARTS` of the ranking of recall that are switched off: "+strings.Join(slices.Sorted(maps.Keys(recallParts)), ", "))
	asJSON := flags.Bool("json", false, "print JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	l, err := config.Load(config.Input{Env: os.Getenv, Flags: map[string]string{"store": *store}})
	if err != nil {
		return err
	}
	o := options{settings: l.Config, plan: fullPlan(), log: os.Stderr}
	if o.program, err = filepath.Abs(*program); err != nil {
		return err
	}
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return fmt.Errorf("-memories: %q is not a number of memories", size)
		}
		o.sizes = append(o.sizes, n)
	}
	var r report
	switch name, file := flags.Arg(0), flags.Arg(1); {
	case name == "convert" && flags.NArg() == 3:
		return minilm.Convert(flags.Arg(2), filepath.Join(file, "model.safetensors"), filepath.Join(file, "vocab.txt"))
	case name == "speed" && file == "":
		r, err = measureSpeed(ctx, o)
	case name == "morning" && file == "":
		r, err = measureMorning(ctx, o)
	case name == "extract" && file != "":
		r, err = measureExtraction(file)
	case name == "recall" && file != "":
		if o.embedder, err = app.New(app.Options{Settings: l, Env: os.Getenv}).Embedder(false); err == nil {
			r, err = measureRecall(ctx, o, file, strings.FieldsFunc(*off, func(r rune) bool { return r == ',' }))
		}
	default:
		flags.Usage()
		return errors.New("name what to measure: speed, recall FILE, extract FILE or morning")
	}
	if r == nil {
		return err
	}
	if *asJSON {
		return errors.Join(err, json.NewEncoder(out).Encode(r))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	r.print(w)
	return errors.Join(err, w.Flush())
}

type report interface{ print(w io.Writer) }
