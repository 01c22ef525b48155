package brain

import "math"

// Vector is the embedding of a text.
type Vector struct {
	Model  string    // the model that made it; vectors of different models cannot be compared
	Values []float32 // of unit length
}

// Embedded is a text with its vector.
type Embedded struct {
	Passage

	Values []float32 // of unit length, or none
}

// Nearest is the result of a search by vector.
type Nearest struct {
	Hits []Hit // the score is the cosine, between -1 and 1; ties by id
	// Spread is the spread of the cosines of all texts with a vector, or of a sample of at
	// least [SampledVectors] if the store does not read all.
	Spread Spread
}

// Spread is the mean and the standard deviation of values.
type Spread struct{ Mean, Deviation float64 }

// SampledVectors is the number of vectors of each kind of text from which a store may
// estimate the spread of cosines.
const SampledVectors = 500

// Vectors says which texts of a brain have a vector.
type Vectors struct {
	Model string // whose vectors the brain has, "" for none; either of two while one replaces another
	// With is the number of texts that the model asked for has processed, Without that of those
	// that it has yet to process.
	With, Without int
}

// VectorReader compares texts by their vectors. Only texts that a search covers have a
// vector; transcripts have none. A text that changes loses its vector.
type VectorReader interface {
	// Vectors says which texts a model has processed. It takes some nanoseconds per text; with ""
	// it counts none, and only the name of the stored model is set.
	Vectors(model string) (Vectors, error)

	// Unembedded returns up to limit texts without a vector of a model, in no order. It
	// takes some nanoseconds per text.
	Unembedded(model string, limit int) ([]Passage, error)

	// Nearest returns the texts with the largest cosines that match the filters and the
	// limit of q. It ignores the words and the instant of q. Above 2,000 texts, SQLite
	// compares one bit of each dimension first, and then the best 500 exactly; above 2,000
	// that match, Neo4j uses an approximate index, of at most 2,000
	// texts of all brains. Without vectors of the model it finds nothing.
	Nearest(v Vector, q SearchQuery) (Nearest, error)

	// Cosines returns the cosines of texts by id. Texts without a vector of the model are
	// left out.
	Cosines(v Vector, ids ...string) (map[string]float64, error)
}

// VectorWriter writes vectors.
type VectorWriter interface {
	// PutVectors stores the vectors of texts that [VectorReader.Unembedded] returned. It
	// ignores texts that have changed or were deleted since then. No values mean that the
	// model refused the text; Unembedded does not return it again. Vectors of another model
	// are replaced. All vectors of a model have the same dimension; a vector of another one
	// is [ErrInvalid].
	PutVectors(model string, es ...Embedded) error
}

// NewSpread returns the spread of n cosines with a mean and a deviation. Fewer than 20 say little;
// then it is that of unrelated sentences in the model all-MiniLM-L6-v2.
func NewSpread(n int, mean, deviation float64) Spread {
	if n < 20 {
		return Spread{Mean: 0.06, Deviation: 0.1}
	}
	return Spread{Mean: mean, Deviation: deviation}
}

// SpreadOf returns the spread of cosines.
func SpreadOf(cosines []float64) Spread {
	n, mean, square := float64(max(1, len(cosines))), 0.0, 0.0
	for _, c := range cosines {
		mean += c / n
	}
	for _, c := range cosines {
		square += (c - mean) * (c - mean) / n
	}
	return NewSpread(len(cosines), mean, math.Sqrt(square))
}
