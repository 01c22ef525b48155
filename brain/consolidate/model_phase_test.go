package consolidate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

func TestPhases(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	named := func(kind, name, text string) {
		t.Helper()
		c, err := b.Capture.NewMemory(brain.Memory{Name: name, Content: text, MemoryType: kind}, brain.Details{})
		if err == nil {
			_, err = b.Capture.Capture(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pair := func(kindA, nameA, kindB, nameB, about string) {
		one, two := herons(about)
		named(kindA, nameA, one)
		named(kindB, nameB, two)
	}
	pair("idea", "i", "idea", "i", "green buckets full of rusty nails and forgotten keys")
	pair("fact", "f", "lesson", "l", "yellow folders that nobody has opened for ages")
	pair("fact", "storage of sessions", "decision", "Storage of  sessions", "a narrow blue drawer under the window")
	pair("lesson", "x", "lesson", "x", "paper cups that stand beside the printer")
	pair("fact", "y", "fact", "y", "an unlabelled wooden crate next to the lift")
	l := &listener{}
	rep := tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{})
	var order []string
	for _, texts := range l.asked {
		_, what, _ := strings.Cut(texts[0], " users in ")
		order = append(order, strings.Join(strings.Fields(what)[:3], " "))
	}
	want := []string{"an unlabelled wooden", "paper cups that", "green buckets full", "a narrow blue", "yellow folders that"}
	if !slices.Equal(order, want) || rep.Merged != 5 {
		t.Errorf("asked in the order %q, want %q; merged %d", order, want, rep.Merged)
	}
	if rep := tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l, IdempotencyDays: 0}, consolidate.Request{Type: "fact"}); len(l.asked) != 5 {
		t.Errorf("asked again: %+v", rep.Figures)
	}
}

// many stores clusters of three memories each.
func many(t testing.TB, s brain.Store, clusters int) (ids []string) {
	t.Helper()
	b := testlab.At(s, testlab.Start())
	words := strings.Fields("amber basil cedar delta ember fjord grove heath inlet jetty kelp larch maple nacre ocean pearl quartz ridge slate thyme umber violet willow xenon yarrow zinc acorn birch coral dune")
	for i := range clusters {
		w := words[i%len(words)]
		for _, text := range []string{
			"The %[1]s team stores %[1]sline and %[1]sward crates below the %[1]sstone stairs of %[1]ston house",
			"The %[1]s team stores old %[1]sline and %[1]sward crates below the %[1]sstone stairs of %[1]ston house",
			"The whole %[1]s team stores %[1]sline and %[1]sward crates below the %[1]sstone stairs of %[1]ston house",
		} {
			ids = append(ids, remember(t, b, "fact", fmt.Sprintf(text, w), brain.Details{}))
		}
	}
	return ids
}

func current(t testing.TB, s brain.Store, ids []string) (live int) {
	t.Helper()
	for _, id := range ids {
		if m := testlab.Memory(t, s, id); m.Current() {
			live++
		}
	}
	return live
}

func TestABatchIsGoneOnWith(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 5)
	l := &listener{}
	o := consolidate.ModelOptions{Merger: l, Model: "m", IdempotencyDays: 7, Batch: 2}
	first := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if first.LLMCalls != 2 || first.Remaining != 3 || first.Clusters != 5 || first.Resumed || !first.Partial || current(t, s, ids) != 11 {
		t.Fatalf("first %+v, %d left", first.Figures, current(t, s, ids))
	}
	second := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if second.LLMCalls != 2 || second.Remaining != 1 || !second.Resumed {
		t.Fatalf("second %+v", second.Figures)
	}
	o.NoResume = true
	third := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if third.LLMCalls != 1 || third.Remaining != 0 || third.Resumed || third.Partial || current(t, s, ids) != 5 {
		t.Fatalf("third %+v", third.Figures)
	}
	if fourth := tierRun(t, s, testlab.Start(), o, consolidate.Request{}); fourth.Resumed || len(l.asked) != 5 {
		t.Errorf("nothing is left to go on with: %+v", fourth.Figures)
	}
}

func TestARunWithOtherOptionsIsAnother(t *testing.T) {
	s := testlab.OpenStore(t)
	many(t, s, 3)
	o := consolidate.ModelOptions{Merger: &listener{}, Model: "m", Batch: 1}
	tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	o.Model = "another"
	if rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{}); rep.Resumed || rep.LLMCalls != 1 {
		t.Errorf("%+v", rep.Figures)
	}
}

func TestAnEndpointThatIsOverEndsTheTier(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 4)
	n := 0
	l := &listener{}
	l.say = func(sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
		switch n++; n {
		case 2: // garbage: this cluster alone
			return consolidate.ModelProposal{}, cost(), errors.New("no JSON")
		case 3:
			return consolidate.ModelProposal{}, consolidate.ModelCost{Over: true}, errors.New("the budget is spent")
		}
		return longest(sources), cost(), nil
	}
	o := consolidate.ModelOptions{Merger: l, IdempotencyDays: 7}
	rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if len(l.asked) != 3 || rep.LLMCalls != 2 || rep.Tokens != 1000 || rep.Remaining != 3 || !rep.Partial || rep.Merged != 2 {
		t.Fatalf("asked %d times, %+v, merged %d", len(l.asked), rep.Figures, rep.Merged)
	}
	rep = tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if rep.LLMCalls != 3 || rep.Remaining != 0 || rep.Partial || !rep.Resumed || current(t, s, ids) != 4 {
		t.Errorf("the next run: %+v", rep.Figures)
	}
}

func TestWithoutABackupNothingIsMerged(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 2)
	o := consolidate.ModelOptions{Merger: &listener{}, Backup: func(context.Context) (string, error) { return "", errors.New("disk full") }}
	if rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{}); !rep.Partial || rep.Merged != 0 || rep.Remaining != 2 || current(t, s, ids) != 6 {
		t.Errorf("%+v", rep)
	}
}

// A run asks about new memories at once, and about merged ones only after a week.
func TestWhatWasMergedRests(t *testing.T) {
	s := testlab.OpenStore(t)
	many(t, s, 2)
	o := consolidate.ModelOptions{Merger: &listener{}, IdempotencyDays: 7}
	calls := func(after time.Duration) int {
		return tierRun(t, s, testlab.Start().Add(after), o, consolidate.Request{}).LLMCalls
	}
	if n := calls(0); n != 2 {
		t.Fatalf("first: %d calls", n)
	}
	if n := calls(time.Minute); n != 0 {
		t.Errorf("nothing is new: %d calls", n)
	}
	one, two := herons("memory")
	remember(t, testlab.At(s, testlab.Start()), "fact", one, brain.Details{})
	remember(t, testlab.At(s, testlab.Start()), "fact", two, brain.Details{})
	if n := calls(2 * time.Minute); n != 1 {
		t.Errorf("what is new was not found: %d calls", n)
	}
	remember(t, testlab.At(s, testlab.Start()), "fact", "Now "+one, brain.Details{})
	if n := calls(3 * time.Minute); n != 0 {
		t.Errorf("what was merged just now was taken: %d calls", n)
	}
	if n := calls(8 * 24 * time.Hour); n != 1 {
		t.Errorf("after a week, when what was merged may be taken: %d calls", n)
	}
}
