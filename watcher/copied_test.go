package watcher

import (
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
	for name, c := range map[string]struct {
		times       []time.Time
		copied, not []time.Time
	}{
		"a clone, then two edits":   {at(100, 100, 101, 102, 500, 900), at(100, 101, 102), at(500, 900)},
		"written one after another": {at(0, 10, 20, 30, 40, 41), nil, at(0, 40, 41)},
		"half of them":              {at(0, 0, 10, 20), nil, at(0)},
		"two files":                 {at(5, 5), nil, at(5)},
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
