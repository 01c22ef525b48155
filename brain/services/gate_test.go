package services_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/capture"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

func TestScoreOfTheRelevanceFilter(t *testing.T) {
	for name, c := range map[string]struct {
		facts capture.GateFacts
		want  float64
	}{
		"nothing":                 {capture.GateFacts{}, 0},
		"duplicate":               {capture.GateFacts{Similarity: 0.86, Severity: "critical", Common: true}, 0},
		"at the duplicate's edge": {capture.GateFacts{Similarity: 0.85, Severity: "critical"}, 3},
		"similar":                 {capture.GateFacts{Similarity: 0.61}, -2},
		"at the similar's edge":   {capture.GateFacts{Similarity: 0.6}, 0},
		"contradicts":             {capture.GateFacts{Similarity: 0.99, Contradicts: true, Severity: "critical"}, 3},
		"one context":             {capture.GateFacts{AppliesTo: []string{"a"}}, 0},
		"two contexts":            {capture.GateFacts{AppliesTo: []string{"a", "b"}}, 2},
		"three contexts":          {capture.GateFacts{AppliesTo: []string{"a", "b", "c"}}, 3},
		"the same context twice":  {capture.GateFacts{AppliesTo: []string{"a", " A ", "b"}}, 2},
		"critical":                {capture.GateFacts{Severity: "critical"}, 5},
		"high":                    {capture.GateFacts{Severity: "HIGH"}, 3},
		"medium":                  {capture.GateFacts{Severity: "medium"}, 2},
		"low":                     {capture.GateFacts{Severity: "low"}, 1},
		"unknown severity":        {capture.GateFacts{Severity: "urgent"}, 0},
		"mistake":                 {capture.GateFacts{Origin: "mistake"}, 2},
		"failure":                 {capture.GateFacts{Origin: "failure"}, 2},
		"feedback":                {capture.GateFacts{Origin: "feedback"}, 3},
		"aligned":                 {capture.GateFacts{Keyword: "tabs"}, 1},
		"common":                  {capture.GateFacts{Common: true}, 2},
		"all together": {capture.GateFacts{
			Similarity: 0.7, AppliesTo: []string{"a", "b", "c"}, Severity: "critical", Origin: "feedback", Keyword: "tabs", Common: true,
		}, 12},
	} {
		t.Run(name, func(t *testing.T) {
			j := c.facts.Judge(5)
			if j.Score != c.want {
				t.Errorf("score %v, want %v", j.Score, c.want)
			}
			if warned := len(j.Warnings) > 0; warned != (name == "unknown severity") {
				t.Errorf("warnings %v", j.Warnings)
			}
		})
	}
}

// Every fact that counts has its reason, which begins with what it adds.
func TestReasonsAddUpToTheScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := capture.GateFacts{
			Similarity: rapid.Float64Range(0, 1).Draw(t, "similarity"), Contradicts: rapid.Bool().Draw(t, "contradicts"),
			AppliesTo: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4).Draw(t, "contexts"),
			Severity:  rapid.SampledFrom([]string{"", "critical", "high", "medium", "low", "odd"}).Draw(t, "severity"),
			Origin:    rapid.SampledFrom([]string{"", "mistake", "failure", "feedback"}).Draw(t, "origin"),
			Keyword:   rapid.SampledFrom([]string{"", "tabs"}).Draw(t, "keyword"), Common: rapid.Bool().Draw(t, "common"),
		}
		j := f.Judge(5)
		sum := 0.0
		for _, reason := range j.Reasons {
			points, _, _ := strings.Cut(reason, ":")
			sum += map[string]float64{"0": 0, "-2": -2, "+1": 1, "+2": 2, "+3": 3, "+5": 5}[points]
		}
		if sum != j.Score {
			t.Errorf("%v add up to %v, the score is %v", j.Reasons, sum, j.Score)
		}
	})
}

func (l *lab) gated(m brain.Memory, g brain.Gate, d brain.Details) brain.Captured {
	l.t.Helper()
	c := must[brain.Capture](l)(l.Capture.NewMemory(m, d))
	c.Gate = &g
	return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c))
}

