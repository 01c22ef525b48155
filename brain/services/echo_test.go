package services_test

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
)

// in is the lab's brain in a session of an agent.
func (l *lab) in(session string) *services.Services {
	return services.New(l.Base.Store, services.Options{Now: func() time.Time { return l.now }, Session: session})
}

// again captures a text in a session and returns the answer.
func (l *lab) again(b *services.Services, m brain.Memory, d brain.Details) brain.Captured {
	l.t.Helper()
	c := must[brain.Capture](l)(b.Capture.NewMemory(m, d))
	return must[brain.Captured](l)(b.Capture.Remember(l.ctx(), c))
}

func TestWhatARecallHandedOutIsNotCapturedAgain(t *testing.T) {
	l := newLab(t)
	agent := l.in("agent-1")
	id := l.again(agent, brain.Memory{Content: "The cache warms up\nwithin a minute"}, brain.Details{}).MemoryID
	text := brain.Memory{Content: "the cache warms up within a minute"}
	if got := l.again(agent, text, brain.Details{}); got.EchoOf != "" {
		t.Fatal("it is taken for an echo before any recall")
	}
	l.later(24 * time.Hour)
	must[recall.Recollection](l)(agent.Recall.Recall(l.ctx(), recall.Query{Words: words.Parse("cache warms")}))
	got := l.again(agent, brain.Memory{Content: "The cache warms up\nwithin a minute"}, brain.Details{})
	if got.EchoOf != id || got.MemoryID != id || got.SourceID != "" {
		t.Errorf("%+v, want an echo of %s", got, id)
	}
	if m := l.memory(id); m.AccessCount != 2 || m.UseCount != 0 {
		t.Errorf("%d accesses, %d uses, want one access more and no use", m.AccessCount, m.UseCount)
	}
	for name, other := range map[string]func() brain.Captured{
		"another session": func() brain.Captured {
			return l.again(l.in("agent-2"), brain.Memory{Content: text.Content}, brain.Details{})
		},
		"no session": func() brain.Captured { return l.again(l.in(""), brain.Memory{Content: text.Content}, brain.Details{}) },
		"a tag": func() brain.Captured {
			return l.again(agent, brain.Memory{Content: text.Content}, brain.Details{Tags: []string{"ops"}})
		},
		"another type": func() brain.Captured {
			return l.again(agent, brain.Memory{Content: text.Content, MemoryType: "decision"}, brain.Details{})
		},
		"a word more": func() brain.Captured {
			return l.again(agent, brain.Memory{Content: text.Content + " now"}, brain.Details{})
		},
	} {
		if got := other(); got.EchoOf != "" {
			t.Errorf("%s: taken for an echo", name)
		}
	}
	l.later(25 * time.Hour)
	if got := l.again(agent, text, brain.Details{}); got.EchoOf != "" {
		t.Error("a day later: taken for an echo")
	}
}

func TestWhatALearningSaidIsNotCapturedAgainByItsText(t *testing.T) {
	l := newLab(t)
	id := l.learn("gateway port", "The gateway listens on 8443.")
	if got := l.again(l.Services, brain.Memory{Content: "The gateway listens on 8443."}, brain.Details{}); got.EchoOf != "" {
		t.Fatal("it is taken for an echo before any recall")
	}
	must[recall.Recollection](l)(l.Recall.Recall(l.ctx(), recall.Query{Words: words.Parse("gateway port")}))
	got := l.again(l.Services, brain.Memory{Content: "the gateway listens on 8443"}, brain.Details{})
	if root := l.memory(got.EchoOf).Root; got.EchoOf == "" || root != id && l.memory(root).Content != "The gateway listens on 8443." {
		t.Errorf("%+v, want an echo of what was recalled", got)
	}
}

func TestLinesOfAContextAreNotCaptured(t *testing.T) {
	l := newLab(t)
	id := l.learn("deploys", "look at the disk first")
	text := l.context(recall.ContextQuery{}).Text
	line := "today learning: deploys: look at the disk first [" + id[:6] + "]"
	for name, c := range map[string]struct {
		text string
		echo bool
	}{
		"all of it":           {text, true},
		"one line":            {line, true},
		"a line and a remark": {line + "\nand then at the logs", false},
		"another text":        {"today learning: deploys: look at the logs first [" + id[:6] + "]", false},
		"no such memory":      {"today learning: deploys: look at the disk first [" + brain.NewID() + "]", false},
		"a list item":         {"today learning: deploys: look at the disk first [always]", false},
	} {
		if got := l.again(l.Services, brain.Memory{Content: c.text}, brain.Details{}); (got.EchoOf != "") != c.echo || c.echo && l.memory(got.EchoOf).Root != id {
			t.Errorf("%s: %+v, want an echo: %v", name, got, c.echo)
		}
	}
	if n := l.tallied(lifecycle.TallyEchoes); n != 2 {
		t.Errorf("%d echoes counted, want 2", n)
	}
}
