package services_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Whatever is captured, run, changed and undone: every text that was captured
// is in a live, expired, archived or superseded memory, or in the archive of
// what a person forgot.
func TestNothingIsEverLost(t *testing.T) {
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		l := newLab(t)
		h := &hands{lab: l, rt: rt}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			h.step()
		}
		h.nothingLost()
	})
}

// hands do things to a brain at random, and remember what was captured.
type hands struct {
	*lab
	rt    *rapid.T
	ids   []string // as captured
	texts []string
}

func (h *hands) step() {
	steps := []func(){h.capture, h.capture, h.wait, h.maintain, h.maintain, h.undo, h.undo, h.boost, h.fix, h.ask, h.forget, h.join}
	rapid.SampledFrom(steps).Draw(h.rt, "step")()
}

func (h *hands) some() (string, bool) {
	if len(h.ids) == 0 {
		return "", false
	}
	return rapid.SampledFrom(h.ids).Draw(h.rt, "memory"), true
}

// fine fails on errors other than those that a person may meet here.
func (h *hands) fine(what string, err error) {
	if err == nil || strings.Contains(err.Error(), "not found") || strings.Contains(err.Error(), "no memory has") ||
		strings.Contains(err.Error(), "no run that") || strings.Contains(err.Error(), "was undone at") {
		return
	}
	h.rt.Fatalf("%s: %v", what, err)
}

func (h *hands) capture() {
	text := fmt.Sprintf("text number %d", len(h.texts))
	id := h.crystallize("trigger "+text, text)
	h.ids, h.texts = append(h.ids, id), append(h.texts, text)
}

func (h *hands) wait() {
	h.later(time.Duration(rapid.IntRange(0, 3000).Draw(h.rt, "hours")) * time.Hour)
}

func (h *hands) maintain() {
	kind := rapid.SampledFrom([]string{brain.RunConsolidate, brain.RunPromote}).Draw(h.rt, "kind")
	_, err := h.run.Run(h.ctx(), consolidate.Request{Kind: kind})
	h.fine("run", err)
}

func (h *hands) undo() {
	run, err := h.Journal.LastRun(h.ctx())
	h.fine("find a run", err)
	if err == nil {
		_, err = h.run.Undo(h.ctx(), run.ID)
		h.fine("undo", err)
	}
}

func (h *hands) boost() {
	if id, ok := h.some(); ok {
		_, err := h.Capture.Boost(h.ctx(), id, float64(rapid.IntRange(1, 6).Draw(h.rt, "energy")))
		h.fine("boost", err)
	}
}

func (h *hands) fix() {
	if id, ok := h.some(); ok {
		_, _, err := h.Capture.Correct(h.ctx(), id, "", "a better text")
		h.fine("correct", err)
	}
}

func (h *hands) ask() {
	_, err := h.Recall.Recall(h.ctx(), recall.Query{Words: words.Parse("text number")})
	h.fine("recall", err)
}

func (h *hands) forget() {
	id, ok := h.some()
	if !ok {
		return
	}
	_, _, err := h.Journal.Forget(h.ctx(), id, "asked for")
	h.fine("forget", err)
	if rapid.Bool().Draw(h.rt, "back") {
		_, _, err := h.Journal.Unforget(h.ctx(), id)
		if err != nil && !strings.Contains(err.Error(), "nothing was forgotten") && !strings.Contains(err.Error(), "is not forgotten") {
			h.rt.Fatalf("unforget: %v", err)
		}
	}
}

func (h *hands) join() {
	a, ok := h.some()
	if z, _ := h.some(); ok && a != z {
		_, _, err := h.Capture.Relate(h.ctx(), a, "related_to", z)
		if err != nil && !strings.Contains(err.Error(), "itself") {
			h.fine("relate", err)
		}
	}
}

func (h *hands) nothingLost() {
	views, err := h.Recall.List(h.ctx(), lifecycle.ListQuery{All: true, Limit: 100_000})
	if err != nil {
		h.rt.Fatal(err)
	}
	archive := backups.NewArchive(h.dir+"/archive", func(string) {})
	for i, text := range h.texts {
		here := slices.ContainsFunc(views, func(v brain.View) bool { return v.Content == text })
		if here {
			continue
		}
		f, err := archive.Find(h.ctx(), h.ids[i])
		if err == nil && f.Memory.Content == text {
			continue
		}
		// What it said before a correction was forgotten with it.
		_, events, failed := h.Journal.History(h.ctx(), h.ids[i])
		if !slices.ContainsFunc(events, func(e journal.HistoryEvent) bool { return e.Text != nil && slices.Contains(e.Text.Before, text) }) {
			h.rt.Fatalf("%q is lost: not in a memory, the archive says %v, the history %v", text, err, failed)
		}
	}
}
