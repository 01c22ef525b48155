package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// findCore takes the one file that core memory is in.
func findCore(f *finder) error {
	if !f.isFile {
		return brain.Errorf(brain.ErrInvalid, "name the file, such as "+filepath.Join(f.root, "core-memory.json"), "%s is a folder", f.root)
	}
	f.add(f.root, asList)
	return f.ctx.Err()
}

// coreTypes are the sections of the file whose entries are memories, with the
// type of those.
func coreTypes() map[string]string {
	return map[string]string{"preferences": "preference", "stablePatterns": "pattern", "patterns": "pattern", "beliefs": "belief"}
}

// isCoreMark reports whether a key tells about the file itself.
func isCoreMark(key string) bool {
	return key == "version" || key == "lastUpdated" || key == "lastConsolidation"
}

// readCore takes preferences, patterns and beliefs in as core memories. What
// else the file holds is named.
func readCore(r *reader, _ file) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(r.source), &all); err != nil {
		r.problem(r.lineOf(err), "is no core memory: %v", err)
		return
	}
	for _, section := range slices.Sorted(maps.Keys(all)) {
		kind, known := coreTypes()[section]
		switch {
		case known:
			r.coreSection(section, kind, all[section])
		case section == "memoryConfig":
			r.leave(r.lineWith(section), "memoryConfig counts in the file of this brain alone: `brainbridge config show` names core.file")
		case !isCoreMark(section):
			r.leave(r.lineWith(section), fmt.Sprintf("%q is no part of core memory; it stays in the file", section))
		}
	}
}

// coreSection reads one section: an object of keys and texts, or a list of
// texts.
func (r *reader) coreSection(section, kind string, raw json.RawMessage) {
	var byKey map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &byKey) == nil:
		for _, key := range slices.Sorted(maps.Keys(byKey)) {
			r.coreEntry(section, kind, key, byKey[key])
		}
	case json.Unmarshal(raw, &list) == nil:
		for _, value := range list {
			r.coreEntry(section, kind, "", value)
		}
	default:
		r.leave(r.lineWith(section), fmt.Sprintf("%s is neither an object nor a list", section))
	}
}

func (r *reader) coreEntry(section, kind, key string, raw json.RawMessage) {
	text := string(raw)
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw) // no text: as JSON
	}
	line := r.lineWith(key)
	if key == "" {
		line = r.lineWith(section)
	}
	if text = strings.TrimSpace(text); text == "" || text == "null" {
		r.leave(line, fmt.Sprintf("%s.%s has no text", section, key))
		return
	}
	e := entry{line: line, name: key, text: text, kind: kind, importance: string(brain.Important), retention: "core"}
	if key != "" {
		e.origin = brain.CoreOrigin
		e.key, e.bodyHash = brain.Hash("core memory", kind, key), brain.Hash(text)
	}
	r.add(e)
}

// lineWith is the line that a key stands in first, 1 if it is not found.
func (r *reader) lineWith(key string) int {
	quoted, err := json.Marshal(key)
	if err != nil {
		return 1
	}
	at := max(0, strings.Index(r.source, string(quoted)))
	return 1 + strings.Count(r.source[:at], "\n")
}

// lineOf is the line of a mistake in the JSON of the file.
func (r *reader) lineOf(err error) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return 1
	}
	return 1 + bytes.Count([]byte(r.source)[:min(int(syntax.Offset), len(r.source))], []byte("\n"))
}
