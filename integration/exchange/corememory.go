package exchange

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// coreTypes returns the sections of the file whose entries are memories, with
// their types.
func coreTypes() map[string]string {
	return map[string]string{"preferences": "preference", "stablePatterns": "pattern", "patterns": "pattern", "beliefs": "belief"}
}

// isCoreMark reports whether a key describes the file itself.
func isCoreMark(key string) bool {
	return key == "version" || key == "lastUpdated" || key == "lastConsolidation"
}

// readCore imports preferences, patterns and beliefs as core memories, in the
// order of the file. Other keys are left out.
func readCore(r *reader, _ file) {
	if err := json.Unmarshal([]byte(r.source), &map[string]json.RawMessage{}); err != nil {
		r.refuse(r.lineOf(err), "is not a core memory: %s", notJSON(err))
		return
	}
	all, _ := r.members(r.source, 1)
	for _, m := range all {
		kind, known := coreTypes()[m.key]
		switch {
		case known:
			r.coreSection(kind, m)
		case m.key == "memoryConfig":
			r.leave(m.line, "memoryConfig counts in the file of this brain alone: `brainbridge config show` names core.file")
		case !isCoreMark(m.key):
			r.leave(m.line, fmt.Sprintf("%q is not part of core memory; the core-memory.json of this brain keeps it as it is, if it has no such key", m.key))
		}
	}
}

// coreSection reads one section: an object of keys and texts, or a list of
// texts.
func (r *reader) coreSection(kind string, section member) {
	var list []json.RawMessage
	if entries, ok := r.members(section.raw, section.begins); ok {
		for _, m := range entries {
			r.coreEntry(section.key, kind, m)
		}
	} else if json.Unmarshal([]byte(section.raw), &list) == nil {
		for _, value := range list {
			r.coreEntry(section.key, kind, member{line: section.line, raw: string(value)})
		}
	} else {
		r.leave(section.line, section.key+" is neither an object nor a list")
	}
}

func (r *reader) coreEntry(section, kind string, m member) {
	text := strings.TrimSpace(brain.CoreContent(m.raw))
	if text == "" || m.raw == "null" {
		r.leave(m.line, fmt.Sprintf("%s.%s has no text", section, m.key))
		return
	}
	text, secrets := r.in.b.Base.CoreWithoutSecrets(m.key, text)
	r.in.report.Redacted += secrets
	e := entry{line: m.line, name: m.key, text: text, kind: kind, importance: string(brain.Important), retention: "core"}
	if m.key != "" {
		e.origin = brain.CoreOrigin
		e.key, e.bodyHash = brain.Hash("core memory", kind, m.key), brain.Hash(text)
	}
	r.add(e)
}