func TestARejectedDuplicateConfirmsAndRevives(t *testing.T) {
	l := newLab(t)
	first := l.gated(brain.Memory{Content: "the tabs of the billing service are eight columns wide on screens", Severity: "critical"}, brain.Gate{}, brain.Details{})
	if first.MemoryID == "" || first.Judgement.Score < 5 {
		t.Fatalf("%+v", first.Judgement)
	}
	l.later(30 * 24 * 60 * 60 * 1e9)
	l.consolidate()
	if tier := l.tier(first.MemoryID); tier != "expired" {
		t.Fatalf("it is %s after 30 days", tier)
	}
	for try := range 2 {
		again := l.gated(brain.Memory{Content: "The tabs of that billing service are eight columns wide on screens", Severity: "critical"}, brain.Gate{}, brain.Details{})
		if again.MemoryID != "" || again.Judgement.DuplicateOf != first.MemoryID || again.Judgement.Score != 0 {
			t.Fatalf("%+v", again)
		}
		shown := l.show(first.MemoryID).Memory
		if shown.Confirmations != try+1 || shown.AccessCount != 2 || *shown.Tier != "working" {
			t.Errorf("try %d: %d confirmations, %d accesses, %s", try, shown.Confirmations, shown.AccessCount, *shown.Tier)
		}
	}
	if n := l.tallied(lifecycle.TallyDuplicates); n != 2 {
		t.Errorf("%d duplicates counted, want 2", n)
	}
	rejections := must[health.Audit](l)(health.ReadAudit(l.ctx(), l.Services, 10)).Rejections
	if len(rejections) != 2 || rejections[0].Cause != capture.RejectedDuplicate || rejections[0].DuplicateOf != first.MemoryID {
		t.Errorf("rejections %+v", rejections)
	}
}

func TestTheGateKeepsProjectsApart(t *testing.T) {
	l := newLab(t)
	text := brain.Memory{Content: "the port is 5432", Severity: "critical"}
	for _, c := range []struct {
		details brain.Details
		dup     bool
	}{
		{brain.Details{Project: "a"}, false},
		{brain.Details{Project: "b"}, false},
		{brain.Details{Project: "a"}, true},
		{brain.Details{}, false}, // it holds everywhere: that is new
		{brain.Details{Project: "c"}, true},
	} {
		got := l.gated(text, brain.Gate{}, c.details)
		if dup := got.Judgement.DuplicateOf != ""; dup != c.dup {
			t.Errorf("%+v: duplicate %v, want %v", c.details, dup, c.dup)
		}
	}
}

func TestTheThresholdDecides(t *testing.T) {
	l := newLab(t)
	if got := l.gated(brain.Memory{Content: "four", Severity: "high", Origin: ""}, brain.Gate{}, brain.Details{}); got.MemoryID != "" {
		t.Error("3 is stored below a threshold of 5")
	}
	if got := l.gated(brain.Memory{Content: "five", Severity: "high"}, brain.Gate{Common: true}, brain.Details{}); got.MemoryID == "" {
		t.Error("5 is not stored at a threshold of 5")
	}
	if got := l.gated(brain.Memory{Content: "kept"}, brain.Gate{Keep: true}, brain.Details{}); got.MemoryID == "" || got.Judgement.Score != 0 {
		t.Errorf("%+v", got)
	}
	must[int](l)(0, l.Base.SetNumber(l.ctx(), "relevanceThreshold", 0))
	got := l.gated(brain.Memory{Content: "anything"}, brain.Gate{}, brain.Details{})
	if got.MemoryID == "" {
		t.Fatal("0 is not stored at a threshold of 0")
	}
	if shown := l.show(got.MemoryID).Memory; shown.RelevanceScore == nil || *shown.RelevanceScore != 0 {
		t.Errorf("relevanceScore %v", shown.RelevanceScore)
	}
	if again := l.gated(brain.Memory{Content: "anything"}, brain.Gate{}, brain.Details{}); again.Known != got.MemoryID {
		t.Error("a known text is stored again at a threshold of 0")
	}
}

func TestAlignmentWithCoreMemory(t *testing.T) {
	l := newLab(t)
	core := must[brain.Capture](l)(l.Capture.NewMemory(brain.Memory{Content: "We indent with tabs, never 4 spaces", Retention: "core"}, brain.Details{}))
	must[brain.Captured](l)(l.Capture.Capture(l.ctx(), core))
	for text, want := range map[string]float64{
		"Makefiles need tabs too": 1, "the cache is never warm": 0, "there are 4 of them": 0, "rivers run": 0,
	} {
		if got := l.gated(brain.Memory{Content: text}, brain.Gate{Keep: true}, brain.Details{}); got.Judgement.Score != want {
			t.Errorf("%q: %v, %v, want %v", text, got.Judgement.Score, got.Judgement.Reasons, want)
		}
	}
}

func TestAnEntityTellsHowItWasJudged(t *testing.T) {
	l := newLab(t)
	m := brain.Memory{Name: "Postgres", Content: "runs on 5433\nApplied in shop: HELPFUL", Severity: "critical"}
	m.Entity = true
	got := l.gated(m, brain.Gate{}, brain.Details{})
	shown := l.show(got.MemoryID).Memory
	for _, want := range []string{"Discovered: 2026-02-05", "Relevance score: 5", "Source: brainbridge remember"} {
		if !slices.Contains(strings.Split(shown.Content, "\n"), want) {
			t.Errorf("no line %q in\n%s", want, shown.Content)
		}
	}
	if shown.Effectiveness == nil || *shown.Effectiveness != 1 || shown.UseCount != 1 {
		t.Errorf("effectiveness %v, %d uses", shown.Effectiveness, shown.UseCount)
	}
}
