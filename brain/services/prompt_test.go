package services_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/recall"
)

func TestWhatFitsAPrompt(t *testing.T) {
	l := newLab(t)
	key := l.learn("the deploy key", "the deploy key of the shop lives in the vault")
	l.learn("keyset paging", "keyset pages are stable while rows come and go")
	for prompt, want := range map[string]bool{
		"Where is the deploy key of the shop?":  true,
		"which deploy key":                      true,
		"deploy":                                false, // one word alone is no question
		"go on":                                 false,
		"write a poem about the sea":            false,
		"is there a key to the garden gate now": false, // one shared word of many
		"":                                      false,
	} {
		text, ids, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: prompt})
		if err != nil || (len(ids) == 1 && ids[0] == key) != want || want != strings.Contains(text, "vault") || !want && text != "" {
			t.Errorf("%q: %v, %q, %v", prompt, ids, text, err)
		}
	}
	told := []string{key}
	if text, _, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "which deploy key", Told: told}); text != "" || err != nil {
		t.Errorf("told again: %q, %v", text, err)
	}
}

func TestAPromptBringsAtMostThreeMemories(t *testing.T) {
	l := newLab(t)
	for _, fruit := range []string{"apples", "pears", "plums", "quinces", "cherries"} {
		l.learn("crate labels and "+fruit, "the printer counts crate labels and "+fruit)
	}
	_, ids, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "print crate labels"})
	if err != nil || len(ids) != 3 {
		t.Errorf("%v, %v; want three", ids, err)
	}
}

func TestAPromptBringsTheBestMatchesFirst(t *testing.T) {
	l := newLab(t)
	best := l.learn("print crate labels", "print all crate labels in one job and the printer drops some after forty")
	for _, other := range []string{"all crate labels are blue", "one job sorts crate labels", "all crate labels need one glue", "print crate labels with a number"} {
		l.now = l.now.Add(time.Hour)
		l.learn(other, other)
	}
	_, ids, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "print all crate labels in one job"})
	if err != nil || len(ids) < 2 || ids[0] != best {
		t.Errorf("%v, %v; want %s first, and others", ids, err, best)
	}
	l.learn("Fahrplan", "der Fahrplan ist im Winter ein anderer und die Busse sind voll")
	if text, _, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "ist die Stellenseite im Footer und der Slug leer"}); text != "" || err != nil {
		t.Errorf("shares only stop words: %q, %v", text, err)
	}
}

// directions is an embedder for tests: texts with one of its words have one direction each.
type directions []string

func (d directions) Model() string { return "directions" }

func (d directions) Embed(_ context.Context, texts ...string) (all [][]float32, _ error) {
	for _, text := range texts {
		v := make([]float32, len(d)+1)
		v[slices.IndexFunc(d, func(word string) bool { return strings.Contains(text, word) })+1] = 1
		all = append(all, v)
	}
	return all, nil
}

func TestWhatFitsAPromptByItsVector(t *testing.T) {
	l := newLab(t)
	key := l.learn("the deploy key", "the deploy key of the shop lives in the vault")
	l.learn("keyset paging", "keyset pages are stable while rows come and go")
	e := directions{"deploy", "pages", "sea"}
	if _, err := embedding.Fill(l.ctx(), l.Base, e, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	for v, want := range map[int]bool{1: true, 3: false} {
		values := make([]float32, len(e)+1)
		values[v] = 1
		_, ids, err := l.Recall.ForPrompt(l.ctx(), recall.PromptQuery{Text: "how do I roll it out", Vector: &brain.Vector{Model: e.Model(), Values: values}})
		if err != nil || slices.Contains(ids, key) != want || len(ids) > 1 {
			t.Errorf("along axis %d: %v, %v", v, ids, err)
		}
	}
}
