// Package embedding computes vectors of texts, with an endpoint that the user may
// configure.
package embedding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ErrTextRefused is the kind of error for texts that a model refuses, for example because
// they are too long.
var ErrTextRefused = errors.New("the model refuses the texts")

// Embedder computes vectors of texts.
type Embedder interface {
	Model() string
	// Embed returns a vector of unit length for each text, all of one dimension.
	Embed(ctx context.Context, texts ...string) ([][]float32, error)
}

// batchSize is the number of texts whose vectors are stored at once.
const batchSize = 256

// Options are the options of [Update].
type Options struct {
	Replace  bool                    // replace the vectors of another model
	Holder   brain.Holder            // this process
	Dead     func(brain.Holder) bool // reports whether a process on this machine has ended
	Progress func(done, all int)
}

// Update calls [Fill] under a lease. It fails with a [brain.HeldError] while another process
// holds the lease, and with [brain.ErrRefused] if the brain has vectors of another model.
func Update(ctx context.Context, base lifecycle.Base, e Embedder, o Options) (done int, err error) {
	missing, err := anyMissing(ctx, base, e.Model(), o.Replace)
	if err != nil || !missing {
		return 0, err
	}
	lease, err := base.Store.Lease(ctx, "vectors", o.Holder, o.Dead)
	if err != nil {
		return 0, err
	}
	done, err = Fill(ctx, base, e, o.Progress)
	return done, errors.Join(err, lease.Release())
}

// Fill stores a vector for every text without one of the model, and returns how many it
// stored. After an error, the stored vectors stay.
func Fill(ctx context.Context, base lifecycle.Base, e Embedder, progress func(done, all int)) (done int, err error) {
	counts, err := lifecycle.Read(ctx, base, func(r brain.Reader) (brain.Vectors, error) { return r.Vectors(e.Model()) })
	if err != nil || counts.Without == 0 {
		return 0, err
	}
	tried := map[string]brain.IndexedText{}
	for {
		progress(done, max(done, counts.Without))
		texts, err := lifecycle.Read(ctx, base, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded(e.Model(), batchSize) })
		if err != nil || len(texts) == 0 {
			return done, err
		}
		first := texts[0]
		if tried[first.ID] == first.Text {
			return done, fmt.Errorf("the store does not keep the vector of %s", first.ID)
		}
		tried[first.ID] = first.Text
		if err := store(ctx, base, e, texts); err != nil {
			return done, err
		}
		done += len(texts)
	}
}

// FillFew stores a vector for at most limit of the texts without one of the model that takes
// accepts. It looks at some only, if there are many.
func FillFew(ctx context.Context, base lifecycle.Base, e Embedder, limit int, takes func(text string) bool) error {
	texts, err := lifecycle.Read(ctx, base, func(r brain.Reader) ([]brain.Passage, error) { return r.Unembedded(e.Model(), batchSize) })
	texts = slices.DeleteFunc(texts, func(p brain.Passage) bool { return !takes(Text(p.Text)) })
	if err != nil || len(texts) == 0 {
		return err
	}
	return store(ctx, base, e, texts[:min(limit, len(texts))])
}

// store computes and stores the vectors of texts.
func store(ctx context.Context, base lifecycle.Base, e Embedder, texts []brain.Passage) error {
	embedded, err := embed(ctx, e, texts)
	if err != nil {
		return err
	}
	err = base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutVectors(e.Model(), embedded...) })
	return brain.Wrap(err, "store %d vectors", len(embedded))
}

// Text returns what a model is given of a text.
func Text(t brain.IndexedText) string {
	return cmp.Or(strings.TrimSpace(t.Name+"\n"+t.Content), strings.TrimSpace(t.Rest), "-")
}

// embed returns texts with their vectors. A text that the model refuses gets no vector. If
// the model refuses even a short text, that is an error.
func embed(ctx context.Context, e Embedder, texts []brain.Passage) ([]brain.Embedded, error) {
	inputs := make([]string, len(texts))
	for i, p := range texts {
		inputs[i] = Text(p.Text)
	}
	vectors, err := e.Embed(ctx, inputs...)
	if errors.Is(err, ErrTextRefused) {
		if _, shortErr := e.Embed(ctx, "a short text"); shortErr != nil {
			return nil, err
		}
		vectors, err = embedHalves(ctx, e, inputs)
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

// embedHalves embeds texts. If the model refuses them together, it embeds each half by
// itself. A single text that is refused gets a nil vector.
func embedHalves(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	vectors, err := e.Embed(ctx, texts...)
	switch {
	case !errors.Is(err, ErrTextRefused):
		return vectors, err
	case len(texts) == 1:
		return [][]float32{nil}, nil
	}
	first, err := embedHalves(ctx, e, texts[:len(texts)/2])
	if err != nil {
		return nil, err
	}
	second, err := embedHalves(ctx, e, texts[len(texts)/2:])
	return append(first, second...), err
}

// anyMissing reports whether a text has no vector of a model. Unless replace is set, it
// returns an error if the brain has vectors of another model.
func anyMissing(ctx context.Context, b lifecycle.Base, model string, replace bool) (bool, error) {
	return lifecycle.Read(ctx, b, func(r brain.Reader) (bool, error) {
		stored, err := r.Vectors(model)
		if err == nil && !replace && stored.Model != "" && stored.Model != model {
			return false, brain.Errorf(brain.ErrRefused, "`brainbridge consolidate` replaces them; restart the daemon after a change of its settings",
				"the brain has vectors of the model %s, and embedding.model is %s", stored.Model, model)
		}
		return stored.Without > 0, err
	})
}
