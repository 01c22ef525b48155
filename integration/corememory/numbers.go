package corememory

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/brainbridge/brainbridge/brain/core"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// configKey is the key of the object that sets thresholds.
const configKey = "memoryConfig"

// aliases are other names of lifecycle thresholds in memoryConfig.
func aliases() map[string]string {
	return map[string]string{
		"decayThresholdDays":             "forget.afterDays",
		"minUsesToRetain":                "forget.minUses",
		"maxMemoriesBeforeConsolidation": "maxMemories",
	}
}

// numbers returns the thresholds that a document sets in memoryConfig, by the keys
// of tiers.Keys, and why others cannot be used.
func (d document) numbers(path string) (numbers map[string]float64, wrong []string) {
	numbers = map[string]float64{}
	sec, _ := d.section(configKey)
	for _, m := range sec.Members {
		key, known := aliases()[m.Key]
		if !known {
			key = m.Key
		}
		raw := d.raw(m.Value)
		v, err := strconv.ParseFloat(raw, 64)
		known, bad := core.CheckThreshold(key, v)
		if !known {
			continue // not one of ours
		}
		if err != nil || bad != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %s.%s is %.40s, which cannot be used", path, configKey, m.Key, raw))
			continue
		}
		numbers[key] = v
	}
	return numbers, wrong
}

// Overrides returns a function that reads the thresholds in memoryConfig of a file: none
// while it cannot be read. warn is told once of each problem.
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
		numbers, wrong := d.numbers(path)
		for _, w := range wrong {
			once(w)
		}
		return numbers
	}
}
