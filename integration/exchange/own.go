package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/redact"
)

// ownVersion is the version of the front matter that the export writes.
const ownVersion = 1

const (
	versionKey  = "brainbridge"
	checksumKey = "checksum: "
	extraKey    = "extra"
	sameKey     = "sourceText"
)

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
	front := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	add := func(key string, n *yaml.Node) {
		front.Content = append(front.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, n)
	}
	add(versionKey, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(ownVersion)})
	if err := addMemory(add, w.Memory); err != nil {
		return nil, err
	}
	if err := addRest(add, w); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(front), e.Close()); err != nil {
		return nil, err
	}
	return sealed(out.String(), w.Memory.Content), nil
}

func addMemory(add func(string, *yaml.Node), m brain.Memory) error {
	extra := string(m.Extra)
	m.Extra = nil
	n, err := asNode(m)
	if err != nil {
		return err
	}
	for pair := range slices.Chunk(n.Content, 2) {
		if key := inFront(pair[0].Value); key != "" {
			add(key, pair[1])
		}
	}
	if extra != "" {
		add(extraKey, stringNode(extra)) // as text, so that its bytes stay
	}
	return nil
}

func addRest(add func(string, *yaml.Node), w recall.Whole) error {
	if len(w.Relations) > 0 {
		n, err := asNode(w.Relations)
		if err != nil {
			return err
		}
		add("relations", n)
	}
	if len(w.Waiting) > 0 {
		n, err := asNode(w.Waiting)
		if err != nil {
			return err
		}
		add("waiting", n)
	}
	if w.Source == nil {
		return nil
	}
	n, err := asNode(w.Source)
	if err != nil {
		return err
	}
	same := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	kept := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[1].Value == w.Memory.Content && w.Memory.Content != "" {
			same.Content = append(same.Content, pair[0])
			continue
		}
		kept.Content = append(kept.Content, pair...)
	}
	add("source", kept)
	if len(same.Content) > 0 {
		add(sameKey, same)
	}
	return nil
}

func asNode(v any) (*yaml.Node, error) {
	raw, err := plaintext.JSON(v, "")
	if err != nil {
		return nil, err
	}
	return nodeOf(raw)
}

// sealed puts a file together, with a checksum that shows later whether a person
// has edited it.
func sealed(front, content string) []byte {
	body := "---\n\n" + content + "\n"
	return []byte("---\n" + front + checksumKey + checksum(front, body) + "\n" + body)
}

func checksum(front, body string) string {
	sum := sha256.Sum256([]byte(front + body))
	return hex.EncodeToString(sum[:16])
}

// untouched reports whether a file is as the export wrote it.
func untouched(data []byte) bool {
	text, ok := strings.CutPrefix(string(data), "---\n")
	at := strings.Index(text, "\n"+checksumKey)
	if !ok || at < 0 {
		return false
	}
	front, rest := text[:at+1], text[at+1+len(checksumKey):]
	sum, body, ok := strings.Cut(rest, "\n")
	return ok && sum == checksum(front, body)
}

// isOwn reports whether a front matter is that of an export.
func isOwn(front string) bool { return strings.HasPrefix(front, versionKey+":") }

// parseOwn reads a file of an export.
func parseOwn(front, body string) (recall.Whole, error) {
	var w recall.Whole
	var all map[string]any
	if err := yaml.Unmarshal([]byte(front), &all); err != nil {
		return w, err
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return w, err
	}
	var rest struct {
		Version   int                        `json:"brainbridge"`
		Title     string                     `json:"title"`
		Type      string                     `json:"type"`
		Extra     string                     `json:"extra"`
		Relations []brain.Relation           `json:"relations"`
		Waiting   []brain.NamedRelation      `json:"waiting"`
		Source    map[string]json.RawMessage `json:"source"`
		Same      []string                   `json:"sourceText"`
	}
	if err := json.Unmarshal(raw, &rest); err != nil {
		return w, err
	}
	if rest.Version > ownVersion {
		return w, fmt.Errorf("it was written by a newer version (%d) of brainbridge", rest.Version)
	}
	content := strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	if w.Memory, err = ownMemory(raw, rest.Extra); err != nil {
		return w, err
	}
	w.Memory.Name, w.Memory.MemoryType, w.Memory.Content = rest.Title, rest.Type, content
	w.Relations, w.Waiting = rest.Relations, rest.Waiting
	if rest.Source != nil {
		w.Source, err = ownSource(rest.Source, rest.Same, content)
	}
	return w, err
}

func ownMemory(raw json.RawMessage, extra string) (brain.Memory, error) {
	var m brain.Memory
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	m.Extra = nil
	if extra != "" {
		if !json.Valid([]byte(extra)) {
			return m, errors.New("its extra is not JSON")
		}
		m.Extra = json.RawMessage(extra)
	}
	return m, nil
}

func ownSource(all map[string]json.RawMessage, same []string, content string) (*brain.Source, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	for _, key := range same {
		all[key] = text
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	var s brain.Source
	return &s, json.Unmarshal(raw, &s)
}

// own imports a memory of an export as it was.
func (r *reader) own(front, body string) {
	if strings.Contains(r.source, "\r\n") && !untouched([]byte(r.source)) {
		// Some tools change the line ends; the checksum is of ours.
		if lf := strings.ReplaceAll(r.source, "\r\n", "\n"); untouched([]byte(lf)) {
			front, body, _ = splitFront(lf)
		}
	}
	w, err := parseOwn(front, body)
	if err != nil {
		r.problem(1, "is an export of brainbridge that cannot be read: %v", err)
		return
	}
	m, in := w.Memory, r.in
	switch key := "id " + m.ID; {
	case brain.IsTest(m.ID) && !in.b.Base.OwnsID(m.ID):
		r.leave(1, "is a test memory; `--test-only import` takes it in")
		return
	case in.seen[key] != "":
		in.report.Duplicates++
		return
	default:
		in.seen[key] = m.ID
	}
	in.cleanWhole(&w)
	item := ingest.ImportItem{Memory: w.Memory, Source: w.Source, AsIs: true, Relations: w.Relations, Names: w.Waiting}
	in.items = append(in.items, pending{item, r.file.rel, 1})
}

// cleanWhole takes the secrets out of a memory that was exported before this
// program recognized them.
func (in *intake) cleanWhole(w *recall.Whole) {
	w.Memory.Content, w.Memory.Name = in.clean(w.Memory.Content), in.clean(w.Memory.Name)
	w.Memory.Observations = slices.Clone(w.Memory.Observations)
	for i := range w.Memory.Observations {
		w.Memory.Observations[i] = cleaned(w.Memory.Observations[i])
	}
	if s := w.Source; s != nil {
		for _, field := range []*string{&s.Trigger, &s.Insight, &s.Concept, &s.Learned, &s.Text, &s.Description, &s.Title, &s.Body} {
			*field = cleaned(*field)
		}
	}
}

// cleaned returns a text without secrets that were counted already.
func cleaned(text string) string {
	clean, _ := redact.Text(text)
	return clean
}
