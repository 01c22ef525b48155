package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// readEngram imports the observations of an export, each as a memory. A file that is not such an
// export from beginning to end is left out whole.
func readEngram(r *reader) {
	found, readable := 0, false
	if _, ok := r.eachObservation(checkStep, func(_ int, o map[string]json.RawMessage) {
		fields := textFields(o)
		found, readable = found+1, readable || fields["deleted_at"] != "" || strings.TrimSpace(fields["content"]) != ""
	}); !ok {
		return
	}
	if found > 0 && !readable {
		r.refuse(0, "is not an export of engram: none of its observations can be read")
		return
	}
	if other, _ := r.eachObservation(importStep, r.engram); other[0]+other[1] > 0 {
		r.leaveOut(0, fmt.Sprintf("%d sessions and %d prompts, which are not observations", other[0], other[1]))
	}
}

// eachObservation calls fn with every observation, and returns the numbers of sessions and
// prompts. It returns false if it refused the file.
func (r *reader) eachObservation(step string, fn func(no int, o map[string]json.RawMessage)) (other [2]int, ok bool) {
	f := r.open(step)
	if f == nil {
		return other, false
	}
	defer f.Close() //nolint:errcheck // it was only read
	d, observations := json.NewDecoder(f), -1
	err := eachMember(d, func(key string) error {
		key = strings.ToLower(key)
		count, isList := map[string]*int{"observations": &observations, "sessions": &other[0], "prompts": &other[1]}[key]
		if !isList {
			return d.Decode(new(json.RawMessage))
		}
		return eachElement(d, key, count, func(raw json.RawMessage) error {
			if r.err != nil || key != "observations" {
				return r.err
			}
			text := r.repaired(step, string(raw))
			if _, reason := plaintext.NotText([]byte(text)); reason != "" {
				return errNotText(reason)
			}
			var o map[string]json.RawMessage
			err := json.Unmarshal([]byte(text), &o)
			var other *json.UnmarshalTypeError
			if errors.As(err, &other) {
				other.Field = key
			}
			if err == nil {
				fn(*count, o)
			}
			return err
		})
	})
	var notText errNotText
	switch {
	case r.err != nil:
		return other, false
	case errors.As(err, &notText):
		r.refuse(r.fileLine(d.InputOffset()), "%s; skipped. Convert it to UTF-8, or import it with --repair", notText)
	case err != nil:
		r.refuse(r.fileLine(d.InputOffset()), "is not an export of engram: %s", notJSON(err))
	case observations < 0:
		r.refuse(0, "is not an export of engram: it has no observations")
	default:
		return other, true
	}
	return other, false
}

// errNotText is the reason why a part of a file is not text.
type errNotText string

// Error returns the reason.
func (e errNotText) Error() string { return string(e) }

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

func (r *reader) engram(no int, o map[string]json.RawMessage) {
	fields := textFields(o)
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
