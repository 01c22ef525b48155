package health

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// ReflectionScope selects the parts of a reflection.
type ReflectionScope string

// The scopes.
const (
	Deep     ReflectionScope = "deep"     // everything since the last one
	Quick    ReflectionScope = "quick"    // one session
	Beliefs  ReflectionScope = "beliefs"  // only the beliefs of core memory
	Memories ReflectionScope = "memories" // only the rankings
)

// HasBeliefs reports whether the report has the beliefs.
func (s ReflectionScope) HasBeliefs() bool { return s == Deep || s == Beliefs }

// HasUnsaved reports whether the report has what was not saved, and statistics.
func (s ReflectionScope) HasUnsaved() bool { return s == Deep || s == Quick }

// Learning is something that was said and is in no memory.
type Learning struct {
	Type    string    `json:"type"` // as in a note: decision, lesson, fact, …
	Title   string    `json:"title"`
	Quote   string    `json:"quote"` // verbatim
	Session string    `json:"session"`
	At      time.Time `json:"at"`
}

// ReflectionRequest selects the session and the parts of a reflection.
type ReflectionRequest struct {
	Scope   ReflectionScope
	Session string    // of [Quick]
	Since   time.Time // of the session of [Quick], else of the last reflection; zero for all time
	// Sessions are the sessions on this machine since then.
	Sessions []string
	// Unsaved lists statements since then that no memory has.
	Unsaved []Learning
	// BeliefJudge weighs beliefs. If it is nil or fails, the rules do. Warn gets its errors.
	Judge BeliefJudge
	Warn  func(error)
}

// Reflection is the result of a reflection. A part that the scope leaves out is null.
type Reflection struct {
	Scope      ReflectionScope `json:"scope"`
	At         time.Time       `json:"at"`
	Since      *time.Time      `json:"since"` // null for all time
	Session    brain.OrNull    `json:"session"`
	HighValue  []Ranked        `json:"highValue"` // best first, at most [Most]
	LowValue   []Ranked        `json:"lowValue"`  // worst first, at most [Most]
	Unsaved    []Learning      `json:"unsaved"`
	Beliefs    []Belief        `json:"beliefs"`
	Statistics *Statistics     `json:"statistics"`
}

// Reflect reports on what happened. It writes nothing; the same state gives the same
// report. The mark is for [SaveReflection].
func Reflect(ctx context.Context, b *services.Services, q ReflectionRequest) (rep Reflection, mark string, err error) {
	rep = Reflection{Scope: q.Scope, At: b.Base.Now()}
	if !q.Since.IsZero() {
		rep.Since = &q.Since
	}
	if q.Scope == Quick {
		rep.Session = brain.OrNull(q.Session)
	}
	p, mark, err := readPeriod(ctx, b, q)
	if err == nil && q.Scope != Beliefs {
		rep.HighValue, rep.LowValue, err = rank(ctx, b, func(m brain.Memory) bool { return q.Scope != Quick || p.used[m.ID] })
	}
	if err == nil && q.Scope.HasBeliefs() {
		rep.Beliefs, err = q.beliefs(ctx, b)
	}
	if err != nil {
		return Reflection{}, "", fmt.Errorf("reflect: %w", err)
	}
	if q.Scope.HasUnsaved() {
		rep.Unsaved = append([]Learning{}, q.Unsaved...)
		rep.Statistics = p.statistics()
	}
	return rep, mark, nil
}

// Recount lets a model summarise a session from its captures since an instant; "" without
// captures. It returns an error if the model says something that is not in a capture.
func Recount(ctx context.Context, b *services.Services, since time.Time, ask func(context.Context, []brain.Memory) (string, error)) (string, error) {
	notes, err := sessionNotes(ctx, b, since)
	if err != nil || len(notes) == 0 {
		return "", err
	}
	said, err := ask(ctx, notes)
	if err != nil {
		return "", err
	}
	texts := brain.Map(notes, func(m brain.Memory) similar.Text { return similar.Prepare(m.Content) })
	if made := similar.Invented(similar.Prepare(said), texts...); made != 0 {
		return "", fmt.Errorf("the model's has a %s that no capture has", made)
	}
	return said, nil
}

const maxRecounted = 50 // captures of a session that the model gets, newest first

// sessionNotes returns the captures since an instant, oldest first, as memories.
func sessionNotes(ctx context.Context, b *services.Services, since time.Time) ([]brain.Memory, error) {
	all, err := b.Recall.Sources(ctx, brain.SourceFilter{Limit: maxRecounted})
	var notes []brain.Memory
	for _, s := range slices.Backward(all) {
		if s.Created.Before(brain.Instant(since)) || s.Type == SessionActivity && s.Kind == brain.Activity {
			continue
		}
		text := s.Words()
		if s.Body != "" {
			text += "\n" + s.Body
		}
		notes = append(notes, brain.Memory{ID: s.ID, Content: text, MemoryType: string(s.Kind), Created: s.Created})
	}
	return notes, err
}
