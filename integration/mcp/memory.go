package mcp

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/app"
)

// memoryTools returns the tools other than those of the reference memory server, by name.
func memoryTools() map[string]toolFunc {
	return map[string]toolFunc{
		"remember": decoded(rememberTool),
		"recall":   decoded(recallTool),
		"open_memory": decoded(func(ctx context.Context, c call, args struct {
			ID     string
			Offset int
		},
		) (answer, error) {
			found, err := c.OpenMemory(ctx, args.ID)
			if err != nil {
				return answer{}, err
			}
			found.Memory.Content = excerpt(found.Memory.Content, args.Offset, maxContent)
			return c.memoryAnswer(found), nil
		}),
		"mark_used": decoded(func(ctx context.Context, c call, args struct{ ID, Verdict, Context string }) (answer, error) {
			verdict := map[string]brain.Verdict{"helpful": brain.Helpful, "not_helpful": brain.NotHelpful, "unsure": brain.Unsure}[args.Verdict]
			done, err := c.Used(ctx, args.ID, verdict, args.Context)
			done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
			return document("noted: "+c.line(done.Memory), done, err)
		}),
		"correct":     decoded(correctTool),
		"forget":      decoded(forgetTool),
		"done":        decoded(doneTool),
		"context":     decoded(contextTool),
		"replace":     decoded(replaceTool),
		"review":      decoded(reviewTool),
		"decide":      decoded(decideTool),
		"consolidate": decoded(consolidateTool),
	}
}

// line returns a memory as one line of text.
func (c call) line(m brain.View) string { return newSummary(m, 0).line(c.o.Project) }

func recallTool(ctx context.Context, c call, r app.RecallRequest) (answer, error) {
	r.ForAgent = true
	find := c.Recall
	if r.Query == "" {
		find = c.MostSalient
	}
	found, err := find(ctx, r)
	if err != nil {
		return answer{}, err
	}
	none := "nothing found; try fewer or other words"
	if r.Query == "" {
		none = "no memories"
	}
	none = cmp.Or(found.Hint, found.TooCommon(), none)
	return c.resultsAnswer(found, none), nil
}

func correctTool(ctx context.Context, c call, args struct{ ID, Content, Title string }) (answer, error) {
	done, err := c.Correct(ctx, args.ID, args.Title, args.Content)
	done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
	return document("corrected: "+c.line(done.Memory), done, err)
}

func doneTool(ctx context.Context, c call, args struct {
	ID   string
	Undo bool
},
) (answer, error) {
	done, err := c.Done(ctx, args.ID, args.Undo)
	text := "done: " + done.Text
	if args.Undo {
		text = "open again: " + done.Text
	}
	return document(text, done, err)
}

// forgetTool plans to forget a memory, and does so if the caller confirms it.
func forgetTool(ctx context.Context, c call, args struct {
	ID      string
	Confirm bool
},
) (answer, error) {
	plan, err := c.PlanForget(ctx, args.ID)
	did, next := "would forget: ", "nothing was changed; call forget with confirm to do it"
	var done app.ChangeAnswer
	if err == nil && args.Confirm {
		done, err = c.Forget(ctx, plan)
		did, next = "forgotten: ", "archived; `brainbridge unforget "+brain.ShortID(plan.Memory.ID)+"` brings it back"
	}
	text := fmt.Sprintf("%s%s\nearlier forms that go with it: %d; relations: %d\n%s", did, c.line(plan.Memory), plan.Earlier, plan.Relations, next)
	return document(text, struct {
		Memory    summary      `json:"memory"`
		Earlier   int          `json:"earlier"`
		Relations int          `json:"relations"`
		Archive   string       `json:"archive"`
		Forgotten bool         `json:"forgotten"`
		RunID     brain.OrNull `json:"runId"`
	}{newSummary(plan.Memory, 0), plan.Earlier, plan.Relations, plan.Archive, args.Confirm, done.RunID}, err)
}

// document returns an answer with a text and a value for programs.
func document(text string, v any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{text, v}, nil
}

func replaceTool(ctx context.Context, c call, args struct{ Old, New string }) (answer, error) {
	done, err := c.Replace(ctx, args.Old, args.New)
	done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
	return document("["+brain.ShortID(done.Replaced)+"] is replaced by: "+c.line(done.Memory), done, err)
}

// consolidateTool plans a run or carries it out, and says what needs attention.
func consolidateTool(ctx context.Context, c call, args struct{ Apply bool }) (answer, error) {
	u := c.Dry()
	if args.Apply {
		u = c.UseCases
	}
	done, err := u.Consolidate(ctx, app.ConsolidateRequest{})
	if err != nil {
		return answer{}, err
	}
	report, err := c.Health(ctx)
	return runAnswer(done, report), err
}

// contextTool returns the context of a session, and at its end what the agent is asked.
// Structured content would hide the text or repeat it.
func contextTool(ctx context.Context, c call, r app.ContextRequest) (answer, error) {
	r.Budget = min(r.Budget, 2500) // tokens; more would exceed maxAnswer
	a, err := c.Context(ctx, r)
	if err != nil {
		return answer{}, err
	}
	q, err := c.Questions(ctx, r.Project)
	if err != nil {
		return answer{}, err
	}
	end := q.Text(true, nil)
	if end != "" {
		end = "\n" + end
	}
	return answer{text: plaintext.ClipLines(a.Text, maxAnswer-utf8.RuneCountInString(end)) + end}, nil
}
