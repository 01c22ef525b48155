package services_test

import (
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

func TestASectionIsShownByAPrefixAndIsNoMemory(t *testing.T) {
	l := newLab(t)
	l.takeIn("knowledge/zoo.md", false, "walruses are large")
	full := l.recollect(recall.Query{Words: words.Parse("walruses"), NoTouch: true})[0].Memory.ID
	for _, exact := range []bool{false, true} {
		got := must[recall.Shown](l)(l.Recall.Show(l.ctx(), full[:6], exact))
		if got.Memory.ID != full {
			t.Errorf("shown is %q; want %s", got.Memory.ID, full)
		}
	}
	for what, do := range map[string]func() error{
		"boost": func() error { _, err := l.Capture.Boost(l.ctx(), full[:8], 0); return err },
		"open":  func() error { _, err := l.Capture.Open(l.ctx(), full); return err },
		"why":   func() error { _, err := l.Journal.Why(l.ctx(), full[:8]); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "is a section of a note (knowledge/zoo.md:") {
			t.Errorf("%s of a section: %v", what, err)
		}
	}
}
