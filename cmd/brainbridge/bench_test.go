package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/cmd/brainbridge/bench"
)

// smallBench measures everything, and little of it.
func smallBench() bench.Plan {
	return bench.Plan{
		Sizes: []int{60, 30}, Small: 20, Processes: 2, Recalls: 3, Sweeps: 2, Repeats: 1,
		Promotions: 12, Notes: 5, Transcript: 200_000, Saves: 2, Calls: 3, Detached: 1, Steady: 1,
	}
}

// runBench runs a small benchmark of the built program.
func runBench(ctx context.Context, env map[string]string) (bench.Report, error) {
	a := &cli{out: io.Discard, err: io.Discard, env: func(k string) string { return env[k] }}
	o, err := a.benchOptions(smallBench())
	if err != nil {
		return bench.Report{}, err
	}
	o.Program = filepath.Join(built, binaryName())
	done := o.Done
	var missed error
	o.Done = func(step string, err error) {
		done(step, err)
		missed = errors.Join(missed, err)
	}
	r, err := bench.Run(ctx, o)
	return r, errors.Join(err, missed)
}

func TestBenchReportsEveryFigureAndLeavesNothingBehind(t *testing.T) {
	uris := map[string]func(*testing.T) string{
		"sqlite": func(*testing.T) string { return "" },
		"neo4j":  func(t *testing.T) string { return neo4jtest.Server(t) },
	}
	for kind, uri := range uris {
		t.Run(kind, func(t *testing.T) {
			home, temp := t.TempDir(), t.TempDir()
			t.Setenv("TMPDIR", temp)
			env := map[string]string{"BRAINBRIDGE_HOME": home, "BRAINBRIDGE_STORE": uri(t)}
			r, err := runBench(t.Context(), env)
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, r, kind)
			for _, dir := range []string{home, temp} {
				if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
					t.Errorf("%s holds %v (%v), want nothing", dir, left, err)
				}
			}
		})
	}
}

// checkReport compares a report with the figures of docs/json.md.
func checkReport(t *testing.T, r bench.Report, kind string) {
	t.Helper()
	if r.Floor.ProcessStartMs <= 0 || r.Floor.DurableWriteMs <= 0 {
		t.Errorf("floor is %+v, want both above 0", r.Floor)
	}
	got := map[string][]int{}
	for _, f := range r.Figures {
		got[f.Name] = append(got[f.Name], f.Memories)
		single, spread := f.Value != nil, f.P50 != nil && f.P95 != nil
		if single == spread || f.Store != kind || f.Unit == "" {
			t.Errorf("%s: one value %v, percentiles %v, store %q, unit %q", f.Name, single, spread, f.Store, f.Unit)
		}
		if spread && (*f.P50 <= 0 || *f.P50 > *f.P95) || single && *f.Value <= 0 {
			t.Errorf("%s has figures that cannot be", f.Name)
		}
	}
	want := map[string][]int{
		"version": {0}, "capture": {0, 20}, "recallProcess": {20}, "recall": {30, 60}, "recallQuestion": {30, 60}, "sweepNone": {30, 60},
		"sweep1pct": {30, 60}, "promote1000": {30, 60}, "curate": {30, 60}, "health": {30, 60},
		"duplicatesFull": {30, 60}, "duplicatesMemory": {30, 60}, "duplicatesTen": {30, 60}, "scanFirst": {25}, "scanUnchanged": {25},
		"extractMBps": {0}, "extractMemory": {0}, "extractUnchanged": {0},
		"mcpStart": {0, 20, 30, 60}, "mcpToolList": {0}, "mcpRemember": {20}, "mcpCreate": {20}, "mcpRecall": {20}, "mcpMemory": {0}, "mcpMemoryUsed": {20},
		"hookSessionStart": {20, 30, 60}, "hookUserPromptSubmit": {20}, "hookPostToolUse": {20}, "hookStop": {20}, "hookPreCompact": {20}, "hookSessionEnd": {20},
		"noteToRecallable": {0}, "memoryIdle": {0}, "memoryLoaded": {30, 60},
	}
	for name, sizes := range want {
		if !slices.Equal(got[name], sizes) {
			t.Errorf("%s was measured at %v, want %v", name, got[name], sizes)
		}
	}
	if len(got) != len(want) {
		t.Errorf("figures are %v", got)
	}
}

func TestBenchPrintsATableWithTargetsForPeople(t *testing.T) {
	var out bytes.Buffer
	a := &cli{out: &out, env: func(string) string { return "" }}
	a.printBench(bench.Report{
		Floor: bench.Floor{ProcessStartMs: 4, DurableWriteMs: 0.25},
		Figures: []bench.Figure{
			{Name: "capture", Store: "sqlite", Memories: 10_000, P50: new(9.34), P95: new(12.9), Unit: "ms"},
			{Name: "scanFirst", Store: "sqlite", Memories: 50_000, Value: new(16_900.0), Unit: "ms"},
			{Name: "memoryIdle", Store: "sqlite", Value: new(18.2), Unit: "MB"},
		},
		Store: "sqlite", Folder: "/somewhere",
	})
	want := `figure                               memories      p50      p95  target
capture, whole process                 10,000  9.34 ms  12.9 ms  15 ms, 3 × floor = 12.8 ms
first scan of 10,000 notes             50,000   16.9 s           20 s
private memory of the daemon, empty         0  18.2 MB           35 MB

store: sqlite, measured below /somewhere
floor: process start 4.00 ms (this binary, ended before it does anything), durable write 0.25 ms (4 KiB appended, fdatasync), p50
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

func TestBenchRefusesNumbersThatAreNone(t *testing.T) {
	for _, bad := range []string{"", "0", "-5", "many", "10,", "1e6", "1000000000000"} {
		a := &cli{out: io.Discard, err: io.Discard, env: os.Getenv}
		if err := a.execute(t.Context(), []string{"bench", "--memories", bad}); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("--memories %q: %v", bad, err)
		}
	}
}

func TestBenchStopsWhenInterrupted(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runBench(ctx, map[string]string{"BRAINBRIDGE_HOME": temp + "/home"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was interrupted", err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}
