package brain

import "math"

// Vector is the meaning of a text as an embedding model sees it.
type Vector struct {
	Model  string    // of the endpoint; vectors of two models cannot be compared
	Values []float32 // of unit length
}

// Embedded is a text with the values of its vector.
type Embedded struct {
	Passage

	Values []float32 // of unit length, or none
}

// Nearest has the texts whose vectors are the most like another one.
type Nearest struct {
	Hits []Hit // the score is the cosine, between -1 and 1; ties by id
	// Spread is that of the cosines of all texts with a vector; where not all are read, of
	// a sample of at least [SampledVectors].
	Spread Spread
}

// Spread is how values are spread.
type Spread struct{ Mean, Deviation float64 }

// SampledVectors is the number of vectors of each kind of text from which a store
// estimates how cosines are spread.
const SampledVectors = 500

// VectorCounts are the numbers of texts for which a model was asked, and that still wait.
type VectorCounts struct{ With, Without int }

// VectorReader compares texts by their vectors. Only texts that a search covers have one,
// and no transcript. A text that changes loses its vector.
type VectorReader interface {
	// VectorModel returns the model of which the brain has vectors, "" for none; while one
	// replaces another, either of them.
	VectorModel() (string, error)

	// VectorCounts counts the texts for which a model was asked, and those that still wait.
	// Its cost grows with them by some nanoseconds each.
	VectorCounts(model string) (VectorCounts, error)

	// Unembedded returns texts without a vector of a model, at most limit, in no order. Its
	// cost grows with the result.
	Unembedded(model string, limit int) ([]Passage, error)

	// Nearest returns the texts that pass the filter of q, whose words and instant have no
	// meaning here, with the largest cosines, at most its limit. Above 2,000 texts
	// SQLite compares one bit of each dimension first, and then the best 1,000 exactly;
	// Neo4j has an approximate index. Without vectors of the model it finds nothing.
	Nearest(v Vector, q SearchQuery) (Nearest, error)

	// Cosines returns the cosines of texts by id, without those that have no vector of the
	// model.
	Cosines(v Vector, ids ...string) (map[string]float64, error)
}

// VectorWriter writes vectors.
type VectorWriter interface {
	// PutVectors stores the vectors of texts that [VectorReader.Unembedded] returned. A text
	// that has changed since then, or is gone, is left out. One without values is a text
	// that the model does not take: it has no vector, and is not returned again. Vectors of
	// another model are replaced. All vectors of a model have the same dimension: another
	// one is ErrInvalid.
	PutVectors(model string, es ...Embedded) error
}

// SpreadOf returns the mean and the standard deviation of values, 0 without any.
func SpreadOf(values []float64) (s Spread) {
	n := float64(max(1, len(values)))
	for _, v := range values {
		s.Mean += v / n
	}
	square := 0.0
	for _, v := range values {
		square += (v - s.Mean) * (v - s.Mean) / n
	}
	s.Deviation = math.Sqrt(square)
	return s
}
