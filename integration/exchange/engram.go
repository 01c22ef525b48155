package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/moment"
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
		r.leave(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", len(all.Sessions), len(all.Prompts)))
	}
}

// engram imports one observation.
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
		r.leave(0, fmt.Sprintf("observation %d was deleted", no))
		return
	case strings.TrimSpace(fields["content"]) == "":
		r.problem(0, "observation %d has no content", no)
		return
	}
	e := entry{name: fields["title"], text: fields["content"], kind: cmp.Or(fields["type"], "note"), extra: map[string]string{}}
	e.created, _ = moment.ParseTimestamp(fields["created_at"])
	for key, value := range fields {
		if value != "" && !slices.Contains([]string{"title", "content", "type", "created_at"}, key) {
			e.extra[key] = value
		}
	}
	r.add(e)
}
