package mcp

import (
	"context"
	"encoding/json"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// memoryTools are those that only this program has.
func memoryTools() map[string]run {
	return map[string]run{
		"remember":    call.remember,
		"recall":      call.recall,
		"open_memory": call.openMemory,
		"mark_used":   call.markUsed,
		"capture":     call.capture,
		"correct":     call.correct,
		"context":     call.context,
		"consolidate": call.consolidate,
		"health":      call.health,
	}
}

// document answers with one JSON document.
func document(v any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	text, err := compact(v)
	return answer{text, v}, err
}

func (c call) remember(ctx context.Context, arguments json.RawMessage) (answer, error) {
	r, err := decode[app.RememberRequest](arguments)
	if err != nil {
		return answer{}, err
	}
	a, err := c.Remember(ctx, r)
	return document(a.Document(), err)
}

func (c call) recall(ctx context.Context, arguments json.RawMessage) (answer, error) {
	r, err := decode[app.RecallRequest](arguments)
	if err != nil {
		return answer{}, err
	}
	found, err := c.Recall(ctx, r)
	if err != nil {
		return answer{}, err
	}
	return fitted(recollection(found))
}

func (c call) openMemory(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct {
		ID     string
		Offset int
	}](arguments)
	if err != nil {
		return answer{}, err
	}
	found, err := c.OpenMemory(ctx, args.ID)
	if err != nil {
		return answer{}, err
	}
	found.Memory.Content = piece(found.Memory.Content, args.Offset, maxContent)
	return fitted(around(found))
}

func (c call) markUsed(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ ID, Verdict, Context string }](arguments)
	if err != nil {
		return answer{}, err
	}
	verdict := map[string]brain.Verdict{"helpful": brain.Helpful, "not_helpful": brain.NotHelpful, "unsure": brain.Unsure}[args.Verdict]
	done, err := c.Used(ctx, args.ID, verdict, args.Context)
	done.Memory.Content = piece(done.Memory.Content, 0, maxContent)
	return document(done, err)
}

func (c call) correct(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ ID, Content string }](arguments)
	if err != nil {
		return answer{}, err
	}
	done, err := c.Correct(ctx, args.ID, args.Content)
	done.Memory.Content = piece(done.Memory.Content, 0, maxContent)
	return document(struct {
		app.ChangeAnswer
		Supersedes string `json:"supersedes"`
	}{done, done.Supersedes}, err)
}

// maxBudget is how many tokens the context of a session fills at most, so that
// it fits.
const maxBudget = 2500

func (c call) context(ctx context.Context, arguments json.RawMessage) (answer, error) {
	r, err := decode[app.ContextRequest](arguments)
	if err != nil {
		return answer{}, err
	}
	r.Budget = min(r.Budget, maxBudget)
	a, err := c.Context(ctx, r)
	return answer{a.Context, a}, err
}

func (c call) consolidate(ctx context.Context, arguments json.RawMessage) (answer, error) {
	args, err := decode[struct{ Apply bool }](arguments)
	if err != nil {
		return answer{}, err
	}
	done, err := c.Consolidate(ctx, app.ConsolidateRequest{DryRun: !args.Apply})
	if err != nil {
		return answer{}, err
	}
	return fitted(report(done))
}

func (c call) health(ctx context.Context, _ json.RawMessage) (answer, error) {
	return document(c.Health(ctx))
}
