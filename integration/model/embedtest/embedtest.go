// Package embedtest is an OpenAI-compatible embedding endpoint for tests. Its vectors
// are the same everywhere and every time, and are alike for texts that share words or
// the synonyms of its small table.
package embedtest

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/words"
)

// The models of an [Endpoint]. Any other is unknown.
const (
	Model = "hashed"    // 64 dimensions
	Small = "hashed-32" // 32 dimensions
)

// Endpoint answers POST /v1/embeddings. The zero value is ready, and it is safe for
// concurrent use. Its vectors are in reverse order: a client must go by their index.
type Endpoint struct {
	mu           sync.Mutex
	calls, texts int
	status       int
}

// Calls returns the number of requests so far, with those that failed on demand.
func (e *Endpoint) Calls() int { return e.read(&e.calls) }

// Texts returns the number of texts that were embedded so far.
func (e *Endpoint) Texts() int { return e.read(&e.texts) }

func (e *Endpoint) read(n *int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return *n
}

// Fail has every request fail with an HTTP status from now on; 0 ends that. The client
// is told not to retry.
func (e *Endpoint) Fail(status int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = status
}

// ServeHTTP answers a request.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	err := json.NewDecoder(r.Body).Decode(&asked)
	e.mu.Lock()
	e.calls++
	status := e.status
	dimensions := map[string]int{Model: 64, Small: 32}[asked.Model]
	switch {
	case status != 0:
	case r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || dimensions == 0:
		status = http.StatusNotFound
	case err != nil || len(asked.Input) == 0 || slices.Contains(asked.Input, ""):
		status = http.StatusBadRequest
	default:
		status = http.StatusOK
		e.texts += len(asked.Input)
	}
	e.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Should-Retry", "false")
	w.WriteHeader(status)
	if status == http.StatusOK {
		_ = json.NewEncoder(w).Encode(answer(asked.Input, dimensions)) // the client sees that it broke off
	}
}

func answer(texts []string, dimensions int) any {
	type vector struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []vector
	for i, text := range slices.Backward(texts) {
		data = append(data, vector{"embedding", i, Vector(text, dimensions)})
	}
	return map[string]any{"object": "list", "data": data}
}

// Vector returns the vector of a text: the sum of a direction for each of its words, of
// unit length. Stop words do not count, and synonyms have one direction.
func Vector(text string, dimensions int) []float32 {
	sum, square := make([]float64, dimensions), 0.0
	terms := words.ContentTerms(text)
	if len(terms) == 0 {
		terms = []string{""}
	}
	same := synonyms()
	for _, term := range terms {
		if first, ok := same[term]; ok {
			term = first
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(term)) // never fails
		direction := rand.New(rand.NewPCG(h.Sum64(), 0))
		for i := range sum {
			sum[i] += direction.NormFloat64()
		}
	}
	for _, x := range sum {
		square += x * x
	}
	v := make([]float32, dimensions)
	for i, x := range sum {
		v[i] = float32(x / math.Sqrt(square))
	}
	return v
}

// synonyms returns the first term of each group of synonyms by its other terms.
func synonyms() map[string]string {
	same := map[string]string{}
	for _, group := range []string{
		"car automobile vehicle", "database db postgres sql", "deploy release ship rollout", "doctor physician medic",
		"bug defect fault", "password passphrase credential", "meeting appointment conference", "money cash funds",
		"house home residence", "buy purchase acquire", "fast quick rapid", "error failure crash", "salary wage pay",
		"holiday vacation leave", "child kid", "begin start commence", "end finish conclude", "boss manager supervisor",
		"film movie", "photo picture image", "illness disease sickness", "job occupation profession", "lawyer attorney",
		"teacher instructor", "bicycle bike", "plane aircraft jet", "dog hound", "cat feline", "cost price expense",
	} {
		terms := words.Terms(strings.ReplaceAll(group, " ", "\n"))
		for _, term := range terms[1:] {
			same[term] = terms[0]
		}
	}
	return same
}
