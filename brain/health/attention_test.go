package health

import (
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func table() RelatedWeights {
	return RelatedWeights{
		"authentication": {"security": .3, "session": .25, "middleware": .2, "cookies": .15},
		"api":            {"endpoints": .3, "validation": .2, "authentication": .15},
	}
}

func near(t *testing.T, got map[string]TopicWeight, want map[string]float64) {
	t.Helper()
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("got %v, want %v", got, want)
	}
	for topic, w := range want {
		if math.Abs(got[topic].Value-w) > 1e-9 {
			t.Errorf("%s: %v, want %v", topic, got[topic].Value, w)
		}
	}
}

func TestTurn(t *testing.T) {
	first := Attention{}.Refocus("authentication", "s", table(), noon())
	near(t, first.Weights, map[string]float64{
		"authentication": .95, "security": .3, "session": .25, "middleware": .2, "cookies": .15,
	})
	second := first.Refocus("api", "s", table(), noon())
	near(t, second.Weights, map[string]float64{
		"api": .95, "authentication": .95*.7 + .15, "endpoints": .3, "validation": .2,
		"security": .21, "session": .175, "middleware": .14, "cookies": .105,
	})
	near(t, first.Weights, map[string]float64{ // what was handed out stays
		"authentication": .95, "security": .3, "session": .25, "middleware": .2, "cookies": .15,
	})
	again := second.Refocus("api", "s", table(), noon())
	near(t, again.Weights, map[string]float64{
		"api": .95, "authentication": .95*.7 + .15, "endpoints": .3, "validation": .2,
		"security": .21, "session": .175, "middleware": .14, "cookies": .105,
	})
	if len(again.Recent) != 2 || again.Recent[0].Topic != "api" {
		t.Errorf("recent: %v", again.Recent)
	}
}

func TestRaiseIsCapped(t *testing.T) {
	s := Attention{Weights: map[string]TopicWeight{"security": {Value: 1}}, Faded: noon()}
	s = s.Refocus("a", "", RelatedWeights{"a": {"security": .5}}, noon())
	near(t, s.Weights, map[string]float64{"a": .95, "security": 1})
}

// A weight stays at the floor for ten changes, unless something raises it.
func TestFloor(t *testing.T) {
	s := Attention{Weights: map[string]TopicWeight{"old": {Value: .07}}, Faded: noon()}
	for i := range 10 {
		s = s.Refocus(string(rune('a'+i)), "", nil, noon())
		if got := s.Weights["old"].Value; math.Abs(got-.05) > 1e-12 {
			t.Fatalf("after %d changes: %v", i+1, got)
		}
	}
	if raised := s.Refocus("x", "", RelatedWeights{"x": {"old": .2}}, noon()); raised.Weights["old"] != (TopicWeight{Value: .2}) {
		t.Errorf("raised it is %v", raised.Weights["old"])
	}
	if s = s.Refocus("y", "", nil, noon()); s.Weights["old"].Value != 0 {
		t.Errorf("it is still there: %v", s.Weights["old"])
	}
}

func TestFadingWithTime(t *testing.T) {
	s := Attention{}.Refocus("api", "s", table(), noon())
	for _, c := range []struct {
		after time.Duration
		left  float64
	}{
		{10*time.Minute - 1, 1}, {10 * time.Minute, .95}, {19 * time.Minute, .95}, {30 * time.Minute, .95 * .95 * .95}, {-time.Hour, 1},
	} {
		near(t, s.At(noon().Add(c.after)).Weights, map[string]float64{
			"api": .95, "endpoints": .3 * c.left, "validation": .2 * c.left, "authentication": .15 * c.left,
		})
	}
	near(t, s.At(noon().AddDate(1, 0, 0)).Weights, map[string]float64{
		"api": .95, "endpoints": WeightFloor, "validation": WeightFloor, "authentication": WeightFloor,
	})
}

// It does not matter how often somebody looks, and no weight leaves its bounds.
func TestLookingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, now := Attention{}, noon()
		topics := rapid.SampledFrom([]string{"api", "authentication", "x", "y"})
		for range rapid.IntRange(0, 30).Draw(t, "turns") {
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "seconds")) * time.Second)
			s = s.Refocus(topics.Draw(t, "topic"), "", table(), now)
		}
		first := time.Duration(rapid.IntRange(0, 9000).Draw(t, "first")) * time.Second
		second := time.Duration(rapid.IntRange(0, 9000).Draw(t, "second")) * time.Second
		once, twice := s.At(now.Add(first+second)), s.At(now.Add(first)).At(now.Add(first+second))
		for topic, w := range once.Weights {
			if math.Abs(w.Value-twice.Weights[topic].Value) > 1e-9 {
				t.Fatalf("%s: %v at once, %v in two looks", topic, w, twice.Weights[topic])
			}
			if w.Value < WeightFloor || w.Value > 1 {
				t.Fatalf("%s is %v", topic, w)
			}
		}
		if len(s.Recent) > RecentLimit {
			t.Fatalf("%d entries", len(s.Recent))
		}
	})
}

// The first topic in the order wins, whatever stands first in the text.
func TestTopicOf(t *testing.T) {
	for text, want := range map[string]string{
		"fix the login redirect":                     "authentication",
		"the slow query behind the OAuth callback":   "authentication",
		"a slow migration":                           "database",
		"add an endpoint":                            "api",
		"the React component tests":                  "frontend",
		"tests for the CSS":                          "styling",
		"write tests before you deploy":              "testing",
		"deploy with encryption":                     "deployment",
		"XSS is not slow":                            "security",
		"it is too slow":                             "performance",
		"author of the protest for forestry capital": "general",
		"": "general",
	} {
		if got := TopicOf(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestRefocusWithoutWeights(t *testing.T) {
	s := Attention{Focus: &Focus{Topic: "api", Since: noon()}}
	near(t, s.Refocus("api", "s", table(), noon()).Weights, map[string]float64{"api": .95})
}
