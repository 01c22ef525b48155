package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// exits runs the program and wants an exit code: exits CODE ARG…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("brainbridge", args[1:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run brainbridge: %v", err)
	}
	if got != want {
		ts.Fatalf("brainbridge %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// checkJSON compares a value in an answer: json stdout|stderr PATH VALUE
// [TOLERANCE]. A path is .key.0.key; .len at its end is the length; \n in a value is
// a new line. In stderr it looks at the last line.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: json stdout|stderr PATH VALUE [TOLERANCE]")
	}
	tolerance := 1e-9
	if len(args) > 3 {
		var err error
		tolerance, err = strconv.ParseFloat(args[3], 64)
		ts.Check(err)
	}
	got, err := lookUp(ts, args[0], args[1])
	if neg {
		if err == nil && equal(got, args[2], tolerance) {
			ts.Fatalf("%s is %s", args[1], shownJSON(got))
		}
		return
	}
	if err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	if !equal(got, args[2], tolerance) {
		ts.Fatalf("%s is %s, want %s", args[1], shownJSON(got), args[2])
	}
}

// keepJSON puts a value of the last answer into a variable: keep VAR PATH.
func keepJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep VAR PATH")
	}
	v, err := lookUp(ts, "stdout", args[1])
	ts.Check(err)
	ts.Setenv(args[0], shownJSON(v))
}

func lookUp(ts *testscript.TestScript, where, path string) (any, error) {
	text := ts.ReadFile(where)
	if where == "stderr" {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		text = lines[len(lines)-1]
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", where, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%s holds more than one document", where)
	}
	for key := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		if key == "" {
			continue
		}
		next, err := child(v, key)
		if err != nil {
			return nil, err
		}
		v = next
	}
	return v, nil
}

func child(v any, key string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if key == "len" {
			return len(v), nil
		}
		if c, ok := v[key]; ok {
			return c, nil
		}
	case []any:
		if key == "len" {
			return len(v), nil
		}
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i], nil
		}
	}
	return nil, fmt.Errorf("there is no %s in %s", key, shownJSON(v))
}

func equal(got any, want string, tolerance float64) bool {
	if n, ok := got.(json.Number); ok {
		a, errA := n.Float64()
		z, errZ := strconv.ParseFloat(want, 64)
		return errA == nil && errZ == nil && math.Abs(a-z) <= tolerance
	}
	return shownJSON(got) == strings.ReplaceAll(want, `\n`, "\n")
}

// shownJSON is a value as a script writes it: texts without quotes.
func shownJSON(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// same compares two values: same A B.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: same A B")
	}
	if (args[0] == args[1]) == neg {
		ts.Fatalf("%q and %q", args[0], args[1])
	}
}

// big writes a file of so many bytes: big FILE BYTES.
func big(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: big FILE BYTES")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat("abcdefg ", n/8+1)[:n]), 0o600))
}

// parallel runs the program many times at once, each in a process of its own
// that must succeed: parallel N ARG… with % for the number.
func parallel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: parallel N ARG…")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var all sync.WaitGroup
	failed := make(chan error, n)
	for i := range n {
		line := make([]string, 0, len(args))
		for _, arg := range args[1:] {
			line = append(line, strings.ReplaceAll(arg, "%", strconv.Itoa(i)))
		}
		c := exec.Command(filepath.Join(built, binaryName()), line...)
		c.Env, c.Dir = scriptEnv(ts), ts.MkAbs(".")
		all.Go(func() {
			if out, err := c.CombinedOutput(); err != nil {
				failed <- fmt.Errorf("%s: %w\n%s", strings.Join(line, " "), err, out)
			}
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		ts.Fatalf("%v", err)
	}
}

// scriptVariables are what the program reads of a script's environment.
func scriptVariables() []string {
	return []string{
		"PATH", "HOME", "TZ", "BRAINBRIDGE_HOME", "BRAINBRIDGE_BRAIN", "BRAINBRIDGE_STORE", "BRAINBRIDGE_NOW", "BRAINBRIDGE_SESSION",
	}
}

func scriptEnv(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range scriptVariables() {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// brain opens the store, to look at it from outside.
func (a *cli) brain(ctx context.Context) (*services.Services, error) {
	u, err := a.use()
	if err != nil {
		return nil, err
	}
	return u.Brain(ctx)
}

// snapshot writes everything of the brain but its records, or with them, into a
// file, as the store has it: snapshot FILE [records].
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 || len(args) == 2 && args[1] != "records" {
		ts.Fatalf("usage: snapshot FILE [records]")
	}
	ctx := context.Background()
	b, err := (&cli{env: ts.Getenv}).brain(ctx)
	ts.Check(err)
	defer b.Base.Store.Close()
	nodes := map[string][]string{}
	ts.Check(b.Base.Store.Dump(ctx, func(p brain.Page) error {
		if len(args) == 1 {
			p.Records = nil
		}
		addNodes(nodes, "memories", p.Memories)
		addNodes(nodes, "sources", p.Sources)
		addNodes(nodes, "sections", p.Sections)
		addNodes(nodes, "relations", p.Relations)
		addNodes(nodes, "records", p.Records)
		return nil
	}))
	for _, some := range nodes {
		slices.Sort(some) // the order of a dump is the store's own
	}
	raw, err := json.MarshalIndent(nodes, "", " ")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), raw, 0o600))
}

func addNodes[T any](to map[string][]string, kind string, nodes []T) {
	for _, n := range nodes {
		raw, err := json.Marshal(n)
		if err != nil {
			panic(err) // nodes always encode
		}
		to[kind] = append(to[kind], string(raw))
	}
}
