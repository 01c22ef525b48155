package exchange

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// splitFront cuts the front matter off a text, without the lines around it. line
// is the number of the first line after it. Without front matter, body is the
// whole text.
func splitFront(text string) (front, body string, line int) {
	d := markdown.Parse(text)
	n := d.FrontMatter()
	if n == 0 {
		return "", text, 1
	}
	return d.Slice(1, n-1), d.Slice(n, len(d.Lines)), n + 1
}

// nodeOf makes YAML of JSON, with the keys in the same order. Instants are
// written without quotes.
func nodeOf(raw []byte) (*yaml.Node, error) {
	var escaped strings.Builder // JSON is YAML, except for some control characters
	for _, r := range string(raw) {
		if needsQuotes(r) && r != '\n' {
			fmt.Fprintf(&escaped, `\u%04x`, r)
		} else {
			escaped.WriteRune(r)
		}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(escaped.String()), &doc); err != nil {
		return nil, err
	}
	restyle(doc.Content[0])
	return doc.Content[0], nil
}

// restyle gives nodes that were read from JSON the style of YAML.
func restyle(n *yaml.Node) {
	if n.Style = 0; n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		*n = *stringNode(n.Value)
	}
	for _, child := range n.Content {
		restyle(child)
	}
}

// stringNode returns a string that any reader of YAML reads back byte for byte.
func stringNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil && t.Format(time.RFC3339Nano) == s {
		n.Tag = "!!timestamp"
	}
	if strings.ContainsFunc(s, needsQuotes) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// needsQuotes reports whether YAML has a character only in double quotes, escaped.
func needsQuotes(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
}
