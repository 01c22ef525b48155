package exchange

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config/edit"
)

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
