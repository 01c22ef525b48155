package health

import (
	"context"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/services"
)

const recordID = "current" // of the single attention record

// ReadAttention returns the current state. It writes nothing.
func ReadAttention(ctx context.Context, b *services.Services) (Attention, error) {
	s, err := lifecycle.Read(ctx, b.Base, readAttention)
	return s.At(b.Base.Now()), brain.Wrap(err, "read attention")
}

// SetFocus puts a topic into focus and returns the new state. It also raises the
// weights of the topics that related lists for it. A topic that is empty, too long or
// not valid text is [brain.ErrInvalid].
func SetFocus(ctx context.Context, b *services.Services, topic string) (Attention, error) {
	if err := checkTopic(topic); err != nil {
		return Attention{}, err
	}
	// The limit applies to the topic as it was typed, so that the message fits it.
	topic = strings.ToLower(plaintext.OneLine(b.Base.WithoutSecrets(topic)))
	now := b.Base.Now()
	return updateAttention(ctx, b, now, func(s Attention) Attention { return s.Refocus(topic, b.Base.SessionAt(now), RelatedTopics(), now) })
}

func checkTopic(topic string) error {
	const maxBytes = 200
	if err := brain.CheckText("the topic", topic); err != nil {
		return err
	}
	if len(topic) > maxBytes {
		return brain.Errorf(brain.ErrInvalid, "use one or two words, such as authentication",
			"the topic is %d bytes long; the limit is %d", len(topic), maxBytes)
	}
	return nil
}

// ResetAttention clears the whole state: focus, weights and history.
func ResetAttention(ctx context.Context, b *services.Services) (Attention, error) {
	return updateAttention(ctx, b, b.Base.Now(), func(Attention) Attention { return Attention{} })
}

// updateAttention replaces the state by the result of next, which may run again.
func updateAttention(ctx context.Context, b *services.Services, now time.Time, next func(Attention) Attention) (Attention, error) {
	var s Attention
	err := b.Base.Store.Update(ctx, func(tx brain.Tx) error {
		before, err := readAttention(tx)
		if err != nil {
			return err
		}
		s = next(before)
		return lifecycle.PutRecord(tx, brain.AttentionRecord, recordID, "", "", now, s)
	})
	return s, brain.Wrap(err, "change attention")
}

func readAttention(r brain.Reader) (Attention, error) {
	return brain.First(brain.Bodies[Attention](r.Records(brain.AttentionRecord, recordID)))
}
