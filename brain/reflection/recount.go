package reflection

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/similar"
)

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
