package exchange

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain"
)

// readCore imports preferences, patterns and beliefs as core memories, in their order.
func readCore(r *reader) {
	if !r.isObject("a core memory") {
		return
	}
	gjson.Parse(r.source).ForEach(func(key, value gjson.Result) bool {
		line := r.lineAt(key.Index)
		switch key.Str {
		case "preferences":
			r.coreSection(key, value, "preference")
		case "stablePatterns", "patterns":
			r.coreSection(key, value, "pattern")
		case "beliefs":
			r.coreSection(key, value, "belief")
		case "version", "lastUpdated", "lastConsolidation": // they describe the file
		case "memoryConfig":
			r.leaveOut(line, "memoryConfig counts in the file of this brain alone: `brainbridge config show` names core.file")
		default:
			r.leaveOut(line, fmt.Sprintf("%q is not part of core memory", key.Str))
		}
		return true
	})
}

// coreSection reads an object of keys and texts, or a list of texts.
func (r *reader) coreSection(section, values gjson.Result, kind string) {
	if values.Type != gjson.JSON {
		r.leaveOut(r.lineAt(section.Index), section.Str+" is neither an object nor a list")
		return
	}
	values.ForEach(func(key, value gjson.Result) bool {
		line := r.lineAt(value.Index)
		text := strings.TrimSpace(brain.CoreContent(value.Raw))
		if text == "" || value.Type == gjson.Null {
			r.leaveOut(line, fmt.Sprintf("%s.%s has no text", section.Str, key.Str))
			return true
		}
		redaction := r.base.Redaction()
		text = redaction.Keyed(key.Str, text)
		r.report.Redacted += redaction.Found
		e := entry{line: line, name: key.Str, text: text, kind: kind, importance: string(brain.Important), retention: "core"}
		if key.Str != "" {
			e.origin = brain.CoreOrigin
			e.key, e.bodyHash = brain.Hash("core memory", kind, key.Str), brain.Hash(text)
		}
		r.add(e)
		return true
	})
}
