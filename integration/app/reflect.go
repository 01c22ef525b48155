package app

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/attention"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Reflect reports which memories were useful. A deep reflection is stored.
func (u *UseCases) Reflect(ctx context.Context, scope reflection.Scope) (reflection.Report, error) {
	return u.reflect(ctx, u.services(ctx), scope)
}

// LastReflection returns the last stored reflection.
func (u *UseCases) LastReflection(ctx context.Context) (reflection.Report, error) {
	rep, err := reflection.LastReport(ctx, u.services(ctx))
	if err == nil && rep.Scope == "" {
		err = brain.Errorf(brain.ErrNotFound, "`brainbridge reflect` makes one", "there was no reflection yet")
	}
	return rep, err
}

func (u *UseCases) reflect(ctx context.Context, b *services.Services, scope reflection.Scope) (reflection.Report, error) {
	q, err := u.reflectionRequest(ctx, b, scope)
	if err != nil {
		return reflection.Report{}, err
	}
	rep, mark, err := reflection.Reflect(ctx, b, q)
	if err == nil && scope == reflection.Deep {
		err = reflection.Save(ctx, b, rep, mark)
	}
	return rep, err
}

func (u *UseCases) reflectionRequest(ctx context.Context, b *services.Services, scope reflection.Scope) (reflection.Request, error) {
	q := reflection.Request{Scope: scope, Warn: u.caller.Notices.Warn}
	known, err := u.app.sessions().All()
	if err != nil {
		return q, err
	}
	if scope == reflection.Quick {
		s, err := u.currentSession("", b.Base.Now())
		if err != nil {
			return q, err
		}
		if q.Session, q.Since = s.ID, s.Started; s.ID == "" {
			q.Session = b.Base.SessionAt(b.Base.Now())
		}
		known = slices.DeleteFunc(known, func(k AgentSession) bool { return k.ID != s.ID })
	} else {
		last, err := reflection.LastReport(ctx, b)
		if err != nil {
			return q, err
		}
		q.Since = last.At
		known = slices.DeleteFunc(known, func(k AgentSession) bool { return k.Latest.Before(last.At) })
	}
	q.Sessions = brain.Map(known, func(s AgentSession) string { return s.ID })
	if scope.HasUnsaved() {
		if q.Unsaved, err = u.unsaved(ctx, b, known, q.Since); err != nil {
			return q, err
		}
	}
	if scope.HasBeliefs() && u.app.Settings.Config.LLM.On() && !u.caller.DryRun { // a dry run asks no model
		judge, err := u.endpoint(ctx, b)
		if err != nil {
			q.Warn(fmt.Errorf("words judge what speaks for and against core memory: %w", err))
		} else {
			q.Judge = judge
		}
	}
	return q, nil
}

func (u *UseCases) unsaved(ctx context.Context, b *services.Services, known []AgentSession, since time.Time) ([]reflection.Learning, error) {
	extractor, err := u.transcripts(ctx, b)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, s := range known {
		if s.Transcript != "" {
			paths = append(paths, s.Transcript)
		}
	}
	done, err := b.Recall.Sources(ctx, brain.SourceFilter{Kind: brain.Activity, Limit: 1000})
	if err != nil {
		return nil, err
	}
	var texts []extract.Turn
	for _, s := range slices.Backward(done) {
		if s.Type != reflection.SessionActivity {
			texts = append(texts, extract.Turn{At: s.Created, Speaker: extract.User, Text: s.Description})
		}
	}
	items, err := extractor.Missing(ctx, paths, texts, since)
	return brain.Map(items, func(i extract.Item) reflection.Learning {
		return reflection.Learning{Type: string(i.Kind), Title: i.Title, Quote: i.Quote, Session: i.Session, At: brain.Instant(i.At)}
	}), err
}

// reflectIfDue reflects after enough sessions, and returns the findings, nil if it was not
// due. An error is a warning: the next end of a session tries again.
func (u *UseCases) reflectIfDue(ctx context.Context, b *services.Services) *reflection.Findings {
	due, err := reflection.Due(ctx, b)
	if err == nil && !due {
		return nil
	}
	var rep reflection.Report
	if err == nil {
		rep, err = u.reflect(ctx, b, reflection.Deep)
	}
	if err != nil {
		u.warn(fmt.Sprintf("no reflection, though one may be due: %v", err))
		return nil
	}
	return new(rep.Findings())
}

// recount lets the model summarise a session in three sentences; "" without a model.
func (u *UseCases) recount(ctx context.Context, b *services.Services, since time.Time) (string, error) {
	if !u.app.Settings.Config.LLM.On() {
		return "", nil
	}
	return reflection.Recount(ctx, b, since, func(ctx context.Context, notes []brain.Memory) (string, error) {
		e, err := u.endpoint(ctx, b)
		if err != nil {
			return "", err
		}
		return e.Recount(ctx, notes)
	})
}

// AttentionRequest changes the topic of a session. The zero value changes nothing.
type AttentionRequest struct {
	Focus *string // the new topic; nil: unchanged
	Reset bool    // forget focus and weights
}

// AttentionAnswer has the topic of the session and the topic weights.
type AttentionAnswer struct {
	Focus   *attention.Focus   `json:"focus"`
	Weights map[string]float64 `json:"weights"`

	Topics []string `json:"-"` // the topics of Weights, most important first
}

// Attention changes the topic of the session, and returns the attention.
func (u *UseCases) Attention(ctx context.Context, r AttentionRequest) (AttentionAnswer, error) {
	if r.Focus != nil && r.Reset {
		return AttentionAnswer{}, invalid("use one of them", "focus and reset exclude each other")
	}
	b := u.services(ctx)
	var s attention.State
	var err error
	switch {
	case r.Focus != nil:
		s, err = attention.SetFocus(ctx, b, *r.Focus)
	case r.Reset:
		s, err = attention.Reset(ctx, b)
	default:
		s, err = attention.Read(ctx, b)
	}
	if err != nil {
		return AttentionAnswer{}, err
	}
	if !u.caller.DryRun {
		if err := u.writeSession(ctx, b, s); err != nil { // it is only a view
			u.caller.Notices.Warn(fmt.Errorf("the file of the session is not up to date: %w", err))
		}
	}
	return AttentionAnswer{s.Focus, s.RoundedWeights(), s.Ranked()}, nil
}

func (u *UseCases) writeSession(ctx context.Context, b *services.Services, s attention.State) error {
	view, err := attention.ReadSession(ctx, b, s)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(view, "", "  ")
	if err != nil {
		return err
	}
	dir := u.app.Settings.Paths.Data
	if err := durable.MakeDir(dir, durable.PrivateDir); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, "session-context.json"), append(text, '\n'), durable.Options{})
}
