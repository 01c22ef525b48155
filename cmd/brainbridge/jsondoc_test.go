package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// docs/json.md names every key of every answer, with its type, and none that
// no answer has.
func TestJSONPage(t *testing.T) {
	page := readJSONPage(t)
	s := newJSONSession(t, page)
	s.captures()
	s.looks()
	s.changes()
	s.runs()
	s.reviews()
	s.files()
	s.exchanges()
	s.backups()
	s.settings()
	s.daemon()
	s.longAfter()
	s.services()
	s.attention()
	s.vectors()
	s.models()
	s.reports()
	s.sessions()
	s.reflects()
	s.installs()
	for _, key := range page.unseen("query") { // which has a test of its own
		t.Errorf("the page names %s, which no answer has", key)
	}
}

// The answer to a query is as the page says too.
func TestJSONPageOfQueries(t *testing.T) {
	uri, name := neo4jtest.Server(t), "jsondoc-"+brain.NewID()
	t.Cleanup(func() { dropBrains(t, uri, name) })
	s := newJSONSession(t, readJSONPage(t))
	s.run("init", "--store", uri, "--brain", name, "init")
	s.run("query", "--store", uri, "--brain", name, "query", "RETURN 1 AS n")
	if b := s.page.block("query"); len(b.seen) != len(b.keys) {
		t.Errorf("the answer has %v, the page %v", b.seen, b.keys)
	}
}

