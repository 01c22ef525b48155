package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/config"
)

// Everything is measured, and little of it; nothing is left behind.
func TestSpeed(t *testing.T) {
	program := filepath.Join(t.TempDir(), "brainbridge")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../brainbridge").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	small := plan{
		sizes: []int{60}, processes: 2, recalls: 3, repeats: 1, promotions: 12, notes: 5,
		saves: 2, calls: 3, steady: time.Millisecond,
	}
	for kind, uri := range map[string]func(testing.TB) string{"sqlite": func(testing.TB) string { return "" }, "neo4j": neo4jtest.Server} {
		t.Run(kind, func(t *testing.T) {
			home, temp, store := t.TempDir(), t.TempDir(), uri(t)
			t.Setenv("TMPDIR", temp)
			t.Setenv("BRAINBRIDGE_HOME", home)
			t.Setenv("BRAINBRIDGE_STORE", store)
			l, err := config.Load(config.Input{Env: os.Getenv})
			if err != nil {
				t.Fatal(err)
			}
			r, err := measureSpeed(t.Context(), options{plan: small, program: program, settings: l.Config, log: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, f := range r.(*figures).Figures {
				names = append(names, f.Name)
				if spread := f.P50 != nil && f.P95 != nil && *f.P50 > 0 && *f.P95 >= *f.P50; !spread && (f.Value == nil || *f.Value <= 0) {
					t.Errorf("%+v has figures that cannot be", f)
				}
			}
			for _, want := range []string{"capture, whole process", "recall over MCP", "hook Stop", "saved note to recallable", "12 promotions, with journal"} {
				if !slices.Contains(names, want) {
					t.Errorf("%q is not in %q", want, names)
				}
			}
			for _, dir := range []string{home, temp} {
				if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
					t.Errorf("%s has %v (%v), want nothing", dir, left, err)
				}
			}
		})
	}
}

// runs runs the benchmark and returns its output, in columns of one space.
func runs(t *testing.T, args ...string) (string, error) {
	t.Setenv("BRAINBRIDGE_HOME", t.TempDir())
	var out bytes.Buffer
	err := run(t.Context(), args, &out)
	return strings.Join(strings.Fields(out.String()), " "), err
}

func written(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "set.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRecall(t *testing.T) {
	set := written(t, `{"kind":"record","set":"s","id":"1","group":"g","text":"The server listens on port 7000."}
{"kind":"record","set":"s","id":"2","group":"g","text":"Backups are stored every night.","date":"2026-03-01"}
{"kind":"query","set":"s","id":"q","text":"which port does the server listen on","relevant":["1"]}
`)
	for _, args := range [][]string{{"recall", set}, {"-off", "context,vectors", "recall", set}} {
		if out, err := runs(t, args...); err != nil || !strings.HasPrefix(out, "recall@1 100.0 ±0.0 %") || !strings.Contains(out, "1 queries") {
			t.Errorf("%v: %q, %v", args, out, err)
		}
	}
	for _, args := range [][]string{{"-off", "luck", "recall", set}, {"recall", written(t, "[]\n")}, {"recall"}, {"-memories", "10,x", "speed"}} {
		if out, err := runs(t, args...); err == nil {
			t.Errorf("%v is not refused: %q", args, out)
		}
	}
}

func TestExtraction(t *testing.T) {
	out, err := runs(t, "extract", written(t, `{"session":"a","role":"user","text":"Decision: we use SQLite for the cache.","keep":[{"quote":"we use SQLite"}]}
{"session":"a","role":"user","text":"Never push to main.","keep":[]}
`))
	if err != nil || !strings.Contains(out, "2 items in 2 messages precision 50.0 %, recall 100.0 % of 1 marked") {
		t.Errorf("%q, %v", out, err)
	}
}

// The targets for keepers, budget, passing lines and replaced statements are met on all days.
func TestMorning(t *testing.T) {
	t.Setenv("BRAINBRIDGE_HOME", t.TempDir())
	l, err := config.Load(config.Input{Env: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	r, err := measureMorning(t.Context(), options{settings: l.Config})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range r.(*figures).Figures {
		got[f.Name] = *f.Value
	}
	for _, days := range []string{"", "busy days: "} {
		for name, within := range map[string][2]float64{
			"largest context": {1500, 2000}, "lines that only pass": {0, 10}, "replaced statements pushed": {0, 0},
			"keepers of the last 14 days that are pushed": {95, 100},
		} {
			if v, ok := got[days+name]; !ok || v < within[0] || v > within[1] {
				t.Errorf("%s%s: %v, want %v", days, name, v, within)
			}
		}
	}
}
