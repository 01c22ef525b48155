package words

import (
	"strings"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// longestStemmed bounds what is taken for an English word, in letters.
const longestStemmed = 32

// stemSlots is the number of stems remembered, a power of two. A note store
// uses a few thousand different words that change when stemmed.
const stemSlots = 1 << 12

// stemmed is one remembered stem.
type stemmed struct{ word, stem string }

// stems remembers stems by a hash of the word; a word in a taken slot replaces
// the one before it. The Porter2 library takes about a microsecond a word, the
// look-up some ten nanoseconds. It holds only what the library answers, so
// what it returns never depends on it. Zeroed memory: it costs nothing at
// start.
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
	known := &stemmed{word: strings.Clone(w), stem: english.Stem(w, true)}
	at.Store(known)
	return known.stem
}

func letters(w string) bool {
	for i := range len(w) {
		if !letter(w[i]) {
			return false
		}
	}
	return true
}

// slot returns the place of w among the remembered stems, by its FNV-1a hash.
func slot(w string) uint32 {
	hash := uint32(2166136261)
	for i := range len(w) {
		hash = (hash ^ uint32(w[i])) * 16777619
	}
	return (hash ^ hash>>16) % stemSlots
}

// unchanging holds for words that no step of Porter2 changes, told by their
// last letters: every suffix it knows ends differently.
func unchanging(w string) bool {
	switch last := w[len(w)-1]; last {
	case 's', 'y', 'e', 'l', 'i':
		return false
	case 'd', 'r', 'n', 'g', 't', 'm', 'c':
		return !suffixed(w[len(w)-2], last)
	}
	return true
}

// suffixed holds for the last two letters of suffixes of Porter2: -ed, -er and
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
