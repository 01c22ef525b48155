package words

import (
	"strings"
	"sync/atomic"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// longestStemmed is the longest word that is stemmed, in letters.
const longestStemmed = 32

// stemSlots is the number of stems that are cached, a power of two. A collection of
// notes has a few thousand words that change when stemmed.
const stemSlots = 1 << 12

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
	if len(w) < 3 || len(w) > longestStemmed || unchanging(w) || !letters(w) {
		return w
	}
	at := &stems[slot(w)]
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

// slot returns the place of w in the cache, by its FNV-1a hash.
func slot(w string) uint32 {
	hash := uint32(2166136261)
	for i := range len(w) {
		hash = (hash ^ uint32(w[i])) * 16777619
	}
	return (hash ^ hash>>16) % stemSlots
}

// unchanging reports whether no step of Porter2 changes w, because no suffix that it
// knows has the last letters of w.
func unchanging(w string) bool {
	switch last := w[len(w)-1]; last {
	case 's', 'y', 'e', 'l', 'i':
		return false
	case 'd', 'r', 'n', 'g', 't', 'm', 'c':
		return !suffixed(w[len(w)-2], last)
	}
	return true
}

// suffixed reports whether a suffix of Porter2 ends in the two letters: -ed, -er and
// -or (ator), -ion, -ing, -nt (ant, ent, ment), -ism, -ic.
func suffixed(before, last byte) bool {
	switch last {
	case 'd':
		return before == 'e'
	case 'r':
		return before == 'e' || before == 'o'
	case 'n':
		return before == 'o'
	case 'g', 't':
		return before == 'n'
	case 'm':
		return before == 's'
	}
	return before == 'i'
}
