package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) attentionCommand() *cobra.Command {
	c := a.changing(&cobra.Command{
		Use: "attention [--focus TOPIC] [--reset]", Short: "Show or set the topic of the session and the topic weights",
		Long: `Show the topic of the session and the current weight of each topic. --focus sets
a new topic: the weights of earlier topics decrease and those of related topics
increase. --reset clears the topic and all weights. The file session-context.json
has the same data.`,
		Args: noArgs,
	})
	focus := c.Flags().String("focus", "", "set the `TOPIC` of the session")
	reset := c.Flags().Bool("reset", false, "clear the topic and all weights")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, _ []string) (app.AttentionAnswer, error) {
		return u.Attention(ctx, app.AttentionRequest{Focus: given(c, "focus", focus), Reset: *reset})
	}, a.showAttention)
	return c
}

func (a *cli) showAttention(s app.AttentionAnswer) {
	switch {
	case a.dryRun && s.Focus == nil:
		a.printf("would clear focus and weights\n")
	case s.Focus == nil:
		a.printf("there is no focus; `brainbridge attention --focus TOPIC` sets one\n")
	case a.dryRun:
		a.printf("the focus would be %s\n", flat(s.Focus.Topic, 60))
	default:
		a.printf("focus: %s, set %s\n", flat(s.Focus.Topic, 60), ago(s.Focus.Since, a.clock()))
	}
	if a.quiet || len(s.Weights) == 0 {
		return
	}
	t := table{head: []string{"TOPIC", "WEIGHT"}, right: "WEIGHT"}
	for _, topic := range s.Topics {
		t.row(flat(topic, 60), energy(s.Weights[topic]))
	}
	a.print(t)
}
