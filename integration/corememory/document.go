package corememory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config/edit"
	"github.com/brainbridge/brainbridge/tiers"
)

// bom may begin a file that was written on Windows; it stays.
const bom = "\ufeff"

type document struct{ *edit.JSON }

func parse(text []byte) (document, error) {
	bare := bytes.TrimPrefix(text, []byte(bom))
	var object map[string]json.RawMessage
	err := json.Unmarshal(bare, &object)
	var syntax *json.SyntaxError
	switch {
	case !utf8.Valid(text):
		return document{}, errors.New("it is not UTF-8")
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(bare[:min(int(syntax.Offset), len(bare))], []byte("\n"))
		return document{}, fmt.Errorf("line %d: %w", line, err)
	case object == nil:
		return document{}, errors.New("it is not a JSON object")
	}
	j, err := edit.ParseJSON(text)
	return document{j}, err
}

// find returns the value of a key; ok is false if the object has none, or several.
func find(object *edit.Value, key string) (value edit.Value, ok bool) {
	n := 0
	for _, m := range object.Members {
		if m.Key == key {
			value, n = m.Value, n+1
		}
	}
	return value, n == 1
}

func has(object *edit.Value, key string) bool { return object.Get(key) != nil }

// section returns the object of a key of the root; otherwise ok is false and it is empty.
func (d document) section(key string) (sec *edit.Value, ok bool) {
	v, ok := find(d.Root(), key)
	if !ok || v.Kind != edit.Object {
		return &edit.Value{}, false
	}
	return &v, true
}

func (d document) set(raw string, path ...string) {
	if err := d.Set(raw, path...); err != nil {
		panic(err) // the callers check that the section is an object
	}
}

// written is an entry that a person wrote.
type written struct {
	place
	raw string
	was entry // the entry before, without ID if there was none
}

type edits struct {
	added, changed []written
	removed        []entry
	ignored        []string // why an entry is ignored
}

func compare(d document, was state, clean func(string) string) edits {
	var out edits
	for _, name := range sections() {
		sec, ok := d.section(name)
		if !ok && has(d.Root(), name) {
			out.ignored = append(out.ignored, fmt.Sprintf("%s is not an object of keys and texts; it is ignored", name))
			continue
		}
		seen := map[string]bool{}
		for _, m := range sec.Members {
			seen[m.Key] = true
			if shown := clean(m.Key); shown != m.Key {
				out.ignored = append(out.ignored, fmt.Sprintf("%s.%s has a secret as its key; it is ignored", name, shown))
				continue
			}
			out.member(was, sec, place{name, m.Key}, d.Raw(m.Value.Span))
		}
		for _, e := range was.Entries {
			if e.Section == name && !seen[e.Key] && e.ID != "" {
				out.removed = append(out.removed, e)
			}
		}
	}
	return out
}

func (e *edits) member(was state, sec *edit.Value, p place, raw string) {
	entry, known := was.at(p)
	if known && entry.matches(raw) || raw == "null" {
		return
	}
	text, why := strings.TrimSpace(brain.CoreContent(raw)), ""
	_, once := find(sec, p.Key)
	switch {
	case !once:
		why = "is in the file more than once"
	case text == "" || strings.TrimSpace(p.Key) == "":
		why = "has no text"
	case utf8.RuneCountInString(p.Key) > brain.MaxName || len(text) > brain.MaxContent || strings.Contains(p.Key+text, "\x00"):
		why = "is too long for a memory"
	case known && entry.ID != "":
		e.changed = append(e.changed, written{p, raw, entry})
	default:
		e.added = append(e.added, written{place: p, raw: raw})
	}
	message := fmt.Sprintf("%.60s %s; it is ignored", p, why)
	if why != "" && !slices.Contains(e.ignored, message) {
		e.ignored = append(e.ignored, message)
	}
}

const configKey = "memoryConfig"

// numbers returns the thresholds that a document sets in memoryConfig, by the keys
// of tiers.Keys. warn is called for those that cannot be used.
func (d document) numbers(path string, warn func(string)) map[string]float64 {
	aliases := map[string]string{
		"decayThresholdDays":             "forget.afterDays",
		"minUsesToRetain":                "forget.minUses",
		"maxMemoriesBeforeConsolidation": "maxMemories",
	}
	numbers := map[string]float64{}
	sec, _ := d.section(configKey)
	for _, m := range sec.Members {
		key, raw := cmp.Or(aliases[m.Key], m.Key), d.Raw(m.Value.Span)
		v, err := strconv.ParseFloat(raw, 64)
		if err == nil {
			_, err = tiers.DefaultPolicy().With(key, v)
		}
		switch {
		case !tiers.IsThreshold(key):
		case err != nil:
			warn(fmt.Sprintf("%s: %s.%s is %.40s, which cannot be used", path, configKey, m.Key, raw))
		default:
			numbers[key] = v
		}
	}
	return numbers
}

// Overrides returns a function that reads the thresholds in memoryConfig of a file; it
// returns none while the file cannot be read. warn receives each problem once.
func Overrides(path string, warn func(string)) func() map[string]float64 {
	var told sync.Map
	once := func(w string) {
		if _, known := told.LoadOrStore(w, true); !known {
			warn(w)
		}
	}
	return func() map[string]float64 {
		text, err := durable.ReadFile(path)
		if err == nil && text == nil { // there is none
			return nil
		}
		var d document
		if err == nil {
			d, err = parse(text)
		}
		if err != nil {
			once(fmt.Sprintf("%s cannot be read (%v); its thresholds do not apply until it is repaired", path, err))
			return nil
		}
		return d.numbers(path, once)
	}
}
