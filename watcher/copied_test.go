package watcher

import (
	"slices"
	"testing"
	"time"
)

func TestCopied(t *testing.T) {
	at := func(minutes ...int) (all []time.Time) {
		for _, m := range minutes {
			all = append(all, time.Unix(0, 0).Add(time.Duration(m)*time.Minute))
		}
		return all
	}
	same := slices.Repeat(at(100), 18)
	for name, c := range map[string]struct {
		times       []time.Time
		copied, not []time.Time
	}{
		"a clone, then two edits":   {append(at(500, 900, 101, 102), same...), at(100, 101, 102), at(500, 900)},
		"written one after another": {at(0, 10, 20, 30, 40, 41, 50, 60, 70, 80, 90, 91, 100, 110, 120, 130, 140, 150, 160, 170), nil, at(0, 40, 41)},
		"half of them":              {append(at(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 200, 210, 220, 230, 240, 250, 260, 270), same...), nil, at(100)},
		"the first notes":           {same, nil, at(100)},
		"no files":                  {nil, nil, at(0)},
	} {
		copied := Copied(c.times)
		for _, at := range c.copied {
			if !copied(at) {
				t.Errorf("%s: %s is not that of a copy", name, at)
			}
		}
		for _, at := range c.not {
			if copied(at) {
				t.Errorf("%s: %s is that of a copy", name, at)
			}
		}
	}
}
