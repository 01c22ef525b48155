// Package minilm computes vectors of sentences in the process, with the model
// all-MiniLM-L6-v2 in 8-bit weights. Two texts that mean much the same have vectors with a
// high cosine. The model knows English.
package minilm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"sync"
)

// ErrClosed is the error of a model that is used after Close.
var ErrClosed = errors.New("the sentence model is closed")

// Model is an open model. It is safe for concurrent use.
type Model struct {
	contents
	kernels
	gelu *geluTable

	mu    sync.RWMutex // held for reading while the file is in use
	unmap func() error // nil after Close
}

// Open opens the file of a model that [Convert] wrote. The file is mapped into memory, so
// that processes share it: replace it only by renaming another one over it. The error is
// of the kind [ErrFormat] unless the file cannot be read.
func Open(path string) (*Model, error) {
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the sentence model: %w", err)
	}
	m, err := newModel(data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the sentence model %s: %w", path, err), unmap())
	}
	m.unmap = unmap
	return m, nil
}

func newModel(data []byte) (*Model, error) {
	c, err := parse(data)
	if err != nil {
		return nil, err
	}
	return &Model{contents: *c, kernels: fastKernels(), gelu: newGELUTable(), unmap: func() error { return nil }}, nil
}

// Close releases the file. It waits for calls of other methods to return.
func (m *Model) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.unmap == nil {
		return nil
	}
	unmap := m.unmap
	m.unmap = nil
	return unmap()
}

// use calls fn while the file is mapped.
func (m *Model) use(fn func() error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.unmap == nil {
		return ErrClosed
	}
	return fn()
}

// Model returns the identity of the model. Only vectors of models with one identity can be
// compared.
func (m *Model) Model() string { return m.name }

// Verify reads the whole file and returns an error of the kind [ErrFormat] if its weights
// are damaged, which Open does not check. It takes some 20 ms.
func (m *Model) Verify() error {
	return m.use(func() error {
		if sha256.Sum256(m.weights) != m.checksum {
			return fmt.Errorf("%w: its weights are damaged", ErrFormat)
		}
		return nil
	})
}

// Pieces returns the number of word pieces of a text that count, at most 256. The time of
// Embed grows with it.
func (m *Model) Pieces(text string) (n int, err error) {
	err = m.use(func() error {
		n = len(m.vocabulary.tokenize(text, m.positions))
		return nil
	})
	return n, err
}

// Embed returns a vector of unit length for each text, in order. It uses one core.
func (m *Model) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	err := m.use(func() error {
		s := &scratch{}
		for i, text := range texts {
			if err := ctx.Err(); err != nil {
				return err
			}
			vectors[i] = make([]float32, m.width)
			if !m.embed(vectors[i], m.vocabulary.tokenize(text, m.positions), s) {
				return fmt.Errorf("%w: a text has no direction", ErrFormat)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// Normalize gives v unit length. It reports false if v has no direction.
func Normalize(v []float32) bool {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	length := math.Sqrt(square)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return length > 0 && !math.IsInf(length, 0)
}
