package extract

import (
	_ "embed"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
)

//go:embed words.tsv
var wordText string

// wordWeights has the log-odds that a word, or two neighbours, add to a sentence of the
// user being worth keeping; see BenchmarkFit.
var wordWeights = sync.OnceValue(func() map[string]float64 {
	weights := map[string]float64{}
	for line := range strings.Lines(wordText) {
		word, weight, _ := strings.Cut(strings.TrimSpace(line), "\t")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			panic(fmt.Errorf("read the weight of %q: %w", word, err)) // our own file
		}
		weights[word] = w
	}
	return weights
})

// wordFeatures yields the words of a sentence, and each two neighbours. A number stands for
// all, and so does a name. What it yields is valid until the next.
func wordFeatures(tokens []token) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		buf := make([]byte, 0, 64)
		buf = append(buf, '^')
		for i, t := range tokens {
			begin := len(buf) + 1
			buf = append(append(buf, ' '), generic(t, i)...)
			if !yield(buf) || !yield(buf[begin:]) {
				return
			}
			buf = append(buf[:0], buf[begin:]...)
		}
		yield(append(buf, " $"...))
	}
}

// generic returns a word, or what stands for it and its like.
func generic(t token, at int) string {
	switch {
	case t.code:
		return "CODE"
	case t.digit:
		return "N"
	case t.name && at > 0:
		return "NAME"
	}
	return t.word
}
