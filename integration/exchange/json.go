package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/dataset"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/config/edit"
)

// readEngram imports the observations of an export, each as a memory.
func readEngram(r *reader) {
	var all struct {
		Observations      []map[string]json.RawMessage
		Prompts, Sessions []json.RawMessage
	}
	if err := json.Unmarshal([]byte(r.source), &all); err != nil {
		r.refuseJSON("an export of engram", err)
		return
	}
	if all.Observations == nil {
		r.refuse(0, "is not an export of engram: it has no observations")
		return
	}
	for i, o := range all.Observations {
		r.engram(i+1, o)
	}
	if n := len(all.Observations); n > 0 && len(r.report.Problems) == n {
		r.refuse(0, "is not an export of engram: none of its observations can be read")
		return
	}
	if n := len(all.Sessions) + len(all.Prompts); n > 0 {
		r.leaveOut(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", len(all.Sessions), len(all.Prompts)))
	}
}

func (r *reader) engram(no int, o map[string]json.RawMessage) {
	fields := map[string]string{} // texts, and other values as JSON
	for key, raw := range o {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		fields[key] = text
	}
	switch {
	case fields["deleted_at"] != "":
		r.leaveOut(0, fmt.Sprintf("observation %d was deleted", no))
		return
	case strings.TrimSpace(fields["content"]) == "":
		r.problem(0, "observation %d has no content", no)
		return
	}
	e := entry{name: fields["title"], text: fields["content"], kind: cmp.Or(fields["type"], "note")}
	e.created, _ = moment.ParseTimestamp(fields["created_at"])
	e.extra = restOf(fields, "title", "content", "type", "created_at")
	r.add(e)
}

// readJSONL imports the records of a dataset, each as a memory in its group.
func readJSONL(r *reader) {
	queries, records, no := 0, 0, 0
	for line := range strings.Lines(r.source) {
		no++
		if strings.TrimSpace(line) == "" {
			continue
		}
		l, err := dataset.Parse([]byte(line))
		switch {
		case err != nil:
			r.problem(no, "%v", err)
		case l.Kind == dataset.Query:
			queries++
		default:
			records++
			r.record(no, l)
		}
	}
	if records == 0 {
		r.refuse(0, "has no record: a line such as {\"kind\": \"record\", \"id\": \"1\", \"text\": \"…\"}")
		return
	}
	if queries > 0 {
		r.leaveOut(0, fmt.Sprintf("queries, which `brainbridge bench recall` asks: %d", queries))
	}
}

// record imports one record. Without a group it has no neighbours.
func (r *reader) record(no int, l dataset.Line) {
	at, err := l.Time(r.o.Location)
	if err != nil {
		r.problem(no, "%v", err)
		return
	}
	e := entry{
		line: no, name: l.Name, text: l.Text, kind: "note", created: at, speaker: l.Speaker,
		key: brain.Hash("jsonl", l.Set, l.ID), bodyHash: brain.Hash(l.Text), group: l.Set + "/" + l.Group,
	}
	if l.Group == "" {
		e.group += l.ID
	}
	r.add(e)
}

// readCore imports preferences, patterns and beliefs as core memories, in their order.
func readCore(r *reader) {
	const what = "a core memory"
	if err := json.Unmarshal([]byte(r.source), &map[string]json.RawMessage{}); err != nil {
		r.refuseJSON(what, err)
		return
	}
	doc, err := edit.ParseJSON([]byte(r.source))
	if err != nil {
		r.refuse(0, "is not %s: %v", what, err)
		return
	}
	for _, m := range doc.Root().Members {
		line := r.lineAt(m.Name.Start)
		switch m.Key {
		case "preferences":
			r.coreSection(doc, m, "preference")
		case "stablePatterns", "patterns":
			r.coreSection(doc, m, "pattern")
		case "beliefs":
			r.coreSection(doc, m, "belief")
		case "version", "lastUpdated", "lastConsolidation": // they describe the file
		case "memoryConfig":
			r.leaveOut(line, "memoryConfig counts in the file of this brain alone: `brainbridge config show` names core.file")
		default:
			r.leaveOut(line, fmt.Sprintf("%q is not part of core memory", m.Key))
		}
	}
}

// coreSection reads an object of keys and texts, or a list of texts.
func (r *reader) coreSection(doc *edit.JSON, section edit.Member, kind string) {
	if section.Value.Kind != edit.Object && section.Value.Kind != edit.List {
		r.leaveOut(r.lineAt(section.Name.Start), section.Key+" is neither an object nor a list")
	}
	for _, m := range section.Value.Members {
		line, raw := r.lineAt(m.Value.Start), doc.Raw(m.Value.Span)
		text := strings.TrimSpace(brain.CoreContent(raw))
		if text == "" || raw == "null" {
			r.leaveOut(line, fmt.Sprintf("%s.%s has no text", section.Key, m.Key))
			continue
		}
		redaction := r.base.Redaction()
		text = redaction.Keyed(m.Key, text)
		r.report.Redacted += redaction.Found
		e := entry{line: line, name: m.Key, text: text, kind: kind, importance: string(brain.Important), retention: "core"}
		if m.Key != "" {
			e.origin = brain.CoreOrigin
			e.key, e.bodyHash = brain.Hash("core memory", kind, m.Key), brain.Hash(text)
		}
		r.add(e)
	}
}
