package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/model"
)

// quickPieces is the length of texts whose vectors are computed before they are stored, in
// word pieces; they take some 35 ms. Longer texts get theirs later.
const quickPieces = 64

// Embedder returns what makes vectors: the endpoint of the settings, or the model in the
// process; nil if there is neither. once excludes retries.
func (a *App) Embedder(once bool) (embedding.Embedder, error) {
	e := a.Settings.Config.Embedding
	switch {
	case e.BaseURL == "" && (e.Model == "" || e.Model == minilm.Name):
		if m, _, _ := a.sentenceModel(); m != nil { // `model status` says why it cannot be opened
			return m, nil
		}
		return nil, nil
	case e.BaseURL == "" && e.Model == noModel:
		return nil, nil
	case e.BaseURL == "":
		return nil, invalid("set embedding.base_url, such as http://localhost:11434/v1, or switch recall by meaning off with `brainbridge config set embedding.model none`", "embedding.model is set without embedding.base_url")
	case e.Model == "":
		return nil, invalid("set embedding.model, such as nomic-embed-text, or use no endpoint with `brainbridge config set embedding.base_url ''`", "embedding.base_url is set without embedding.model")
	}
	key, err := config.ReadSecret("embedding.api_key_file", e.APIKeyFile)
	if err != nil {
		return nil, err
	}
	return model.NewEmbedder(model.EmbedOptions{BaseURL: e.BaseURL, Model: e.Model, Key: key, Once: once}), nil
}

// inProcess reports whether an embedder is the model in the process, which costs milliseconds.
func inProcess(e embedding.Embedder) bool {
	_, ok := e.(*minilm.Model)
	return ok
}

// halfSpeed uses at most half a core: it rests as long as it works.
type halfSpeed struct{ of *minilm.Model }

// Model is that of the model.
func (h halfSpeed) Model() string { return h.of.Model() }

// Embed rests after each text.
func (h halfSpeed) Embed(ctx context.Context, texts ...string) (vectors [][]float32, err error) {
	for _, text := range texts {
		began := time.Now()
		v, err := h.of.Embed(ctx, text)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, v...)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Since(began)):
		}
	}
	return vectors, nil
}

// embedTexts gives a vector to every text that has none, and returns their number. Without
// an endpoint, or while another process does it, it does nothing. Vectors of another model
// are replaced only if replace is set, because two machines with different settings would
// replace each other's.
func (u *UseCases) embedTexts(ctx context.Context, b *services.Services, replace bool) (int, error) {
	e, err := u.app.Embedder(false)
	if err != nil || e == nil {
		return 0, err
	}
	if m, ok := e.(*minilm.Model); ok && u.caller.Background {
		e = halfSpeed{m}
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

// How long a recall and a prompt wait for the vector of a query.
const questionPatience, promptPatience = 3 * time.Second, time.Second

// vectorOf returns the vector of a query. It is nil without an endpoint, without vectors of
// its model, for a query with phrases, or, with a warning, if the endpoint fails: the query
// then matches by words.
func (u *UseCases) vectorOf(ctx context.Context, b *services.Services, q words.Query, patience time.Duration) *brain.Vector {
	if len(q.Phrases) > 0 {
		return nil
	}
	v, err := u.embedQuery(ctx, b, q.Text, patience)
	if err != nil && ctx.Err() == nil {
		u.caller.Notices.Warn(fmt.Errorf("searched by words alone: %w", err))
	}
	return v
}

func (u *UseCases) embedQuery(ctx context.Context, b *services.Services, text string, patience time.Duration) (*brain.Vector, error) {
	e, err := u.app.Embedder(true)
	if err != nil || e == nil {
		return nil, err
	}
	stored, err := storedModel(ctx, b)
	if err != nil || stored != e.Model() && (stored != "" || !inProcess(e)) {
		return nil, nil // the search returns the error
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	vectors, err := e.Embed(ctx, b.Base.WithoutSecrets(text))
	if err != nil {
		return nil, err
	}
	return &brain.Vector{Model: e.Model(), Values: vectors[0]}, nil
}

// textVector returns a function that embeds texts for a run. After a failure, of which it
// warns, it returns no more vectors: the rest of the run matches by words.
func (u *UseCases) textVector(b *services.Services) func(ctx context.Context, text string) brain.Vector {
	var failed atomic.Bool
	return func(ctx context.Context, text string) brain.Vector {
		if failed.Load() {
			return brain.Vector{}
		}
		v, err := u.embedQuery(ctx, b, text, textPatience)
		if err != nil && ctx.Err() == nil && !failed.Swap(true) {
			u.caller.Notices.Warn(fmt.Errorf("looked for similar memories by words alone: %w", err))
		}
		if v == nil {
			return brain.Vector{}
		}
		return *v
	}
}

// textPatience is how long a run waits for the vector of a text.
const textPatience = 10 * time.Second

// VectorsAnswer says how many texts have a vector.
type VectorsAnswer struct {
	Model   string `json:"model"`
	With    int    `json:"with"`
	Without int    `json:"without"` // those that wait for one
	// Stored is the model whose vectors the brain has, if that is another one.
	Stored string `json:"stored,omitempty"`
}

func (u *UseCases) vectorCounts(ctx context.Context, b *services.Services) (*VectorsAnswer, error) {
	e, err := u.app.Embedder(true)
	if err != nil || e == nil {
		return nil, nil // a run says what is wrong with the settings
	}
	n, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.Vectors, error) { return r.Vectors(e.Model()) })
	a := VectorsAnswer{Model: e.Model(), With: n.With, Without: n.Without}
	if n.Model != a.Model {
		a.Stored = n.Model
	}
	return &a, err
}

// embedChanged gives a vector to the short texts that a use case has just stored or changed, by
// the model in the process. Long texts, and those of a large import, wait for the daemon or the
// next run, as everything does if it fails.
func (u *UseCases) embedChanged(ctx context.Context, b *services.Services) {
	e, _ := u.app.Embedder(true)
	m, here := e.(*minilm.Model)
	if !here || u.caller.DryRun {
		return
	}
	stored, err := storedModel(ctx, b)
	if err == nil && (stored == "" || stored == m.Model()) {
		err = embedding.FillFew(ctx, b.Base, m, changedTexts, func(text string) bool { return isQuick(m, text) })
	}
	if err != nil {
		u.log.Warn().Err(err).Msg("changed texts wait for their vectors")
	}
}

// storedModel returns the model whose vectors the brain has, "" for none.
func storedModel(ctx context.Context, b *services.Services) (string, error) {
	v, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) (brain.Vectors, error) { return r.Vectors("") })
	return v.Model, err
}

// changedTexts is the number of texts that get their vectors at the end of a use case.
const changedTexts = 32

func isQuick(m *minilm.Model, text string) bool {
	n, err := m.Pieces(text)
	return err == nil && n <= quickPieces
}

// embedCapture computes the vector of the text of a capture before it is stored: by the model in
// the process, unless the text is long, or by an endpoint if similar memories are looked up.
func (u *UseCases) embedCapture(ctx context.Context, b *services.Services, c *brain.Capture) {
	if c.Memory == nil {
		return
	}
	text := embedding.Text(c.Memory.Indexed())
	if e, err := u.app.Embedder(true); err == nil && e != nil {
		m, here := e.(*minilm.Model)
		if !here && !c.LookUp {
			return
		}
		if here && !isQuick(m, text) {
			return
		}
	}
	if v := u.vectorOf(ctx, b, words.Query{Text: text}, promptPatience); v != nil {
		c.Vector = *v
	}
}
