package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// memoryTools returns the tools other than those of the reference memory server, by name.
func memoryTools() map[string]toolFunc {
	return map[string]toolFunc{
		"remember": decoded(func(ctx context.Context, c call, r app.RememberRequest) (answer, error) {
			a, err := c.Remember(ctx, r)
			return document(rememberText(a), a, err)
		}),
		"recall":        decoded(recallTool),
		"list_memories": decoded(listTool),
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
			return document("noted: "+c.line(done.Memory.View), done, err)
		}),
		"capture": decoded(captureTool),
		"correct": decoded(correctTool),
		"forget":  decoded(forgetTool),
		"done":    decoded(doneTool),
		"context": decoded(func(ctx context.Context, c call, r app.ContextRequest) (answer, error) {
			r.Budget = min(r.Budget, 2500) // tokens; more would exceed maxAnswer
			a, err := c.Context(ctx, r)
			return answer{text: a.Text}, err // structured content would hide the text or repeat it
		}),
		"consolidate": decoded(func(ctx context.Context, c call, args struct{ Apply bool }) (answer, error) {
			u := c.Dry()
			if args.Apply {
				u = c.UseCases
			}
			done, err := u.Consolidate(ctx, app.ConsolidateRequest{})
			if err != nil {
				return answer{}, err
			}
			return runAnswer(done), nil
		}),
		"health": decoded(func(ctx context.Context, c call, _ struct{}) (answer, error) {
			report, err := c.Health(ctx)
			return answer{text: healthText(report)}, err
		}),
	}
}

// line returns a memory as one line of text.
func (c call) line(m brain.View) string { return newEntry(m, 0).line(c.o.Project) }

func recallTool(ctx context.Context, c call, r app.RecallRequest) (answer, error) {
	found, err := c.Recall(ctx, r)
	if err != nil {
		return answer{}, err
	}
	all := brain.Map(found.Results, recalledEntry)
	none := cmp.Or(found.Hint, found.TooCommon(), "nothing found; try fewer or other words")
	return c.entriesAnswer(map[string]any{"query": found.Query}, "results", none, all, found.HeldBack["overBudget"]), nil
}

func listTool(ctx context.Context, c call, args struct {
	Type, Tag string
	Project   *string
	Tier      tiers.Tier
	Limit     int
},
) (answer, error) {
	r := app.ListRequest{Types: []string{args.Type}, Tag: args.Tag, Project: args.Project, Limit: cmp.Or(args.Limit, 20), Salient: args.Tier == ""}
	if !r.Salient {
		r.Tiers = []tiers.Tier{args.Tier}
	}
	found, err := c.List(ctx, r, "")
	if err != nil {
		return answer{}, err
	}
	all := brain.Map(found.Memories, func(m brain.View) entry { return newEntry(m, 0) })
	return c.entriesAnswer(map[string]any{}, "memories", cmp.Or(found.Hint, "no memories"), all, 0), nil
}

func correctTool(ctx context.Context, c call, args struct{ ID, Content, Title string }) (answer, error) {
	done, err := c.Correct(ctx, args.ID, args.Title, args.Content)
	done.Memory.Content = excerpt(done.Memory.Content, 0, maxContent)
	return document("corrected, in place of ["+brain.ShortID(done.Supersedes)+"]: "+c.line(done.Memory.View), struct {
		app.ChangeAnswer
		Supersedes string `json:"supersedes"`
	}{done, done.Supersedes}, err)
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
		did, next = "forgotten: ", forAgent("archived; `brainbridge unforget "+brain.ShortID(plan.Memory.ID)+"` brings it back")
	}
	text := fmt.Sprintf("%s%s\nearlier forms that go with it: %d; relations: %d\n%s", did, c.line(plan.Memory), plan.Earlier, plan.Relations, next)
	return document(text, struct {
		Memory    entry        `json:"memory"`
		Earlier   int          `json:"earlier"`
		Relations int          `json:"relations"`
		Archive   string       `json:"archive"`
		Forgotten bool         `json:"forgotten"`
		RunID     brain.OrNull `json:"runId"`
	}{newEntry(plan.Memory, 0), plan.Earlier, plan.Relations, plan.Archive, args.Confirm, done.RunID}, err)
}

// document returns an answer with a text, and a value for programs without its null fields.
func document(text string, v any, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	return answer{text, withoutNulls(v)}, nil
}

// captureArguments are the arguments of capture. Kind says which of the texts are set.
type captureArguments struct {
	Kind                           string
	Trigger, Insight               string // crystallization
	Concept, Learned               string // learning
	Text, Due                      string // reminder
	Type, Title, Body, Description string // outcome and activity
	app.Details
}

func captureTool(ctx context.Context, c call, r captureArguments) (answer, error) {
	if err := r.check(); err != nil {
		return answer{}, err
	}
	var a app.CaptureAnswer
	var err error
	switch r.Kind {
	case "reminder":
		a, err = c.Remind(ctx, r.Text, r.Due, r.Details)
	case "outcome":
		a, err = c.WriteOutcome(ctx, r.Type, r.Title, r.Body, r.Details)
	default:
		kind := map[string]brain.SourceKind{"crystallization": brain.Crystallization, "learning": brain.Learning, "activity": brain.Activity}[r.Kind]
		a, err = c.Capture(ctx, brain.Source{
			Kind: kind, Trigger: r.Trigger, Insight: r.Insight, Concept: r.Concept, Learned: r.Learned, Type: r.Type, Description: r.Description,
		}, r.Details)
	}
	return document(captureText(a), a, err)
}

// check refuses arguments that lack a text of their kind, or have one of another.
func (r captureArguments) check() error {
	required := map[string][]string{
		"crystallization": {"trigger", "insight"}, "learning": {"concept", "learned"}, "reminder": {"text"},
		"outcome": {"type", "title"}, "activity": {"type", "description"},
	}[r.Kind]
	optional := map[string]string{"reminder": "due", "outcome": "body"}[r.Kind]
	for _, given := range []struct{ name, text string }{
		{"trigger", r.Trigger},
		{"insight", r.Insight},
		{"concept", r.Concept},
		{"learned", r.Learned},
		{"text", r.Text},
		{"due", r.Due},
		{"type", r.Type},
		{"title", r.Title},
		{"body", r.Body},
		{"description", r.Description},
	} {
		needed := slices.Contains(required, given.name)
		switch {
		case needed && strings.TrimSpace(given.text) == "":
			return brain.Errorf(brain.ErrInvalid, "give "+strings.Join(required, " and "), "the kind %s needs %s", r.Kind, given.name)
		case !needed && given.text != "" && given.name != optional:
			return brain.Errorf(brain.ErrInvalid, "leave it out, or choose the kind that has it", "the kind %s has no %s", r.Kind, given.name)
		}
	}
	return nil
}
