package extract

import "strings"

const (
	letterClass = 1 << iota
	upperClass
	digitClass // digits and the underscore: signs of code
	highClass

	wordMultiplier = 0x9E3779B97F4A7C15
	minTopic       = 3
	knownBits      = 15
)

// byteClasses says for each byte what it is in a word, 0 outside of words.
func byteClasses() (table [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z':
			table[c] = letterClass
		case c >= 'A' && c <= 'Z':
			table[c] = letterClass | upperClass
		case c >= '0' && c <= '9', c == '_':
			table[c] = digitClass
		case c >= 0x80:
			table[c] = highClass
		}
	}
	return table
}

// hashWord hashes a word in lower case as scanner does, which sees the second
// half of a contraction without its apostrophe, and of "n't" the t.
func hashWord(word string) uint64 {
	var h uint64
	if word == "n't" {
		word = "t"
	}
	word = strings.TrimPrefix(word, "'")
	for i := range len(word) {
		h = (h ^ uint64(lowerByte(word[i]))) * wordMultiplier
	}
	return h
}

// hashPair is the hash of two neighbouring words.
func hashPair(a, b uint64) uint64 { return (a ^ b>>7) * wordMultiplier }

func lowerByte(c byte) byte {
	if c-'A' < 26 {
		return c | 0x20
	}
	return c
}

// known is what a word is known as: a trigger of patterns, a word that is no
// topic. Open addressing, never full: its words are a finite list.
type known struct {
	hashes [1 << knownBits]uint64
	flags  [1 << knownBits]uint8
	count  int
}

const (
	isTrigger     = 1 << iota // of a pattern for any speaker
	isUserTrigger             // of a pattern for the user only
	isCommon
)

func (k *known) mark(h uint64, flag uint8) {
	i := h >> (64 - knownBits)
	for k.hashes[i] != h && k.hashes[i] != 0 {
		i = (i + 1) & (1<<knownBits - 1)
	}
	if k.hashes[i] == 0 {
		k.count++
	}
	k.hashes[i] = h
	k.flags[i] |= flag
}

func (k *known) full() bool { return k.count > 1<<knownBits*3/4 }

func (k *known) flag(h uint64) uint8 {
	for i := h >> (64 - knownBits); k.hashes[i] != 0; i = (i + 1) & (1<<knownBits - 1) {
		if k.hashes[i] == h {
			return k.flags[i]
		}
	}
	return 0
}

// scanner passes over the words of paragraphs once: it finds triggers and
// counts topics.
type scanner struct {
	classes [256]uint8
	lower   [256]uint8
	known   known
	topics  *topics
	hits    []int // where triggers begin in the paragraph, ascending
}

func newScanner() *scanner {
	s := &scanner{classes: byteClasses(), topics: newTopics()}
	for c := range 256 {
		s.lower[c] = lowerByte(byte(c))
	}
	return s
}

// scan passes over one paragraph; afterwards hits are its triggers, of the
// kinds in wanted.
func (s *scanner) scan(p string, wanted uint8) {
	s.hits = s.hits[:0]
	previous := uint64(0)
	for i := 0; i < len(p); {
		if s.classes[p[i]] == 0 {
			i++
			continue
		}
		start, h, seen, upper := i, uint64(0), uint8(0), 0
		for i < len(p) {
			c := p[i]
			class := s.classes[c]
			if class == 0 || c == 0xE2 && i+1 < len(p) && p[i+1] == 0x80 {
				break
			}
			seen |= class
			upper += int(class >> 1 & 1)
			h = (h ^ uint64(s.lower[c])) * wordMultiplier
			i++
		}
		if i == start { // general punctuation: dashes, curly quotes
			i = min(i+3, len(p))
			continue
		}
		flag := s.known.flag(h)
		if (flag|s.known.flag(hashPair(previous, h)))&wanted != 0 {
			s.hits = append(s.hits, start)
		}
		previous = h
		if flag&isCommon == 0 && seen&digitClass == 0 && i-start >= minTopic && i-start <= topicLen {
			s.topic(p, start, i, h, upper)
		}
	}
}

// topic counts the word p[lo:hi] unless it is code or common.
func (s *scanner) topic(p string, lo, hi int, h uint64, upper int) {
	if upper > 0 && (s.classes[p[lo]]&upperClass == 0 || upper > 1 && upper < hi-lo) {
		return // camelCase and the like
	}
	if hi-lo == minTopic && upper == 0 || codeBefore(p, lo) || codeAfter(p, hi) || inMarker(p, lo) {
		return
	}
	word := p[lo:hi]
	if !s.topics.has(h) && !s.known.full() && common(lowerASCII(word)) {
		s.known.mark(h, isCommon)
		return
	}
	s.topics.add(h, word, upper > 0 && insideSentence(p, lo))
}

func codeBefore(p string, lo int) bool {
	if lo == 0 {
		return false
	}
	switch p[lo-1] {
	case '/', '\\', '.', '=', '<', '$', '#', '@', '{', '[', '`', '&', '-', '%':
		return true
	}
	return false
}

func codeAfter(p string, hi int) bool {
	if hi == len(p) {
		return false
	}
	switch p[hi] {
	case '/', '\\', '(', '=', '>', '{', '[', '@', '`', '$':
		return true
	case '.', ':':
		return hi+1 < len(p) && p[hi+1] > ' '
	}
	return false
}

const (
	// markerOpening begins the marker that stands for a secret, which names the
	// kind of it: "[redacted: github token]".
	markerOpening = "[redacted: "
	longestMarker = len(markerOpening) + 40
)

// inMarker reports whether a word at lo stands in such a marker: nobody said it.
func inMarker(p string, lo int) bool {
	before := p[max(0, lo-longestMarker):lo]
	at := strings.LastIndexByte(before, '[')
	return at >= 0 && strings.HasPrefix(before[at:], markerOpening) && strings.IndexByte(before[at:], ']') < 0
}

// insideSentence reports whether a capital at lo is one of a name, rather than
// of the first word.
func insideSentence(p string, lo int) bool {
	if lo < 2 || p[lo-1] != ' ' {
		return false
	}
	c := p[lo-2]
	return c == ',' || c >= 0x80 || c|0x20-'a' < 26 || c-'0' < 10
}
