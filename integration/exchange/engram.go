package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// engramExport is the part of an export of engram that is read.
type engramExport struct {
	Observations []map[string]json.RawMessage `json:"observations"`
	Prompts      []json.RawMessage            `json:"prompts"`
	Sessions     []json.RawMessage            `json:"sessions"`
}

// readEngram imports the observations of an export, each as a memory.
func readEngram(r *reader) {
	var all engramExport
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
		r.leave(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", len(all.Sessions), len(all.Prompts)))
	}
}

// engram imports one observation.
func (r *reader) engram(no int, o map[string]json.RawMessage) {
	text := func(key string) string { return asText(o[key]) }
	switch {
	case text("deleted_at") != "":
		r.leave(0, fmt.Sprintf("observation %d was deleted", no))
		return
	case strings.TrimSpace(text("content")) == "":
		r.problem(0, "observation %d has no content", no)
		return
	}
	e := entry{name: text("title"), text: text("content"), kind: cmp.Or(text("type"), "note"), extra: map[string]string{}}
	e.created, _ = moment.ParseTimestamp(text("created_at"))
	for key, raw := range o {
		if value := asText(raw); value != "" && value != "null" && key != "title" && key != "content" && key != "type" && key != "created_at" {
			e.extra[key] = value
		}
	}
	r.add(e)
}
