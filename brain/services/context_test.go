package services_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

func (l *lab) context(q recall.ContextQuery) recall.Context {
	l.t.Helper()
	return must[recall.Context](l)(l.Recall.Context(l.ctx(), q))
}

// keep captures a memory of a kind in a project and returns its id.
func (l *lab) keep(project, kind, name, text string) string {
	l.t.Helper()
	c := must[brain.Capture](l)(l.Capture.NewMemory(brain.Memory{Name: name, Content: text, MemoryType: kind}, brain.Details{Project: project}))
	return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
}

// withoutIDs returns the lines of a context without the first one and without ids.
func withoutIDs(c recall.Context) (lines []string) {
	for line := range strings.Lines(c.Text) {
		text, _, _ := strings.Cut(strings.TrimSpace(line), " [")
		lines = append(lines, text)
	}
	return slices.DeleteFunc(lines[1:], func(s string) bool { return s == "" })
}

func TestTheNextMorningKnowsWhatWasKept(t *testing.T) {
	l := newLab(t)
	l.keep("atlas", "decision", "Staging moves to port 5433", "Because the old cluster holds 5432.")
	l.keep("", "preference", "", "Answer in English, even if I write German.")
	l.keep("other", "decision", "", "Use Redis for the queue")
	l.learn("migrations", "Run them before the deploy. The old schema breaks otherwise.")
	l.keep("atlas", "note", "", "Lunch was late")
	l.later(24 * time.Hour)
	got := withoutIDs(l.context(recall.ContextQuery{Project: "atlas"}))
	want := []string{
		"Decisions and preferences:",
		"yesterday preference: Answer in English, even if I write German",
		"yesterday decision: Staging moves to port 5433, because the old cluster holds 5432",
		"Lessons and facts:",
		"yesterday learning: migrations: Run them before the deploy. The old schema breaks otherwise",
		"Also:",
		"yesterday note: Lunch was late",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestAContextShowsEachPartOfItsProject(t *testing.T) {
	l := newLab(t)
	kinds := []struct{ project, kind, text string }{
		{"atlas", "decision", "atlas decides"},
		{"", "decision", "nobody decides"},
		{"other", "decision", "other decides"},
		{"atlas", "preference", "atlas prefers"},
		{"other", "note", "other notes"},
		{"atlas", "note", "atlas notes"},
		{"atlas", "note", "Atlas notes."},
		{"", "note", "core of all"},
		{"other", "note", "core of other"},
	}
	l.shelve(len(kinds), func(i int, m *brain.Memory) {
		k := kinds[i]
		m.Tier, m.Project, m.MemoryType, m.Name, m.Content = tiers.Expired, k.project, k.kind, k.text, k.text
		m.Created = l.now.Add(-time.Duration(i) * time.Hour)
		if strings.HasPrefix(k.text, "core") {
			m.Tier = tiers.Core
		}
	})
	c := l.context(recall.ContextQuery{Project: "atlas"})
	want := []string{
		"Core:", "today note: core of all",
		"Decisions and preferences:", "today decision: atlas decides", "today preference: atlas prefers", "today decision: nobody decides",
		"Also:", "today note: atlas notes",
	}
	if diff := cmp.Diff(want, withoutIDs(c)); diff != "" {
		t.Errorf("context (-want +got):\n%s\n%s", diff, c.Text)
	}
	parts := make([]string, len(c.Lines))
	for i, line := range c.Lines {
		parts[i] = line.Part
	}
	if diff := cmp.Diff([]string{"core", "decisions", "decisions", "decisions", "other"}, parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

// News is what came after the last session of the same project.
func TestAContextBeginsWithTheNewsOfTheProject(t *testing.T) {
	l := newLab(t)
	end := func(project string) {
		if err := l.Capture.EndSession(l.ctx(), project, l.now); err != nil {
			t.Fatal(err)
		}
		l.later(time.Minute)
	}
	l.keep("atlas", "decision", "", "Known to the last session")
	end("atlas")
	l.keep("atlas", "decision", "", "First news")
	end("other")
	l.keep("atlas", "lesson", "", "Second news")
	l.keep("other", "lesson", "", "News of the other project")
	got := withoutIDs(l.context(recall.ContextQuery{Project: "atlas"}))
	want := []string{
		"Since your last session:", "today lesson: Second news", "today decision: First news",
		"Decisions and preferences:", "today decision: Known to the last session",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

// However many decisions there are, a context also tells what is new, and keeps to its
// budget.
func TestNoPartOfAContextCrowdsOutTheOthers(t *testing.T) {
	l := newLab(t)
	if err := l.Capture.EndSession(l.ctx(), "", l.now); err != nil {
		t.Fatal(err)
	}
	l.later(time.Minute)
	l.shelve(150, func(i int, m *brain.Memory) {
		m.MemoryType = []string{"decision", "lesson", "preference"}[i%3]
		m.Created = l.now.AddDate(0, 0, -7)
		m.ValidFrom = m.Created
		m.Name, m.Content = fmt.Sprint("what was settled in meeting ", i), strings.Repeat("it was long ago ", 10)
	})
	l.shelve(1, func(_ int, m *brain.Memory) {
		m.Name, m.Content, m.Tier = "the core", "what is always true", tiers.Core
	})
	l.learn("news", "what came since")
	for _, budget := range []int{100, 300, 2000, 20_000, math.MaxInt} {
		c := l.context(recall.ContextQuery{Budget: budget})
		if c.Tokens != plaintext.Tokens(c.Text) || c.Tokens > budget || c.Tokens < 3*budget/4 && budget <= 2000 {
			t.Errorf("a context of %d tokens says it has %d and has %d", budget, c.Tokens, plaintext.Tokens(c.Text))
		}
		for _, part := range []string{"Core:", "Decisions and preferences:", "Lessons and facts:", "Since your last", "what came since"} {
			if budget >= 2000 && strings.Count(c.Text, part) != 1 {
				t.Errorf("%d tokens: %q stands there %d times in\n%s", budget, part, strings.Count(c.Text, part), c.Text)
			}
		}
		if budget >= 20_000 && len(c.Lines) != 152 {
			t.Errorf("with room for all, %d of 152 are told", len(c.Lines))
		}
	}
}

// What replaced another memory says so for 30 days: the title of the other one, and until
// when it held. A correction says nothing.
func TestWhatReplacedAnotherSaysSo(t *testing.T) {
	l := newLab(t)
	older := l.keep("", "decision", "", "Staging listens on port 5433 of the machine in the cellar, behind the old proxy")
	l.later(time.Hour)
	newer := l.keep("", "decision", "", "Staging moves to port 5500")
	if err := l.Base.Store.Update(l.ctx(), func(tx brain.Tx) error {
		ms, err := tx.Memories(older)
		if err != nil {
			return err
		}
		ms[0].Tier, ms[0].ValidTo = tiers.Superseded, l.now
		if err := tx.PutMemories(ms...); err != nil {
			return err
		}
		return tx.PutRelations(
			brain.Relation{From: newer, Type: brain.Supersedes, To: older}, brain.Relation{From: newer, Type: brain.Replaces, To: older})
	}); err != nil {
		t.Fatal(err)
	}
	corrected := l.keep("", "decision", "", "Backups run at 22:00")
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), corrected, "", "Backups run at 23:00"))
	day := l.now.In(l.Base.Zone).Format(time.DateOnly)
	want := " decision: Staging moves to port 5500 (was: Staging listens on port 5433 of the machine in the cellar…, until " + day + ") ["
	c := l.context(recall.ContextQuery{})
	if len(c.Lines) != 2 || strings.Count(c.Text, want) != 1 || strings.Count(c.Text, "(was") != 1 {
		t.Errorf("want %q in the context:\n%s", want, c.Text)
	}
	text, _, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "which port does staging run on"})
	if err != nil || !strings.Contains(text, want) {
		t.Errorf("prompt: %v:\n%s", err, text)
	}
	l.later(29 * brain.Day)
	if c := l.context(recall.ContextQuery{}); strings.Count(c.Text, "(was: Staging") != 1 {
		t.Errorf("after 29 days:\n%s", c.Text)
	}
	l.later(brain.Day)
	if c := l.context(recall.ContextQuery{}); len(c.Lines) != 2 || strings.Contains(c.Text, "(was") {
		t.Errorf("after 30 days:\n%s", c.Text)
	}
}

func TestAnEmptyBrainSaysHowToKeepSomething(t *testing.T) {
	l := newLab(t)
	c := l.context(recall.ContextQuery{Project: "atlas"})
	if strings.Count(c.Text, "\n") != 1 || !strings.Contains(c.Text, "brainbridge remember") || len(c.Lines) != 0 {
		t.Errorf("context:\n%s", c.Text)
	}
}
