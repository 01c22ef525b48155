package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRelatedTopicsByDefault(t *testing.T) {
	want := map[string]map[string]float64{
		"authentication": {"security": .3, "session": .25, "middleware": .2, "cookies": .15},
		"database":       {"schema": .3, "migrations": .25, "queries": .2, "supabase": .15},
		"api":            {"endpoints": .3, "validation": .2, "authentication": .15},
		"frontend":       {"components": .3, "styling": .2, "state": .15},
		"deployment":     {"devops": .3, "environment": .25, "railway": .2},
	}
	if d := cmp.Diff(want, Default().Attention.Table()); d != "" {
		t.Error(d)
	}
}

func TestRelatedTopics(t *testing.T) {
	for line, ok := range map[string]bool{
		"a: b 1": true, "Web UI: dark mode 0.5,fonts 0.1": true,
		"": false, "a": false, ": b 1": false, "a:": false, "a: b": false, "a: 0.5": false, "a: b 0": false, "a: b -1": false,
		"a: b 1.1": false, "a: b NaN": false, "a: b 0.5,": false,
	} {
		if err := checkRelated([]string{line}); (err == nil) != ok {
			t.Errorf("%q: %v", line, err)
		}
	}
	if checkRelated([]string{"a: b 1", "A: c 1"}) == nil {
		t.Error("a topic may have two lines")
	}
	a := Attention{Related: []string{"Web  UI: Dark mode 0.5"}}
	if got := a.Table()["web ui"]["dark mode"]; got != 0.5 {
		t.Errorf("%v in %v", got, a.Table())
	}
}
