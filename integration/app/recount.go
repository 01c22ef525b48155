package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// reflectIfDue reflects after every ten sessions, and returns the findings; nil if
// it was not due. The session is recorded by then, so an error is only a warning,
// and the next end tries again.
func (u *UseCases) reflectIfDue(ctx context.Context, b *services.Services) *reflection.Findings {
	n, err := reflection.Sessions(ctx, b)
	if err == nil && n < reflection.DueAfter {
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
	found := rep.Findings()
	return &found
}

// recount has the model say in three sentences what a session was about, from its
// captures. It returns "" without a model, if the model fails, and if it says what no
// capture does: the session is recorded in any case.
func (u *UseCases) recount(ctx context.Context, b *services.Services, since time.Time) string {
	if !u.app.o.Settings.Config.LLM.On() {
		return ""
	}
	notes, err := sessionNotes(ctx, b, since)
	if err == nil && len(notes) == 0 {
		return ""
	}
	said := ""
	if err == nil {
		said, err = u.askRecount(ctx, b, notes)
	}
	if err != nil {
		u.warn(fmt.Sprintf("the session is recorded without a summary: %v", err))
		return ""
	}
	texts := make([]similar.Text, len(notes))
	for i := range notes {
		texts[i] = similar.Prepare(notes[i].Content)
	}
	if made := similar.Invented(similar.Prepare(said), texts...); made != 0 {
		u.warn(fmt.Sprintf("the session is recorded without a summary: the model's has a %s that no capture has", made))
		return ""
	}
	return said
}

func (u *UseCases) askRecount(ctx context.Context, b *services.Services, notes []brain.Memory) (string, error) {
	e, err := u.endpoint(ctx, b)
	if err != nil {
		return "", err
	}
	return e.Recount(ctx, notes)
}

// maxRecounted is how many of the newest captures of a session the model gets.
const maxRecounted = 50

// sessionNotes returns the captures since an instant, oldest first, as memories.
func sessionNotes(ctx context.Context, b *services.Services, since time.Time) ([]brain.Memory, error) {
	all, err := b.Recall.Sources(ctx, brain.SourceFilter{Limit: maxRecounted})
	var notes []brain.Memory
	for _, s := range slices.Backward(all) {
		if s.Created.Before(brain.Instant(since)) || s.Type == reflection.SessionActivity && s.Kind == brain.Activity {
			continue
		}
		text := SourceText(s)
		if s.Body != "" {
			text += "\n" + s.Body
		}
		notes = append(notes, brain.Memory{ID: s.ID, Content: text, MemoryType: string(s.Kind), Created: s.Created})
	}
	return notes, err
}
