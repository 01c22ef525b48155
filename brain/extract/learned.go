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

// wordWeights returns by how much a word, or a pair of neighbouring words, raises the
// log-odds that a sentence is worth keeping; see BenchmarkFit.
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

// wordFeatures yields the words of a sentence and its pairs of neighbours, each until the next
// one. All numbers count as one word, and so do all names and all code.
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

// generic returns the word of a token: one for all numbers, names and code, else its own.
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
