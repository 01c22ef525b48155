// Package embedding computes vectors of texts, with an endpoint that the user may
// configure.
package embedding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ErrRefused is the kind of error for texts that a model refuses, for example because they
// are too long.
var ErrRefused = errors.New("the model does not take the texts")

// Embedder computes vectors of texts.
type Embedder interface {
	Model() string
	// Embed returns a vector of unit length for each text, all of one dimension.
	Embed(ctx context.Context, texts ...string) ([][]float32, error)
}

// batch is the number of texts that are stored at once.
const batch = 256

// Options are the options of [Update].
type Options struct {
	Replace  bool                    // replace the vectors of another model
	Holder   brain.Holder            // this process
	Dead     func(brain.Holder) bool // reports whether a process on this machine has ended
	Progress func(done, all int)
}

// Update is [Fill] for one process at a time. It fails with a [brain.HeldError] while
// another one does it, and with [brain.ErrRefused] for a model other than that of the brain.
func Update(ctx context.Context, base lifecycle.Base, e Embedder, o Options) (done int, err error) {
	waits, err := waiting(ctx, base, e.Model(), o.Replace)
	if err != nil || !waits {
		return 0, err
	}
	held, err := base.Store.Lease(ctx, "vectors", o.Holder, o.Dead)
	if err != nil {
		return 0, err
	}
	done, err = Fill(ctx, base, e, o.Progress)
	return done, errors.Join(err, held.Release())
}

// Fill gives a vector to every text that has none of the model, and returns how many got
// one. After an error, the stored vectors stay.
func Fill(ctx context.Context, base lifecycle.Base, e Embedder, progress func(done, all int)) (done int, err error) {
	counts, err := lifecycle.Read(ctx, base, func(r brain.Reader) (brain.VectorCounts, error) { return r.VectorCounts(e.Model()) })
	if err != nil || counts.Without == 0 {
		return 0, err
	}
	tried := map[string]brain.IndexedText{}
	for {
		progress(done, max(done, counts.Without))
		texts, err := lifecycle.Read(ctx, base, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded(e.Model(), batch) })
		if err != nil || len(texts) == 0 {
			return done, err
		}
		if first := texts[0]; tried[first.ID] == first.Text {
			return done, fmt.Errorf("the vector of %s is not kept", first.ID)
		}
		tried[texts[0].ID] = texts[0].Text
		embedded, err := embed(ctx, e, texts)
		if err != nil {
			return done, err
		}
		if err := base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutVectors(e.Model(), embedded...) }); err != nil {
			return done, fmt.Errorf("store %d vectors: %w", len(embedded), err)
		}
		done += len(embedded)
	}
}

// embed returns texts with their vectors. A text that the model refuses has none, unless
// it refuses everything.
func embed(ctx context.Context, e Embedder, texts []brain.Passage) ([]brain.Embedded, error) {
	written := make([]string, len(texts))
	for i, p := range texts {
		written[i] = cmp.Or(strings.TrimSpace(p.Text.Name+"\n"+p.Text.Content), strings.TrimSpace(p.Text.Rest), "-")
	}
	vectors, err := e.Embed(ctx, written...)
	if errors.Is(err, ErrRefused) {
		if _, other := e.Embed(ctx, "a short text"); other != nil {
			return nil, err
		}
		vectors, err = divided(ctx, e, written)
	}
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return nil, err
	}
	embedded := make([]brain.Embedded, len(texts))
	for i, v := range vectors {
		embedded[i] = brain.Embedded{Passage: texts[i], Values: v}
	}
	return embedded, nil
}

// divided embeds texts. If the model refuses them together, it embeds them in halves. A
// text that is refused alone gets no vector.
func divided(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts...)
	switch {
	case !errors.Is(err, ErrRefused):
		return vectors, err
	case len(texts) == 1:
		return [][]float32{nil}, nil
	}
	first, err := divided(ctx, e, texts[:len(texts)/2])
	if err != nil {
		return nil, err
	}
	second, err := divided(ctx, e, texts[len(texts)/2:])
	return append(first, second...), err
}

// waiting reports whether a text waits for a vector of a model. Unless replace is set,
// it returns an error for a model other than that of the brain.
func waiting(ctx context.Context, b lifecycle.Base, model string, replace bool) (bool, error) {
	return lifecycle.Read(ctx, b, func(r brain.Reader) (bool, error) {
		known, err := r.VectorModel()
		if err == nil && !replace && known != "" && known != model {
			return false, brain.Errorf(brain.ErrRefused, "`brainbridge consolidate` replaces them; restart the daemon after a change of its settings",
				"the brain has vectors of the model %s, and embedding.model is %s", known, model)
		}
		texts, unread := r.Unembedded(model, 1)
		return len(texts) > 0, errors.Join(err, unread)
	})
}
