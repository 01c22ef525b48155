package consolidate_test

import (
	"context"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// noted is a step that notes that it was taken.
type noted struct {
	name  string
	taken *[]string
}

func (s noted) Name() string { return s.name }

func (s noted) Apply(_ context.Context, scope consolidate.Scope, run brain.Run) (consolidate.Outcome, brain.Run, error) {
	taken := s.name
	if scope.DryRun {
		taken = "plan " + taken
	}
	*s.taken = append(*s.taken, taken)
	return consolidate.Outcome{}, run, nil
}

// A run takes the steps that it was asked for, in their order.
func TestRunTakesSomeOfTheSteps(t *testing.T) {
	for _, c := range []struct {
		req  consolidate.Request
		want []string
	}{
		{consolidate.Request{}, []string{"a", "b", "c"}},
		{consolidate.Request{Only: []string{"c", "a"}}, []string{"a", "c"}},
		{consolidate.Request{Skip: []string{"b"}}, []string{"a", "c"}},
		{consolidate.Request{Only: []string{"a", "b"}, Skip: []string{"b"}}, []string{"a"}},
		{consolidate.Request{Only: []string{"b"}, DryRun: true}, []string{"plan b"}},
	} {
		var taken []string
		var steps []consolidate.Step
		for _, name := range []string{"a", "b", "c"} {
			steps = append(steps, noted{name, &taken})
		}
		c.req.Kind = brain.RunConsolidate
		r := newRunner(testlab.At(testlab.OpenStore(t), testlab.Start()), consolidate.Options{Steps: steps})
		if _, err := r.Run(t.Context(), c.req); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(taken, c.want) {
			t.Errorf("only %q, skip %q: took %q, want %q", c.req.Only, c.req.Skip, taken, c.want)
		}
	}
}
