package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// readEngram imports the observations of an export, each as a memory. A file that is not such an
// export from beginning to end is left out whole.
func readEngram(r *reader) {
	const what = "an export of engram"
	if !r.isObject(what) {
		return
	}
	list := gjson.Get(r.source, "observations")
	observations := list.Array()
	switch {
	case !list.IsArray():
		r.refuse(0, "is not %s: it has no observations", what)
		return
	case slices.ContainsFunc(observations, func(o gjson.Result) bool { return !o.IsObject() }):
		r.refuse(0, "is not %s: not all of its observations are JSON objects", what)
		return
	case len(observations) > 0 && !slices.ContainsFunc(observations, func(o gjson.Result) bool {
		return o.Get("deleted_at").String() != "" || strings.TrimSpace(o.Get("content").String()) != ""
	}):
		r.refuse(0, "is not %s: none of its observations can be read", what)
		return
	}
	for i, o := range observations {
		r.engram(i+1, textFields(o))
		r.progress(i+1, len(observations))
	}
	sessions, prompts := len(gjson.Get(r.source, "sessions").Array()), len(gjson.Get(r.source, "prompts").Array())
	if sessions+prompts > 0 {
		r.leaveOut(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", sessions, prompts))
	}
}

// textFields returns the texts of an object, and its other values as JSON.
func textFields(o gjson.Result) map[string]string {
	fields := map[string]string{}
	o.ForEach(func(key, value gjson.Result) bool {
		if fields[key.Str] = value.Raw; value.Type == gjson.String {
			fields[key.Str] = value.Str
		} else if value.Type == gjson.Null {
			fields[key.Str] = ""
		}
		return true
	})
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
