package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// readEngram imports the observations of an export, each as a memory. A file that is not such an
// export from beginning to end is left out whole.
func readEngram(r *reader) {
	const what = "an export of engram"
	var export struct {
		Observations []json.RawMessage `json:"observations"`
		Sessions     []json.RawMessage `json:"sessions"`
		Prompts      []json.RawMessage `json:"prompts"`
	}
	if err := json.Unmarshal([]byte(r.source), &export); err != nil {
		r.refuseJSON(what, err)
		return
	}
	observations, readable := make([]map[string]string, len(export.Observations)), false
	for i, raw := range export.Observations {
		var o map[string]json.RawMessage
		if json.Unmarshal(raw, &o) != nil {
			r.refuse(0, "is not %s: observation %d is not a JSON object", what, i+1)
			return
		}
		observations[i] = textFields(o)
		readable = readable || observations[i]["deleted_at"] != "" || strings.TrimSpace(observations[i]["content"]) != ""
	}
	switch {
	case export.Observations == nil:
		r.refuse(0, "is not %s: it has no observations", what)
		return
	case len(observations) > 0 && !readable:
		r.refuse(0, "is not %s: none of its observations can be read", what)
		return
	}
	for i, fields := range observations {
		r.engram(i+1, fields)
		r.progress(i+1, len(observations))
	}
	if len(export.Sessions)+len(export.Prompts) > 0 {
		r.leaveOut(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", len(export.Sessions), len(export.Prompts)))
	}
}

// textFields returns the texts of an object, and its other values as JSON.
func textFields(o map[string]json.RawMessage) map[string]string {
	fields := make(map[string]string, len(o))
	for key, raw := range o {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		fields[key] = text
	}
	return fields
}

func (r *reader) engram(no int, fields map[string]string) {
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
