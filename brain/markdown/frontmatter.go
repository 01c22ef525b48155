package markdown

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// FrontMatter returns the number of lines that the front matter takes, 0 without
// one: a block between "---" lines at the top of the text (the last one may be
// "...") whose first line is a key with a colon or a comment, or one between "+++" lines.
func (d *Document) FrontMatter() int {
	if !d.opensFrontMatter() {
		return 0
	}
	mark, above := strings.TrimRight(d.Line(0), " \t"), ""
	for i := 1; i < len(d.Lines); i++ {
		s := strings.TrimRight(d.Line(i), " \t")
		switch isItem := strings.HasPrefix(s, "- ") && strings.HasSuffix(above, ":"); {
		case s == mark || s == "..." && mark == "---":
			return i + 1
		case s == "":
			continue
		case mark == "---" && (strings.HasPrefix(s, "## [") || d.Lines[i-1].Blank && s[0] != ' ' && !isKey(s) && !isItem): // text: the block was never closed
			return 0
		}
		above = s
	}
	return 0
}

// UnclosedFrontMatter returns the line after a front matter that nothing closes: at its first
// blank line or heading. It is 0 if there is none.
func (d *Document) UnclosedFrontMatter() int {
	if !d.opensFrontMatter() || d.FrontMatter() > 0 {
		return 0
	}
	i := 1
	for i < len(d.Lines) && !d.Lines[i].Blank && d.Lines[i].Level == 0 {
		i++
	}
	return i
}

func (d *Document) opensFrontMatter() bool {
	if len(d.Lines) < 3 {
		return false
	}
	mark := strings.TrimRight(d.Line(0), " \t")
	return mark == "---" && isKey(d.Line(1)) || mark == "+++" && strings.ContainsAny(d.Line(1), "=[#")
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

// ParseFields reads a front matter, without the lines around it. If the whole is not YAML, each
// of its lines is read by itself, and the error says why.
func ParseFields(front string) (Fields, error) {
	all := Fields{}
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(front), &doc)
	if err == nil && strings.Contains(front, "*") {
		var values any
		err = doc.Decode(&values) // finds aliases that lead in a circle
	}
	switch {
	case err != nil:
		return fieldsByLine(front), err
	case len(doc.Content) == 0:
		return all, nil
	case doc.Content[0].Kind != yaml.MappingNode:
		return fieldsByLine(front), errors.New("it has no keys")
	}
	for pair := range slices.Chunk(doc.Content[0].Content, 2) {
		if all[strings.ToLower(pair[0].Value)] = pair[1]; pair[1].Value == "" && pair[1].LineComment == "" {
			pair[1].LineComment = pair[0].LineComment // key: #text
		}
	}
	return all, nil
}

var keyLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*["']?([\p{L}_][\p{L}\p{Nd}_ -]*?)["']?\s*[:=](.*)$`)
})

// fieldsByLine reads each key with the lines of its list. A value that is not YAML is its text.
func fieldsByLine(front string) Fields {
	all := Fields{}
	lines := strings.Split(strings.ReplaceAll(front, "\r", ""), "\n")
	for i, line := range lines {
		found := keyLine().FindStringSubmatch(line)
		if found == nil {
			continue
		}
		key, value := strings.ToLower(found[1]), strings.TrimSpace(found[2])
		for _, below := range lines[i+1:] {
			if value != "" && !strings.HasPrefix(value, "\n") || !strings.HasPrefix(strings.TrimSpace(below), "- ") {
				break
			}
			value += "\n" + strings.TrimSpace(below)
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte("key: "+value), &doc); err == nil && doc.Content[0].Kind == yaml.MappingNode {
			all[key] = doc.Content[0].Content[1]
		} else {
			all[key] = &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		}
	}
	return all
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
