package minilm

import (
	"math/rand/v2"

	"pgregory.net/rapid"
)

type random struct{ *rand.Rand }

func newRandom(t *rapid.T) random {
	return random{rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
}

func (r random) floats(n int) []float32 {
	numbers := make([]float32, n)
	for i := range numbers {
		numbers[i] = float32(r.NormFloat64())
	}
	return numbers
}
