package brain_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestWhatCountsAsALostBrain(t *testing.T) {
	seen := brain.Seen{ID: "a", Format: 20, Memories: 402, Commits: 900}
	for name, c := range map[string]struct {
		now  brain.Seen
		lost bool
	}{
		"as it was seen":                        {seen, false},
		"later":                                 {brain.Seen{ID: "a", Memories: 403, Commits: 901}, false},
		"older":                                 {brain.Seen{ID: "a", Memories: 380, Commits: 850}, false},
		"another brain":                         {brain.Seen{ID: "b", Memories: 402, Commits: 900}, true},
		"none":                                  {brain.Seen{}, true},
		"the memories deleted by hand":          {brain.Seen{ID: "a", Commits: 900}, true},
		"older, from before there were any":     {brain.Seen{ID: "a", Commits: 1}, true},
		"all forgotten in a commit of a killed": {brain.Seen{ID: "a", Commits: 901}, false},
	} {
		if got := seen.LostIn(c.now); got != c.lost {
			t.Errorf("%s: lost is %v, want %v", name, got, c.lost)
		}
	}
	if (brain.Seen{ID: "a", Commits: 7}).LostIn(brain.Seen{ID: "a", Commits: 7}) {
		t.Error("a brain that had no memories is lost without any")
	}
}
