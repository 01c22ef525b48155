package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Reflect reports which memories were useful. A deep reflection is stored.
func (u *UseCases) Reflect(ctx context.Context, scope health.ReflectionScope) (health.Reflection, error) {
	return u.reflect(ctx, u.services(ctx), scope)
}

// LastReflection returns the last stored health.
func (u *UseCases) LastReflection(ctx context.Context) (health.Reflection, error) {
	rep, err := health.LastReport(ctx, u.services(ctx))
	if err == nil && rep.Scope == "" {
		err = brain.Errorf(brain.ErrNotFound, "`brainbridge reflect` makes one", "there was no reflection yet")
	}
	return rep, err
}

func (u *UseCases) reflect(ctx context.Context, b *services.Services, scope health.ReflectionScope) (health.Reflection, error) {
	q, err := u.reflectionRequest(ctx, b, scope)
	if err != nil {
		return health.Reflection{}, err
	}
	rep, mark, err := health.Reflect(ctx, b, q)
	if err == nil && scope == health.Deep {
		err = health.SaveReflection(ctx, b, rep, mark)
	}
	if errors.Is(err, brain.ErrReadOnly) { // the next one begins where this one did; a warning was given
		err = nil
	}
	return rep, err
}

func (u *UseCases) reflectionRequest(ctx context.Context, b *services.Services, scope health.ReflectionScope) (health.ReflectionRequest, error) {
	q := health.ReflectionRequest{Scope: scope, Warn: u.caller.Notices.Warn}
	known, err := u.app.sessions().All()
	if err != nil {
		return q, err
	}
	if scope == health.Quick {
		s, err := u.currentSession("", b.Base.Now())
		if err != nil {
			return q, err
		}
		if q.Session, q.Since = s.ID, s.Started; s.ID == "" {
			q.Session = b.Base.SessionAt(b.Base.Now())
		}
		known = slices.DeleteFunc(known, func(k AgentSession) bool { return k.ID != s.ID })
	} else {
		last, err := health.LastReport(ctx, b)
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

func (u *UseCases) unsaved(ctx context.Context, b *services.Services, known []AgentSession, since time.Time) ([]health.Learning, error) {
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
		if s.Type != health.SessionActivity {
			texts = append(texts, extract.Turn{At: s.Created, Speaker: extract.User, Text: s.Description})
		}
	}
	items, err := extractor.Missing(ctx, paths, texts, since)
	return brain.Map(items, func(i extract.Item) health.Learning {
		return health.Learning{Type: string(i.Kind), Title: i.Title, Quote: i.Quote, Session: i.Session, At: brain.Instant(i.At)}
	}), err
}

// reflectIfDue reflects after enough sessions, and returns the findings, nil if it was not
// due. An error is a warning: the next end of a session tries again.
func (u *UseCases) reflectIfDue(ctx context.Context, b *services.Services) *health.Findings {
	due, err := health.ReflectionDue(ctx, b)
	if err == nil && !due {
		return nil
	}
	var rep health.Reflection
	if err == nil {
		rep, err = u.reflect(ctx, b, health.Deep)
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
	return health.Recount(ctx, b, since, func(ctx context.Context, notes []brain.Memory) (string, error) {
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
	Focus   *health.Focus      `json:"focus"`
	Weights map[string]float64 `json:"weights"`

	Topics []string `json:"-"` // the topics of Weights, most important first
}

// Attention changes the topic of the session, and returns the attention.
func (u *UseCases) Attention(ctx context.Context, r AttentionRequest) (AttentionAnswer, error) {
	if r.Focus != nil && r.Reset {
		return AttentionAnswer{}, invalid("use one of them", "focus and reset exclude each other")
	}
	b := u.services(ctx)
	var s health.Attention
	var err error
	switch {
	case r.Focus != nil:
		s, err = health.SetFocus(ctx, b, *r.Focus)
	case r.Reset:
		s, err = health.ResetAttention(ctx, b)
	default:
		s, err = health.ReadAttention(ctx, b)
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

func (u *UseCases) writeSession(ctx context.Context, b *services.Services, s health.Attention) error {
	view, err := health.ReadSession(ctx, b, s)
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
