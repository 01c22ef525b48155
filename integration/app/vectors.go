package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
)

// embedTexts gives a vector to every text that has none, and returns their number. Without
// an endpoint, or while another process does it, it does nothing. Vectors of another model
// are replaced only if replace is set, because two machines with different settings would
// replace each other's.
func (u *UseCases) embedTexts(ctx context.Context, b *services.Services, replace bool) (int, error) {
	e, err := Embedder(u.app.o.Settings.Config.Embedding, false)
	if err != nil || e == nil {
		return 0, err
	}
	n, err := embedding.Update(ctx, b.Base, e, embedding.Options{
		Replace: replace, Holder: lease.ThisProcess(), Dead: lease.HolderGone,
		Progress: func(done, all int) { u.caller.Notices.Progress("embed texts", done, all) },
	})
	var held *brain.HeldError
	if errors.As(err, &held) {
		u.caller.Notices.Info("another process embeds the texts")
		return 0, nil
	}
	return n, err
}

// questionPatience is how long a recall waits for the vector of a query.
const questionPatience, promptPatience = 3 * time.Second, time.Second

// vectorOf returns the vector of a query; nil without an endpoint, without vectors of its
// model, or, with a warning, if the endpoint fails; the query still matches by words.
func (u *UseCases) vectorOf(ctx context.Context, b *services.Services, question words.Query, patience time.Duration) *brain.Vector {
	e, err := Embedder(u.app.o.Settings.Config.Embedding, true)
	if err == nil && e == nil || len(question.Phrases) > 0 {
		return nil
	}
	known, unread := lifecycle.Read(ctx, b.Base, brain.Reader.VectorModel)
	if err == nil && (unread != nil || known != e.Model()) {
		return nil
	}
	if err == nil {
		short, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		var vectors [][]float32
		if vectors, err = e.Embed(short, b.Base.WithoutSecrets(question.Text)); err == nil {
			return &brain.Vector{Model: e.Model(), Values: vectors[0]}
		}
	}
	if ctx.Err() == nil {
		u.caller.Notices.Warn(fmt.Errorf("searched by words alone: %w", err))
	}
	return nil
}

// VectorsAnswer says how many texts have a vector.
type VectorsAnswer struct {
	Model   string `json:"model"`
	With    int    `json:"with"`
	Without int    `json:"without"` // those that wait for one
}

func (u *UseCases) vectorCounts(ctx context.Context, b *services.Services) (*VectorsAnswer, error) {
	name := u.app.o.Settings.Config.Embedding.Model
	if name == "" {
		return nil, nil
	}
	n, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.VectorCounts, error) { return r.VectorCounts(name) })
	return &VectorsAnswer{Model: name, With: n.With, Without: n.Without}, err
}
