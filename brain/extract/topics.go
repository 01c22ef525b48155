package extract

import (
	"cmp"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	topicSets = 4096
	topicWays = 4
	topicLen  = 26
	// nameWeight is what a name counts for against a common word: a person or
	// product that is named twice is news, a word said twice is not.
	nameWeight = 4
)

// topics counts terms in a table of fixed size. Where a set is full, a new
// term takes one from the count of the weakest and replaces it at zero
// (Misra and Gries, by sets), so that frequent terms stay.
type topics struct {
	sets []topicSet
}

type topicSet [topicWays]topic

type topic struct {
	hash  uint64
	count uint32
	names uint32 // how often it stood capitalised inside a sentence
	size  uint8
	word  [topicLen]byte
}

func newTopics() *topics { return &topics{sets: make([]topicSet, topicSets)} }

// add counts a word of at most topicLen bytes.
func (t *topics) add(hash uint64, word string, name bool) {
	set := &t.sets[hash>>(64-bits.Len(topicSets-1))]
	weakest := &set[0]
	for i := range set {
		e := &set[i]
		if e.hash == hash {
			e.seen(name)
			return
		}
		if e.count < weakest.count {
			weakest = e
		}
	}
	if weakest.count > 1 {
		weakest.count--
		return
	}
	*weakest = topic{hash: hash, size: uint8(len(word))}
	copy(weakest.word[:], word)
	weakest.seen(name)
}

func (e *topic) seen(name bool) {
	e.count++
	if name {
		e.names++
	}
}

// term is a topic with all its word forms counted together.
type term struct {
	word   string
	top    uint32 // count of the form that stands for it
	weight uint64
}

// top returns the n heaviest topics that mentioned does not hold, heaviest
// first. A topic is worth its count; a name more.
func (t *topics) top(n int, mentioned map[string]bool) []string {
	byStem := map[string]*term{}
	for i := range t.sets {
		for _, e := range t.sets[i] {
			if e.count > 0 {
				e.collect(byStem, mentioned)
			}
		}
	}
	terms := make([]*term, 0, len(byStem))
	for _, one := range byStem {
		terms = append(terms, one)
	}
	slices.SortFunc(terms, func(a, b *term) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word))
	})
	list := make([]string, 0, n)
	for _, one := range terms[:min(n, len(terms))] {
		list = append(list, one.word)
	}
	return list
}

func (e *topic) collect(byStem map[string]*term, mentioned map[string]bool) {
	word := string(e.word[:e.size])
	stems := words.Terms(word)
	first, _ := utf8.DecodeRuneInString(word)
	if len(stems) == 0 || mentioned[stems[0]] || !unicode.IsLetter(first) {
		return
	}
	weight := uint64(e.count)
	if e.names*2 >= e.count {
		weight *= nameWeight
	} else {
		word = lowerASCII(word)
	}
	one := byStem[stems[0]]
	if one == nil {
		one = &term{}
		byStem[stems[0]] = one
	}
	one.weight += weight
	if e.count > one.top || e.count == one.top && word < one.word {
		one.word, one.top = word, e.count
	}
}

func (t *topics) has(hash uint64) bool {
	set := &t.sets[hash>>(64-bits.Len(topicSets-1))]
	for i := range set {
		if set[i].hash == hash {
			return true
		}
	}
	return false
}
