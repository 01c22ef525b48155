package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// vectorsLease keeps two processes from embedding the same texts.
const vectorsLease = "vectors"

// embedTexts gives a vector to every text that has none, and returns their number. Without
// an endpoint, or while another process does it, it does nothing.
func (u *UseCases) embedTexts(ctx context.Context, b *services.Services) (int, error) {
	e, err := Embedder(u.app.o.Settings.Config.Embedding)
	if err != nil || e == nil {
		return 0, err
	}
	lease, err := b.Base.Store.Lease(ctx, vectorsLease, ThisProcess(), HolderGone)
	if errors.Is(err, brain.ErrBusy) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	done, err := embedding.Fill(ctx, b.Base, e, func(done, all int) { u.caller.Notices.Progress("embed texts", done, all) })
	return done, errors.Join(err, lease.Release())
}

// questionPatience is how long a recall waits for the vector of a question, promptPatience
// how long an agent does.
const questionPatience, promptPatience = 3 * time.Second, time.Second

// vectorOf returns the vector of a question, nil without an endpoint. If the endpoint
// fails, it warns: the words of the question still find much.
func (u *UseCases) vectorOf(ctx context.Context, b *services.Services, question string, patience time.Duration) *brain.Vector {
	e, err := Embedder(u.app.o.Settings.Config.Embedding)
	if err == nil && e == nil {
		return nil
	}
	if err == nil {
		short, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		var vectors [][]float32
		if vectors, err = e.Embed(short, b.Base.WithoutSecrets(question)); err == nil {
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
	Without int    `json:"without"` // those that are to get one
}

// vectorCounts returns nil without an endpoint.
func (u *UseCases) vectorCounts(ctx context.Context, b *services.Services) (*VectorsAnswer, error) {
	name := u.app.o.Settings.Config.Embedding.Model
	if name == "" {
		return nil, nil
	}
	n, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.VectorCounts, error) { return r.VectorCounts(name) })
	return &VectorsAnswer{Model: name, With: n.With, Without: n.Without}, err
}
