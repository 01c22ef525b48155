package services_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/recall"
)

func TestCorrectNamesAMemoryAfterItsText(t *testing.T) {
	for name, c := range map[string]struct{ title, text, want string }{
		"without a title":     {"", "Staging moves to port 5500.\nThe old cluster is gone.", "Staging moves to port 5500."},
		"with a title":        {"Ports", "Staging moves to port 5500.", "Ports"},
		"with a long text":    {"", strings.Repeat("four ", 40), strings.Repeat("four ", 15) + "four…"},
		"with an empty title": {"", "one two", "one two"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			id := l.learn("Staging moves to port 5433", "the old cluster holds 5432")
			next := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, c.title, c.text))
			if next.Name != c.want || next.Content != c.text {
				t.Errorf("named %q with the text %q, want %q", next.Name, next.Content, c.want)
			}
			text := l.context(recall.ContextQuery{}).Text
			if strings.Contains(text, "port 5433") {
				t.Errorf("the context shows the old title:\n%s", text)
			}
			last := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
			must[journal.Undone](l)(l.Journal.Undo(l.ctx(), last.ID, nil, nil))
			if back := l.node(id); back.Name != "Staging moves to port 5433" {
				t.Errorf("undone, it is named %q", back.Name)
			}
		})
	}
}

// A concept and a trigger say what the text is about, and still do when it changes.
func TestCorrectKeepsAConcept(t *testing.T) {
	for _, concept := range []string{"staging database", "how to restart the queue", "Deploy", "when the build is red", "VPN and DNS on Linux"} {
		l := newLab(t)
		id := l.learn(concept, "it listens on port 5432")
		if next := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "it listens on port 5500")); next.Name != concept {
			t.Errorf("named %q, want %q", next.Name, concept)
		}
	}
}

// Others refer to an entity and to core memory by name.
func TestCorrectKeepsTheNamesOfEntitiesAndCore(t *testing.T) {
	l := newLab(t)
	ids := []string{
		l.entity("Ada", "writes Go").ID,
		l.remember("vim", func(m *brain.Memory, _ *brain.Details) {
			m.Name, m.MemoryType, m.Retention = "editor", "preference", brain.RetainCore
		}),
	}
	for i, want := range []string{"Ada", "editor"} {
		if next := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), ids[i], "", "something new")); next.Name != want {
			t.Errorf("named %q, want %q", next.Name, want)
		}
		if next := ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), ids[i], "renamed", "something new")); next.Name != "renamed" {
			t.Errorf("named %q, want the given title", next.Name)
		}
	}
}

func TestCorrectChangesTheTextOfAReminder(t *testing.T) {
	l := newLab(t)
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Reminder, Text: "buy tea", Due: l.now.Add(time.Hour)}, brain.Details{}))
	id := must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
	before := *l.show(id).Source
	ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), id, "", "buy coffee"))
	want := before
	want.Text = "buy coffee"
	if got := *l.show(id).Source; got.Text != want.Text || !got.Due.Equal(want.Due) {
		t.Errorf("the reminder is %+v, want %+v", got, want)
	}
	last := must[brain.Run](l)(l.Journal.LastRun(l.ctx()))
	must[journal.Undone](l)(l.Journal.Undo(l.ctx(), last.ID, nil, nil))
	if got := *l.show(id).Source; got.Text != "buy tea" {
		t.Errorf("undone, the reminder says %q", got.Text)
	}
}
