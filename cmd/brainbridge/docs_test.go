package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// Every command line of README.md and docs is run, in the order of its page and in a home
// of its own. json.md has its own test. Comments of a page say what the test needs:
//
//	<!-- not run: REASON -->  before a block that cannot be run here
//	<!-- run: COMMAND -->     run first, unseen by the reader
//	<!-- now: TIME -->        the clock from here on; the output of the page is compared
//
// ID and RUN stand for the strongest memory and the last run.
func TestDocsRun(t *testing.T) {
	for _, page := range docPages(t) {
		if filepath.Base(page) == "json.md" {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			newDocRun(t).page(readPage(t, page))
		})
	}
}

// Every test that guarantees.md names is in the package that it names.
func TestGuaranteesNameTests(t *testing.T) {
	root := filepath.Join("..", "..")
	named := regexp.MustCompile("`(Test\\w+)` in `([^`]+)`").FindAllStringSubmatch(readPage(t, filepath.Join(root, "docs", "guarantees.md")), -1)
	if len(named) < 10 {
		t.Fatalf("only %d tests", len(named))
	}
	for _, n := range named {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(n[2]), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(files, func(file string) bool { return strings.Contains(readPage(t, file), "func "+n[1]+"(") }) {
			t.Errorf("there is no %s in %s", n[1], n[2])
		}
	}
}

// Every command and option that README.md and docs mention in a sentence or table exists.
func TestDocsNameWhatExists(t *testing.T) {
	spans := regexp.MustCompile("`([^`]+)`")
	for _, page := range docPages(t) {
		for no, line := range strings.Split(readPage(t, page), "\n") {
			if strings.HasPrefix(line, "    ") {
				continue
			}
			for _, span := range spans.FindAllStringSubmatch(line, -1) {
				if wrong := unknownIn(span[1]); wrong != "" {
					t.Errorf("%s:%d: `%s`: %s", page, no+1, span[1], wrong)
				}
			}
		}
	}
}

// unknownIn returns what a command line names that does not exist, "" for nothing, also
// if it is no command line of the program.
func unknownIn(span string) string {
	fields := strings.FieldsFunc(strings.TrimPrefix(span, "brainbridge "), func(r rune) bool { return strings.ContainsRune(" []\\", r) })
	a := &cli{env: func(string) string { return "" }}
	c, rest, err := a.root(nil).Find(fields)
	switch {
	case strings.HasPrefix(span, "-") || len(fields) == 0 || (err != nil || c == c.Root()) && !strings.HasPrefix(span, "brainbridge "):
		return ""
	case c == c.Root() && len(rest) > 0 && rest[0] != "COMMAND" && rest[0] != "help":
		return "there is no command " + rest[0]
	}
	for _, f := range fields {
		for option := range strings.SplitSeq(f, "|") {
			if name, found := strings.CutPrefix(option, "--"); found && name != "help" && name != "" && !hasOption(c, name) {
				return c.Name() + " has no option --" + name
			}
		}
	}
	return ""
}

func hasOption(c *cobra.Command, name string) bool {
	name, _, _ = strings.Cut(strings.TrimRight(name, "…,"), "=")
	return name == "" || c.Flag(name) != nil
}

func docPages(t *testing.T) []string {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("there are no pages", err)
	}
	return append(pages, "../../README.md")
}

func readPage(t *testing.T, page string) string {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docRun runs the commands of a page.
type docRun struct {
	*testing.T
	home, now string
}

func newDocRun(t *testing.T) *docRun {
	r := &docRun{T: t, home: t.TempDir()}
	r.must("git init -q .")
	return r
}

func (r *docRun) page(text string) {
	comments := regexp.MustCompile(`^<!-- (not run|run|now): ?(.*?) ?-->$`)
	skip, inBlock, outputs := false, false, false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := comments.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "run":
				r.must(m[2])
			case "now":
				r.now = m[2]
			default:
				skip = true
			}
			continue
		}
		code, isCode := strings.CutPrefix(line, "    ")
		if !isCode {
			if inBlock && line != "" {
				skip, inBlock, outputs = false, false, false
			}
			continue
		}
		inBlock = true
		for strings.HasSuffix(code, "\\") {
			i++
			code = strings.TrimSuffix(code, "\\") + strings.TrimSpace(lines[i])
		}
		command, shown := strings.CutPrefix(code, "$ ")
		outputs = outputs || shown
		if skip || outputs && !shown || !oursLine().MatchString(command) {
			continue
		}
		out := r.must(command)
		if r.now != "" && shown {
			r.compare(command, out, lines[i+1:])
		}
	}
}

func oursLine() *regexp.Regexp {
	return regexp.MustCompile(`^(\S+=\S+ )*brainbridge |\| brainbridge `)
}

// compare compares an output with that of the page, but for ids.
func (r *docRun) compare(command, out string, page []string) {
	r.Helper()
	ids := regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{6,8}\b`)
	var want []string
	for _, line := range page {
		code, isCode := strings.CutPrefix(line, "    ")
		if !isCode && line != "" || strings.HasPrefix(code, "$ ") {
			break
		}
		want = append(want, code)
	}
	wanted, got := ids.ReplaceAllString(strings.TrimSpace(strings.Join(want, "\n")), "ID"), ids.ReplaceAllString(strings.TrimSpace(out), "ID")
	if wanted != got {
		r.Errorf("%s prints\n%s\nthe page says\n%s", command, got, wanted)
	}
}

// must runs a command line that has to succeed. Where it asks for a yes, it is given.
func (r *docRun) must(line string) string {
	r.Helper()
	for _, place := range []struct{ name, list string }{{"ID", "list -q --all --limit 1"}, {"RUN", "runs -q --limit 1"}} {
		if word := regexp.MustCompile(`\b` + place.name + `\b`); word.MatchString(line) {
			id, err := r.sh("brainbridge " + place.list)
			if err != nil {
				r.Fatalf("%s: %s", line, id)
			}
			line = word.ReplaceAllString(line, strings.TrimSpace(id))
		}
	}
	out, err := r.sh(line)
	if err != nil && strings.Contains(out, "add --yes to do it") {
		command, comment, _ := strings.Cut(line, " #")
		out, err = r.sh(command + " --yes #" + comment)
	}
	if err != nil {
		r.Errorf("%s: %v\n%s", line, err, out)
	}
	return out
}

func (r *docRun) sh(line string) (string, error) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	dir := filepath.Join(r.home, "shop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.Fatal(err)
	}
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir = dir
	c.Env = []string{"HOME=" + r.home, "USER=ada", "TZ=UTC", "PATH=" + built + string(os.PathListSeparator) + os.Getenv("PATH"), "EDITOR=true", "BRAINBRIDGE_NOW=" + r.now}
	out, err := c.CombinedOutput()
	return string(out), errors.Join(err, ctx.Err())
}
