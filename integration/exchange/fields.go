package exchange

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// fields are the properties of a node of another program. Most methods remove the field that
// they return. What remains at the end is stored in the extra fields of the memory.
type fields map[string]any

func (f fields) drop(names ...string) {
	for _, name := range names {
		delete(f, name)
	}
}

// rest returns what is left, as JSON.
func (f fields) rest() json.RawMessage {
	if len(f) == 0 {
		return nil
	}
	raw, _ := json.Marshal(f) // values of a query always encode
	return raw
}

// peek returns a field as text and leaves it.
func (f fields) peek(name string) string {
	if f[name] == nil {
		return ""
	}
	return fmt.Sprint(f[name])
}

// text takes a field that is a text.
func (f fields) text(name string) string {
	text, ok := f[name].(string)
	if ok {
		delete(f, name)
	}
	return text
}

// list takes a field that is a list of texts, or texts separated by commas.
func (f fields) list(name string) (list []string) {
	switch v := f[name].(type) {
	case string:
		list = listOf(v)
	case []any:
		for _, one := range v {
			list = append(list, fmt.Sprint(one))
		}
	default:
		return nil
	}
	delete(f, name)
	return list
}

// dropTimes drops the fields that are times.
func (f fields) dropTimes(names ...string) {
	for _, name := range names {
		f.instant(name)
	}
}

func (f fields) truth(name string) bool { return strings.EqualFold(f.peek(name), "true") }

// number takes a field that is a finite number, whole or not, also as a text.
func (f fields) number(name string, missing float64) float64 {
	n, ok := numberOf(f[name])
	if !ok {
		return missing
	}
	delete(f, name)
	return n
}

func (f fields) whole(name string) int {
	return int(max(0, min(f.number(name, 0), math.MaxInt32)))
}

func numberOf(v any) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(v)), 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// instant takes a field that is a time, the zero time if it is missing or cannot be read.
func (f fields) instant(name string) time.Time {
	t, ok := instantOf(f[name])
	if ok {
		delete(f, name)
	}
	return t
}

// due takes the time at which something is due. A midnight stands for the whole day, in any zone.
func (f fields) due(here *time.Location) time.Time {
	t := f.instant("due")
	if t.IsZero() || !t.Truncate(time.Minute).Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())) {
		return t
	}
	return moment.StartOfDay(t.Format(time.DateOnly), here)
}

// first returns the first of these times that there is, and leaves them.
func (f fields) first(missing time.Time, names ...string) time.Time {
	for _, name := range slices.Backward(names) {
		if t, ok := instantOf(f[name]); ok {
			missing = t
		}
	}
	return missing
}

// instantOf reads a time: as programs write it, as Neo4j prints it, or in seconds or
// milliseconds since 1970.
func instantOf(v any) (time.Time, bool) {
	if n, ok := numberOf(v); ok {
		const latest = 1e11 // in seconds: the year 5138
		switch {
		case n <= 0 || n > 1e14:
			return time.Time{}, false
		case n > latest:
			return time.UnixMilli(int64(n)).UTC(), true
		}
		return time.UnixMilli(int64(n * 1000)).UTC(), true
	}
	text, _ := v.(string)
	text, _, _ = strings.Cut(text, "[") // the name of a zone
	return moment.ParseTimestamp(text)
}

// importance takes the importance: a word, or a number from 1 to 10.
func (f fields) importance() brain.Importance {
	word := brain.Importance(strings.ToLower(f.peek("importance")))
	if slices.Contains([]brain.Importance{brain.Critical, brain.Important, brain.Reference}, word) {
		f.drop("importance")
		return word
	}
	return brain.ImportanceOf(f.number("importance", 0))
}
