package corememory

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/tiers"
)

type document struct{ *config.JSON }

func parse(text []byte) (document, error) {
	if !utf8.Valid(text) {
		return document{}, errors.New("it is not UTF-8")
	}
	j, err := config.ParseJSON(text)
	if err == nil && !j.At().IsObject() || len(bytes.TrimSpace(text)) == 0 {
		err = errors.New("it is not a JSON object")
	}
	return document{j}, err
}

// find returns the value of a key; ok is false if the object has none, or several.
func find(object gjson.Result, key string) (value gjson.Result, ok bool) {
	n := 0
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str == key {
			value, n = v, n+1
		}
		return true
	})
	return value, n == 1
}

// section returns the object of a key of the root; otherwise ok is false and it is empty.
func (d document) section(key string) (sec gjson.Result, ok bool) {
	v, ok := find(d.At(), key)
	if !ok || !v.IsObject() {
		return gjson.Result{}, false
	}
	return v, true
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
		if !ok && d.At(name).Exists() {
			out.ignored = append(out.ignored, fmt.Sprintf("%s is not an object of keys and texts; it is ignored", name))
			continue
		}
		seen := map[string]bool{}
		sec.ForEach(func(key, value gjson.Result) bool {
			seen[key.Str] = true
			if shown := clean(key.Str); shown != key.Str {
				out.ignored = append(out.ignored, fmt.Sprintf("%s.%s has a secret as its key; it is ignored", name, shown))
				return true
			}
			out.member(was, sec, place{name, key.Str}, value.Raw)
			return true
		})
		for _, e := range was.Entries {
			if e.Section == name && !seen[e.Key] && e.ID != "" {
				out.removed = append(out.removed, e)
			}
		}
	}
	return out
}

func (e *edits) member(was state, sec gjson.Result, p place, raw string) {
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

// numbers returns the thresholds that a document sets in memoryConfig, by the keys of
// tiers.Keys: those that the original program had. warn is called for what does not count.
func (d document) numbers(path string, warn func(string)) map[string]float64 {
	keys := map[string]string{
		"relevanceThreshold":             "relevanceThreshold",
		"decayThresholdDays":             "forget.afterDays",
		"minUsesToRetain":                "forget.minUses",
		"maxMemoriesBeforeConsolidation": "maxMemories",
	}
	usual, numbers := tiers.DefaultPolicy(), map[string]float64{}
	sec, _ := d.section(configKey)
	sec.ForEach(func(name, value gjson.Result) bool {
		key, known := keys[name.Str]
		if _, other := usual.Get(name.Str); other && !known {
			warn(fmt.Sprintf("%s: %s.%s does not count; set it for all machines: brainbridge config set lifecycle.%s VALUE", path, configKey, name.Str, name.Str))
		}
		v, err := strconv.ParseFloat(value.Raw, 64)
		if err == nil {
			_, err = usual.With(key, v)
		}
		switch {
		case !known:
		case err != nil:
			warn(fmt.Sprintf("%s: %s.%s is %.40s, which cannot be used", path, configKey, name.Str, value.Raw))
		default:
			numbers[key] = v
		}
		return true
	})
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
