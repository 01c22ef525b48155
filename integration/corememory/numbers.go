package corememory

import (
	"fmt"
	"strconv"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// configKey is the object of the file that sets thresholds.
const configKey = "memoryConfig"

// aliases are the names that memoryConfig gives to thresholds of the lifecycle,
// beside their own.
func aliases() map[string]string {
	return map[string]string{
		"decayThresholdDays":             "forget.afterDays",
		"minUsesToRetain":                "forget.minUses",
		"maxMemoriesBeforeConsolidation": "maxMemories",
	}
}

// Numbers are the thresholds that a file sets in memoryConfig, by the keys of
// tiers.Keys, and what is wrong with the rest of it. A file that is not there
// or cannot be read sets none.
func Numbers(path string) (numbers map[string]float64, wrong []string) {
	text, err := durable.ReadFile(path)
	if err != nil || text == nil {
		return nil, nil // a run that reads the file says what is wrong with it
	}
	d, err := parse(text)
	if err != nil {
		return nil, nil
	}
	numbers = map[string]float64{}
	sec, _ := d.section(configKey)
	for _, m := range sec.members {
		key, known := aliases()[m.key]
		if !known {
			key = m.key
		}
		raw := m.value.of(d.text)
		v, err := strconv.ParseFloat(raw, 64)
		known, bad := brain.CheckThreshold(key, v)
		if !known {
			continue // somebody else's
		}
		if err != nil || bad != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %s.%s is %.40s, which cannot be used", path, configKey, m.key, raw))
			continue
		}
		numbers[key] = v
	}
	return numbers, wrong
}

// Overrides gives the thresholds of a file whenever it is asked, for
// [brain.Options]; warn hears once what is wrong with them.
func Overrides(path string, warn func(string)) func() map[string]float64 {
	told := map[string]bool{}
	return func() map[string]float64 {
		numbers, wrong := Numbers(path)
		for _, w := range wrong {
			if !told[w] {
				told[w] = true
				warn(w)
			}
		}
		return numbers
	}
}
