package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/sashabaranov/go-openai"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
)

// ErrEmbedding is the kind of the errors of an [Embedder].
var ErrEmbedding = errors.New("the embedding endpoint failed")

// errTextRefused is the kind of those for texts that the model refuses.
var errTextRefused = fmt.Errorf("%w: %w", ErrEmbedding, embedding.ErrTextRefused)

const (
	maxTexts    = 64       // of a request
	maxBatch    = 64 << 10 // bytes of the texts of a request
	maxEmbedded = 8_000    // bytes of a text that are embedded: most models take some 8,000 tokens, and hosted ones refuse more
)

// EmbedOptions of an [Embedder].
type EmbedOptions struct {
	BaseURL   string            // such as http://localhost:11434/v1
	Model     string            // name of the model
	Key       string            // "" for none
	Transport http.RoundTripper // nil: that of net/http
	Once      bool              // a call that failed is not repeated
}

// Embedder makes vectors of texts. It is safe for concurrent use.
type Embedder struct{ o EmbedOptions }

// NewEmbedder returns an Embedder. It does not call the endpoint.
func NewEmbedder(o EmbedOptions) *Embedder { return &Embedder{o} }

// Model returns the name of the model.
func (e *Embedder) Model() string { return e.o.Model }

// Embed returns one vector of unit length for each text, in order, all of one dimension.
// Only the first 8,000 bytes of a text count. A failed call is repeated after a wait, up
// to minutes if the endpoint asks for that: set a deadline where nobody waits so long.
// Errors are of the kind [ErrEmbedding], or that of a cancelled ctx.
func (e *Embedder) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	all := make([][]float32, 0, len(texts))
	for _, batch := range batches(texts) {
		vectors, err := e.request(ctx, batch)
		if err != nil {
			return nil, err
		}
		all = append(all, vectors...)
	}
	for _, v := range all {
		if len(v) != len(all[0]) {
			return nil, e.unusable("vectors of %d and of %d numbers", len(all[0]), len(v))
		}
	}
	return all, nil
}

// batches returns the texts, cut, in the portions of requests.
func batches(texts []string) (all [][]string) {
	size := 0
	for _, text := range texts {
		text = strings.ToValidUTF8(text[:min(len(text), maxEmbedded)], "") // complete characters
		last := len(all) - 1
		if last < 0 || len(all[last]) == maxTexts || size+len(text) > maxBatch {
			all, size, last = append(all, nil), 0, last+1
		}
		all[last], size = append(all[last], text), size+len(text)
	}
	return all
}

func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	w := newWire(e.o.Transport) // of this call alone: it is not safe for concurrent use
	if e.o.Once {
		w.tries = 1
	}
	answer, err := w.library(e.o.BaseURL, e.o.Key).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
		Input: texts, Model: openai.EmbeddingModel(e.o.Model), EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		what, next := endpoint{
			section: "embedding", answer: "vectors", again: "try again later",
			refused: fmt.Sprintf("check that embedding.model makes embeddings and takes texts of %d bytes", maxEmbedded),
		}.explain(err, w.status)
		kind := ErrEmbedding
		switch w.status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			kind = errTextRefused
		}
		return nil, e.failure(kind, what, next)
	case len(answer.Data) != len(texts):
		return nil, e.unusable("%s for %s", english.Plural(len(answer.Data), "vector", ""), english.Plural(len(texts), "text", ""))
	}
	vectors := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(texts) || vectors[d.Index] != nil {
			return nil, e.unusable("index %d twice, or for none of %s", d.Index, english.Plural(len(texts), "text", ""))
		}
		if !minilm.Normalize(d.Embedding) {
			return nil, e.unusable("an empty vector or one of zeros")
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

func (e *Embedder) unusable(format string, args ...any) error {
	return e.failure(ErrEmbedding, "the endpoint answered with "+fmt.Sprintf(format, args...),
		"check that embedding.base_url is an OpenAI-compatible endpoint and that embedding.model makes embeddings")
}

func (e *Embedder) failure(kind error, what, next string) error {
	return brain.Errorf(kind, next, "embed with %s at %s: %s", e.o.Model, e.o.BaseURL, what)
}
