package attention

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// current is the id of the only record.
const current = "current"

// Read returns the current state. It writes nothing.
func Read(ctx context.Context, b *services.Services) (State, error) {
	s, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (State, error) { return stored(r) })
	if err != nil {
		return State{}, fmt.Errorf("read attention: %w", err)
	}
	return s.At(b.Base.Now()), nil
}

// SetFocus puts a topic into focus and returns the new state. An empty topic is
// [brain.ErrInvalid].
func SetFocus(ctx context.Context, b *services.Services, topic string, related Related) (State, error) {
	if err := check(topic); err != nil {
		return State{}, err
	}
	topic = Topic(b.Base.WithoutSecrets(topic))
	now := b.Base.Now()
	return change(ctx, b, now, func(s State) State { return s.Refocus(topic, b.Base.SessionAt(now), related, now) })
}

// maxTopic is the longest topic, in bytes.
const maxTopic = 200

func check(topic string) error {
	if err := brain.CheckText("the topic", topic); err != nil {
		return err
	}
	if len(topic) > maxTopic {
		return brain.Errorf(brain.ErrInvalid, "name it in a word or two, such as authentication",
			"the topic has %d bytes, at most %d are allowed", len(topic), maxTopic)
	}
	return nil
}

// Reset removes the focus and all weights.
func Reset(ctx context.Context, b *services.Services) (State, error) {
	return change(ctx, b, b.Base.Now(), func(State) State { return State{} })
}

func change(ctx context.Context, b *services.Services, now time.Time, next func(State) State) (State, error) {
	var s State
	err := b.Base.Store.Update(ctx, func(tx brain.Tx) error {
		before, err := stored(tx)
		if err != nil {
			return err
		}
		s = next(before)
		rec, err := brain.NewRecord(brain.AttentionRecord, current, "", "", now, s)
		if err != nil {
			return err
		}
		return tx.PutRecords(rec)
	})
	if err != nil {
		return State{}, fmt.Errorf("change attention: %w", err)
	}
	return s, nil
}

func stored(r brain.RecordReader) (State, error) {
	recs, err := r.Records(brain.AttentionRecord, current)
	if err != nil || len(recs) == 0 {
		return State{}, err
	}
	return brain.Body[State](recs[0])
}
