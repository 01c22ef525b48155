package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
	"go.yaml.in/yaml/v3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
)

// ownVersion is the version of the front matter that the export writes.
const ownVersion = 1

// versionKey is the first key of the front matter.
const versionKey = "brainbridge"

// ownFront is the front matter of an export, in the names and the order of JSON.
type ownFront struct {
	Format int `json:"brainbridge"` // ownVersion
	brain.Memory
	Extra     string                `json:"extra,omitempty"` // as text, so that its bytes stay
	Relations []brain.Relation      `json:"relations,omitempty"`
	Waiting   []brain.NamedRelation `json:"waiting,omitempty"`
	Source    *brain.Source         `json:"source,omitempty"`

	MoreSources []brain.Source `json:"moreSources,omitempty"`
}

// inFront returns the name of a field of a memory in the front matter, that of other Markdown
// tools if there is one, or "" for one that follows from others.
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

// render returns a memory as a file: front matter, a field a line with its value in JSON, then
// the text. The same memory always gives the same bytes.
func render(w recall.FullMemory) ([]byte, error) {
	raw, err := plaintext.JSON(ownFront{ownVersion, w.Memory, string(w.Memory.Extra), w.Relations, w.Waiting, w.Source, w.MoreSources}, "")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("---\n")
	gjson.ParseBytes(raw).ForEach(func(key, value gjson.Result) bool {
		if name := inFront(key.Str); name != "" {
			fmt.Fprintf(&out, "%s: %s\n", name, asYAML(value.Raw))
		}
		return true
	})
	out.WriteString("---\n\n" + w.Memory.Content + "\n")
	return out.Bytes(), nil
}

// asYAML escapes the characters that YAML, unlike JSON, has only in this form.
func asYAML(raw string) string {
	var out strings.Builder
	for _, r := range raw {
		if r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func parseOwn(front, body string) (recall.FullMemory, error) {
	var all map[string]any
	if err := yaml.Unmarshal([]byte(front), &all); err != nil {
		return recall.FullMemory{}, err
	}
	content := strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	raw, err := json.Marshal(all)
	if err != nil {
		return recall.FullMemory{}, err
	}
	var f struct {
		ownFront
		Title string `json:"title"`
		Type  string `json:"type"`
	}
	switch err := json.Unmarshal(raw, &f); {
	case err != nil:
		return recall.FullMemory{}, err
	case f.Format > ownVersion:
		return recall.FullMemory{}, fmt.Errorf("it was written by a newer version (%d) of brainbridge", f.Format)
	case f.Extra != "" && !json.Valid([]byte(f.Extra)):
		return recall.FullMemory{}, errors.New("its extra is not JSON")
	}
	m := f.Memory
	m.Name, m.MemoryType, m.Content = f.Title, f.Type, content
	if f.Extra != "" {
		m.Extra = json.RawMessage(f.Extra)
	}
	return recall.FullMemory{Memory: m, Source: f.Source, Relations: f.Relations, Waiting: f.Waiting, MoreSources: f.MoreSources}, nil
}

// own imports a memory of our own export unchanged.
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
		r.leaveOut(1, "is a test memory; import it with --test-only")
		return
	}
	redaction := r.base.Redaction() // of secrets that were not recognized when it was exported
	redaction.Memory(&w.Memory)
	if w.Source != nil {
		redaction.Source(w.Source)
	}
	for i := range w.MoreSources {
		redaction.Source(&w.MoreSources[i])
	}
	r.report.Redacted += redaction.Found
	for i := range w.MoreSources {
		r.push(ingest.ImportItem{Source: &w.MoreSources[i]}, 1)
	}
	r.push(ingest.ImportItem{Memory: w.Memory, Source: w.Source, AsIs: true, Relations: w.Relations, Names: w.Waiting}, 1)
}

func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// splitFront splits a text into its front matter, without the lines around it, and the rest,
// which begins on a line; without front matter it is the whole text.
func splitFront(text string) (front, body string, line int) {
	d := markdown.Parse(text)
	n := d.FrontMatter()
	if n == 0 {
		return "", text, 1
	}
	return d.Slice(1, n-1), d.Slice(n, len(d.Lines)), n + 1
}
