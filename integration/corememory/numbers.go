package corememory

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
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

// config returns the object memoryConfig as it is in the file, "" without one.
func (d document) config() string {
	sec, ok := d.section(configKey)
	if !ok {
		return ""
	}
	return d.raw(*sec)
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

// numbers returns the thresholds that were read last.
func (s state) numbers() map[string]float64 {
	if s.Config == "" {
		return nil
	}
	numbers, _ := mustParse(`{"` + configKey + `":` + s.Config + `}`).numbers("")
	return numbers
}

// Overrides returns a function that reads the thresholds in memoryConfig of this
// machine's file. While the file cannot be read, they are those that the last run
// read. warn is told once of each problem.
func Overrides(host, path string, warn func(string)) func(context.Context, brain.Store) (map[string]float64, error) {
	var told sync.Map
	once := func(w string) {
		if _, known := told.LoadOrStore(w, true); !known {
			warn(w)
		}
	}
	return func(ctx context.Context, s brain.Store) (map[string]float64, error) {
		text, err := durable.ReadFile(path)
		if err == nil && text == nil { // there is none
			return nil, nil
		}
		var d document
		if err == nil {
			d, err = parse(text)
		}
		if err == nil {
			numbers, wrong := d.numbers(path)
			for _, w := range wrong {
				once(w)
			}
			return numbers, nil
		}
		once(fmt.Sprintf("%s cannot be read (%v); the thresholds that the last run read apply", path, err))
		was, err := stateOf(ctx, s, host, path)
		return was.numbers(), err
	}
}
