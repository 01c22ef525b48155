package markdown

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FrontMatter returns the number of lines that the front matter takes, 0 without
// one: a block between "---" lines at the top of the text (the last one may be
// "...") whose first line is a key with a colon or a comment.
func (d *Document) FrontMatter() int {
	if len(d.Lines) < 3 || strings.TrimRight(d.Line(0), " \t") != "---" || !isKey(d.Line(1)) {
		return 0
	}
	for i := 2; i < len(d.Lines); i++ {
		switch s := strings.TrimRight(d.Line(i), " \t"); {
		case s == "---" || s == "...":
			return i + 1
		case strings.HasPrefix(s, "## ["): // the header of an outcome: the block was never closed
			return 0
		}
	}
	return 0
}

func isKey(line string) bool {
	key, _, ok := strings.Cut(line, ":")
	if !ok || key == "" {
		return strings.HasPrefix(line, "# ")
	}
	return !strings.ContainsAny(key, "\t#*[]<>`") && key[0] != ' ' && key[0] != '-'
}

// Fields are the entries of a front matter, by key in lower case.
type Fields map[string]*yaml.Node

// ParseFields reads a front matter, without the lines around it.
func ParseFields(front string) (Fields, error) {
	all := Fields{}
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(front), &doc)
	if err == nil && strings.Contains(front, "*") {
		var values any
		err = doc.Decode(&values) // finds aliases that lead in a circle
	}
	switch {
	case err != nil || len(doc.Content) == 0:
		return all, err
	case doc.Content[0].Kind != yaml.MappingNode:
		return all, errors.New("it has no keys")
	}
	for pair := range slices.Chunk(doc.Content[0].Content, 2) {
		all[strings.ToLower(pair[0].Value)] = pair[1]
	}
	return all, nil
}

// Text returns a field that is one value, also in a list of its own; "" for none.
func (f Fields) Text(key string) string {
	n := f[key]
	for n != nil && n.Kind == yaml.SequenceNode && len(n.Content) == 1 {
		n = n.Content[0] // [[Name]] is a list in a list
	}
	if n != nil && n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		return strings.TrimSpace(n.Value)
	}
	return ""
}

// List returns a field that holds several values: a list, or a text separated by
// commas or, if it has none, by blanks.
func (f Fields) List(key string) []string {
	n, text := f[key], f.Text(key)
	if n == nil || n.Kind != yaml.SequenceNode {
		if strings.Contains(text, ",") {
			return strings.Split(text, ",")
		}
		return strings.Fields(text)
	}
	var all []string
	for _, e := range n.Content {
		if e.Kind == yaml.ScalarNode {
			all = append(all, e.Value)
		}
	}
	return all
}