// Each command that answers has its place on the page.
func TestJSONPageNamesEveryCommand(t *testing.T) {
	page := readJSONPage(t)
	var walk func(c *cobra.Command, path string)
	walk = func(c *cobra.Command, path string) {
		for _, sub := range c.Commands() {
			walk(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
		group := c.HasSubCommands() && path != "runs" && path != "review" // which list them
		if !group && !c.Hidden && path != "serve" && path != "mcp" && path != "hook" && path != "help" && page.block(path) == nil {
			t.Errorf("the page does not name %q", path)
		}
	}
	a := &cli{env: func(string) string { return "" }}
	walk(a.root(nil), "")
}

// jsonBlock is an example of the page: commands and the keys of their answer.
type jsonBlock struct {
	commands []string          // without their arguments in capitals
	text     string            // the example
	keys     map[string]kind   // by path; [] is any place of a list
	shapes   map[string]string // names of the shapes that stand at paths
	seen     map[string]bool   // paths in answers
}

type jsonPage struct{ blocks []*jsonBlock }

// kind is a type of JSON; empty for null, which any may be.
type kind string

// unseen are the keys that no answer had; what a shape names may be in any
// place of that shape.
func (p *jsonPage) unseen(but string) []string {
	seen := map[string]bool{}
	for _, b := range p.blocks {
		for path := range b.keys {
			key := b.owned(path)
			seen[key] = seen[key] || b.seen[path] || slices.Contains(b.commands, but)
		}
	}
	maps.DeleteFunc(seen, func(_ string, ok bool) bool { return ok })
	return slices.Sorted(maps.Keys(seen))
}

// owned is a path with what it belongs to: a shape, or the first command.
func (b *jsonBlock) owned(path string) string {
	owner, begin := b.commands[0], 0
	for at, shape := range b.shapes {
		if strings.HasPrefix(path, at+".") && len(at) > begin {
			owner, begin = shape, len(at)
		}
	}
	return owner + " " + path[begin:]
}

// block finds a command on the page; nil if it is not there.
func (p *jsonPage) block(command string) *jsonBlock {
	for _, b := range p.blocks {
		if slices.Contains(b.commands, command) {
			return b
		}
	}
	return nil
}

// readJSONPage reads the indented blocks of the page: a head, which is
// "$ brainbridge --json COMMAND" once or more or the name of a shape, and an
// example.
func readJSONPage(t *testing.T) *jsonPage {
	t.Helper()
	text, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	page, shapes := &jsonPage{}, map[string]any{}
	for part := range strings.SplitSeq(string(text), "\n\n") {
		b := blockOf(part)
		if b == nil {
			continue
		}
		if name := b.commands[0]; strings.HasPrefix(name, "<") && name != "<error>" {
			shapes[name] = parseJSON(t, b.text)
		} else {
			page.blocks = append(page.blocks, b)
		}
	}
	for _, b := range page.blocks {
		b.collect("", b.filledIn("", parseJSON(t, b.text), shapes), b.keys)
	}
	return page
}

// blockOf is the block that a part of the page is, or nil.
func blockOf(part string) *jsonBlock {
	b := &jsonBlock{keys: map[string]kind{}, shapes: map[string]string{}, seen: map[string]bool{}}
	for line := range strings.Lines(part) {
		line, indented := strings.CutPrefix(line, "    ")
		if !indented {
			return nil
		}
		if command, ok := strings.CutPrefix(line, "$ brainbridge --json "); ok {
			b.commands = append(b.commands, withoutArguments(command))
		} else if strings.HasPrefix(line, "<") {
			b.commands = append(b.commands, strings.TrimSpace(line))
		} else {
			b.text += line
		}
	}
	if len(b.commands) == 0 {
		return nil
	}
	return b
}

// withoutArguments is a line of the page without options of the program and
// arguments, which are in capitals or the shell of `completion`.
func withoutArguments(line string) string {
	words := slices.DeleteFunc(strings.Fields(line), func(w string) bool {
		return w == strings.ToUpper(w) || w == "--helpful" || w == "bash"
	})
	return strings.Join(words, " ")
}

func parseJSON(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

// filledIn is an example with the shapes that it names, whose paths it keeps.
func (b *jsonBlock) filledIn(path string, v any, shapes map[string]any) any {
	switch v := v.(type) {
	case string:
		if shape, ok := shapes[v]; ok {
			b.shapes[path] = v
			return shape
		}
	case []any:
		for i := range v {
			v[i] = b.filledIn(path+"[]", v[i], shapes)
		}
	case map[string]any:
		for key := range v {
			v[key] = b.filledIn(path+"."+key, v[key], shapes)
		}
	}
	return v
}

// collect puts the paths of all keys of v, and the types of what they hold,
// into keys. Where the page has the key <type>, any key is that.
func (b *jsonBlock) collect(path string, v any, keys map[string]kind) {
	if keys[path] == "" {
		keys[path] = kindOf(v)
	}
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			b.collect(path+"[]", each, keys)
		}
	case map[string]any:
		for key, each := range v {
			if _, free := b.keys[path+".<type>"]; free {
				key = "<type>"
			}
			b.collect(path+"."+key, each, keys)
		}
	}
}

func kindOf(v any) kind {
	if v == nil {
		return ""
	}
	return kind(fmt.Sprintf("%T", v))
}

// check holds an answer against the page.
func (b *jsonBlock) check(t *testing.T, what string, answer any) {
	t.Helper()
	got := map[string]kind{}
	b.collect("", answer, got)
	for _, path := range slices.Sorted(maps.Keys(got)) {
		b.seen[path] = true
		want, named := b.keys[path]
		switch {
		case !named:
			t.Errorf("%s: the page does not name %s", what, path)
		case got[path] != want && got[path] != "" && want != "":
			t.Errorf("%s: %s is a %s, the page says %s", what, path, got[path], want)
		}
	}
}

// Each setting is described somewhere; the numbers of the lifecycle stand
// under shorter names.
func TestPagesNameEverySetting(t *testing.T) {
	var pages strings.Builder
	for _, name := range []string{"quick-reference", "memory-md", "transcripts", "import-and-export"} {
		text, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
	}
	answer := newJSONSession(t, readJSONPage(t)).do(2, "config", "show")
	for _, setting := range answer["settings"].([]any) {
		key := setting.(map[string]any)["key"].(string)
		if !strings.HasPrefix(key, "lifecycle.") && !strings.Contains(pages.String(), "`"+key+"`") {
			t.Errorf("no page describes %s", key)
		}
	}
}
