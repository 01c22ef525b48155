package web

import (
	"context"
	"net/http"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

type rememberInput struct {
	Body struct {
		Content    string   `json:"content"`
		Title      string   `json:"title,omitempty"`
		Type       string   `json:"type,omitempty"`
		Due        string   `json:"due,omitempty" doc:"makes it a reminder: friday, 2026-03-01"`
		Project    string   `json:"project,omitempty"`
		Importance string   `json:"importance,omitempty"`
		Tags       []string `json:"tags,omitempty"`
		Replaces   []string `json:"replaces,omitempty" doc:"memories that it holds instead of"`
	}
}

type usedInput struct {
	ByID
	Body struct {
		Verdict brain.Verdict `json:"verdict" enum:"helpful,notHelpful,unsure"`
		Context string        `json:"context,omitempty" doc:"where it was used"`
	}
}

type boostInput struct {
	ByID
	Body struct {
		Amount float64 `json:"amount,omitempty" minimum:"0" doc:"0: the default, 1"`
	}
}

type correctInput struct {
	ByID
	Body struct {
		Text  string `json:"text"`
		Title string `json:"title,omitempty"`
		Seen  string `json:"seen,omitempty" doc:"the content that was corrected; with another one nothing is changed"`
	}
}

type replaceInput struct {
	ByID
	Body struct {
		With string `json:"with" doc:"the id of the memory that holds instead"`
	}
}

type decideInput struct {
	ByID
	Body struct {
		Verdict string `json:"verdict" enum:"newer,older,both,same,accept,reject"`
		Text    string `json:"text,omitempty" doc:"of the merged memory, for same"`
	}
}

type undoInput struct {
	ByID
	Body *struct {
		Action string `json:"action,omitempty" doc:"the id of an action: only this one"`
	}
}

type doneInput struct {
	ByID
	Body struct {
		Reopen bool `json:"reopen,omitempty"`
	}
}

func (a *API) addWrites() {
	const post = http.MethodPost
	addRoute(a, post, "/memories", "remember", "remember a text",
		func(ctx context.Context, u *app.UseCases, in *rememberInput) (app.RememberAnswer, error) {
			b := in.Body
			r := app.RememberRequest{Content: b.Content, Name: b.Title, Type: b.Type, Due: b.Due}
			r.Project, r.Importance, r.Tags, r.Replaces = &b.Project, b.Importance, b.Tags, b.Replaces
			return u.Remember(ctx, r)
		})
	addRoute(a, post, "/memories/{id}/used", "used", "say whether a memory helped",
		func(ctx context.Context, u *app.UseCases, in *usedInput) (app.ChangeAnswer, error) {
			return u.Used(ctx, in.ID, in.Body.Verdict, in.Body.Context)
		})
	addRoute(a, post, "/memories/{id}/boost", "boost", "add energy",
		func(ctx context.Context, u *app.UseCases, in *boostInput) (app.ChangeAnswer, error) {
			return u.Boost(ctx, in.ID, in.Body.Amount)
		})
	addRoute(a, post, "/memories/{id}/correct", "correct", "change what a memory says",
		func(ctx context.Context, u *app.UseCases, in *correctInput) (app.ChangeAnswer, error) {
			if b := in.Body; b.Seen != "" {
				return u.CorrectSeen(ctx, in.ID, b.Seen, b.Title, b.Text)
			}
			return u.Correct(ctx, in.ID, in.Body.Title, in.Body.Text)
		})
	addRoute(a, post, "/memories/{id}/replace", "replace", "let another memory hold instead",
		func(ctx context.Context, u *app.UseCases, in *replaceInput) (app.ReplaceAnswer, error) {
			return u.Replace(ctx, in.ID, in.Body.With)
		})
	addRoute(a, post, "/memories/{id}/forget", "forget", "archive and remove a memory",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.ChangeAnswer, error) {
			plan, err := u.PlanForget(ctx, in.ID)
			if err != nil {
				return app.ChangeAnswer{}, err
			}
			return u.Forget(ctx, plan)
		})
	addRoute(a, post, "/review/{id}", "decide", "give a verdict",
		func(ctx context.Context, u *app.UseCases, in *decideInput) (app.DecideAnswer, error) {
			return u.Decide(ctx, in.ID, in.Body.Verdict, in.Body.Text)
		})
	addRoute(a, post, "/runs/{id}/undo", "undo", "undo a run, or one action of it",
		func(ctx context.Context, u *app.UseCases, in *undoInput) (app.UndoAnswer, error) {
			if in.Body != nil && in.Body.Action != "" {
				return u.UndoAction(ctx, in.ID, in.Body.Action)
			}
			return u.Undo(ctx, in.ID)
		})
	addRoute(a, post, "/reminders/{id}/done", "done", "mark a reminder as done",
		func(ctx context.Context, u *app.UseCases, in *doneInput) (app.DoneAnswer, error) {
			return u.Done(ctx, in.ID, in.Body.Reopen)
		})
}
