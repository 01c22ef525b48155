package words

import (
	"strings"
	"sync/atomic"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/zeebo/xxh3"
)

// longestStemmed is the longest word that is stemmed, in letters.
const longestStemmed = 32

// stemSlots is the number of stems that are cached, a power of two. A collection of
// notes has some ten thousand words.
const stemSlots = 1 << 14

// stemmed is a cached stem.
type stemmed struct{ word, stem string }

// stems caches stems by a hash of the word; a word in a taken slot replaces the
// one before. The Porter2 library takes half a microsecond a word, the cache some
// ten nanoseconds. The cache never changes an answer, and as zeroed memory it costs
// nothing at start.
var stems [stemSlots]atomic.Pointer[stemmed]

// stem returns the Porter2 stem of a folded word, or the word itself if it is
// not made of the letters a to z alone.
func stem(w string) string {
	if len(w) < 3 || len(w) > longestStemmed || !letters(w) {
		return w
	}
	at := &stems[xxh3.HashString(w)%stemSlots]
	if known := at.Load(); known != nil && known.word == w {
		return known.stem
	}
	known := &stemmed{word: strings.Clone(w), stem: porter2(w)}
	at.Store(known)
	return known.stem
}

func porter2(w string) string {
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}

func letters(w string) bool {
	for i := range len(w) {
		if !letter(w[i]) {
			return false
		}
	}
	return true
}
