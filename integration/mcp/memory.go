package mcp

import (
	"context"
	"encoding/json"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// maxBudget is the largest context budget in tokens; more would exceed maxAnswer.
const maxBudget = 2500

// memoryTools returns the tools beyond those of the reference memory server, by name.
func memoryTools() map[string]toolFunc {
	return map[string]toolFunc{
		"remember": decoded(func(ctx context.Context, c call, r app.RememberRequest) (answer, error) {
			a, err := c.Remember(ctx, r)
			return document(a.Document(), err)
		}),
		"recall": decoded(func(ctx context.Context, c call, r app.RecallRequest) (answer, error) {
			found, err := c.Recall(ctx, r)
			return fit(recallDocument(found), err)
		}),
		"open_memory": decoded(func(ctx context.Context, c call, args struct {
			ID     string
			Offset int
		},
		) (answer, error) {
			found, err := c.OpenMemory(ctx, args.ID)
			found.Memory.Content = excerpt(found.Memory.Content, args.Offset, maxContent)
			return fit(memoryDocument(found), err)
		}),
		"mark_used": decoded(func(ctx context.Context, c call, args struct{ ID, Verdict, Context string }) (answer, error) {
			verdict := map[string]brain.Verdict{"helpful": brain.Helpful, "not_helpful": brain.NotHelpful, "unsure": brain.Unsure}[args.Verdict]
			done, err := c.Used(ctx, args.ID, verdict, args.Context)
			done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
			return document(done, err)
		}),
		"capture": call.capture,
		"correct": decoded(func(ctx context.Context, c call, args struct{ ID, Title, Content string }) (answer, error) {
			done, err := c.Correct(ctx, args.ID, args.Title, args.Content)
			done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
			return document(struct {
				app.ChangeAnswer
				Supersedes string `json:"supersedes"`
			}{done, done.Supersedes}, err)
		}),
		"context": decoded(func(ctx context.Context, c call, r app.ContextRequest) (answer, error) {
			r.Budget = min(r.Budget, maxBudget)
			a, err := c.Context(ctx, r)
			return answer{a.Text, a}, err
		}),
		"consolidate": decoded(func(ctx context.Context, c call, args struct{ Apply bool }) (answer, error) {
			u := c.Dry()
			if args.Apply {
				u = c.UseCases
			}
			done, err := u.Consolidate(ctx, app.ConsolidateRequest{})
			return fit(runDocument(done), err)
		}),
		"health": func(c call, ctx context.Context, _ json.RawMessage) (answer, error) {
			return document(c.Health(ctx))
		},
	}
}

// document returns v as an answer in JSON.
func document(v any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	text, err := compact(v)
	return answer{text, v}, err
}
