package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// ownVersion is the version of the front matter that the export writes.
const ownVersion = 1

const (
	versionKey = "brainbridge"
	sameKey    = "sourceText"
)

// ownFront is the front matter of an export, in the names and the order of JSON.
type ownFront struct {
	Format int `json:"brainbridge"` // ownVersion
	brain.Memory
	Extra     string                `json:"extra,omitempty"` // as text, so that its bytes stay
	Relations []brain.Relation      `json:"relations,omitempty"`
	Waiting   []brain.NamedRelation `json:"waiting,omitempty"`
	Source    *brain.Source         `json:"source,omitempty"`
}

// inFront returns the name of a field of a memory in the front matter: that of
// other Markdown tools if there is one, "" for a field that the body has or that
// follows from the others.
func inFront(field string) string {
	switch field {
	case "name":
		return "title"
	case "memoryType":
		return "type"
	case "content", "contentHash", "nameKey", "entityKey":
		return ""
	}
	return field
}

// render returns a memory as a file: front matter with everything but its text,
// then the text. The same memory always gives the same bytes.
func render(w recall.Whole) ([]byte, error) {
	raw, err := plaintext.JSON(ownFront{ownVersion, w.Memory, string(w.Memory.Extra), w.Relations, w.Waiting, w.Source}, "")
	if err != nil {
		return nil, err
	}
	all, err := nodeOf(raw)
	if err != nil {
		return nil, err
	}
	front := &yaml.Node{Kind: yaml.MappingNode}
	for pair := range slices.Chunk(all.Content, 2) {
		if pair[0].Value = inFront(pair[0].Value); pair[0].Value == "" {
			continue
		}
		front.Content = append(front.Content, pair...)
		if pair[0].Value != "source" {
			continue
		}
		if same := cutText(pair[1], w.Memory.Content); len(same.Content) > 0 {
			front.Content = append(front.Content, stringNode(sameKey), same)
		}
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(front), e.Close()); err != nil {
		return nil, err
	}
	return []byte("---\n" + out.String() + "---\n\n" + w.Memory.Content + "\n"), nil
}

// cutText removes the fields of a source that repeat the text of its memory, and
// returns their names.
func cutText(source *yaml.Node, content string) *yaml.Node {
	same, kept := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}, []*yaml.Node{}
	for pair := range slices.Chunk(source.Content, 2) {
		if pair[1].Tag == "!!str" && pair[1].Value == content {
			same.Content = append(same.Content, pair[0])
		} else {
			kept = append(kept, pair...)
		}
	}
	source.Content = kept
	return same
}

// isOwn reports whether a front matter is that of an export.
func isOwn(front string) bool { return strings.HasPrefix(front, versionKey+":") }

// parseOwn reads a file of an export.
func parseOwn(front, body string) (recall.Whole, error) {
	var all map[string]any
	if err := yaml.Unmarshal([]byte(front), &all); err != nil {
		return recall.Whole{}, err
	}
	content := strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	source, _ := all["source"].(map[string]any)
	same, _ := all[sameKey].([]any)
	for _, field := range same {
		if source != nil {
			source[fmt.Sprint(field)] = content
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return recall.Whole{}, err
	}
	var f struct {
		ownFront
		Title string `json:"title"`
		Type  string `json:"type"`
	}
	switch err := json.Unmarshal(raw, &f); {
	case err != nil:
		return recall.Whole{}, err
	case f.Format > ownVersion:
		return recall.Whole{}, fmt.Errorf("it was written by a newer version (%d) of brainbridge", f.Format)
	case f.Extra != "" && !json.Valid([]byte(f.Extra)):
		return recall.Whole{}, errors.New("its extra is not JSON")
	}
	m := f.Memory
	m.Name, m.MemoryType, m.Content = f.Title, f.Type, content
	if f.Extra != "" {
		m.Extra = json.RawMessage(f.Extra)
	}
	return recall.Whole{Memory: m, Source: f.Source, Relations: f.Relations, Waiting: f.Waiting}, nil
}

// own imports a memory of an export as it was.
func (r *reader) own(front, body string) {
	if strings.Contains(front, "\r\n") { // some tools change the line ends
		front, body = withLF(front), withLF(body)
	}
	w, err := parseOwn(front, body)
	if err != nil {
		r.problem(1, "is an export of brainbridge that cannot be read: %v", err)
		return
	}
	if id := w.Memory.ID; brain.IsTest(id) && !r.base.OwnsID(id) {
		r.leave(1, "is a test memory; import it with --test-only")
		return
	}
	r.cleanWhole(&w)
	r.push(ingest.ImportItem{Memory: w.Memory, Source: w.Source, AsIs: true, Relations: w.Relations, Names: w.Waiting}, 1)
}

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// cleanWhole takes the secrets out of a memory that was exported before this
// program recognized them.
func (r *reader) cleanWhole(w *recall.Whole) {
	redaction := r.base.Redaction()
	redaction.Memory(&w.Memory)
	if w.Source != nil {
		redaction.Source(w.Source)
	}
	r.report.Redacted += redaction.Found
}

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
