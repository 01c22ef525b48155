package words

// Finder finds some terms in texts. It is faster than [Terms] because it stems only words
// that may have one of them.
type Finder struct {
	terms  map[string]int
	starts [256]bool // first bytes of the terms
}

// NewFinder returns a finder of terms.
func NewFinder(terms []string) *Finder {
	f := &Finder{terms: make(map[string]int, len(terms))}
	for i, t := range terms {
		f.terms[t] = i
		f.starts[t[0]] = true
	}
	return f
}

// Find calls found with the index and the place of each of the terms in a text, in order, and
// returns the number of places. Stop words have none, unless they are among the terms.
func (f *Finder) Find(text string, found func(term, place int)) (places int) {
	s := scanner{finder: f}
	s.each = func(term string, r role) {
		at, wanted := f.terms[term]
		if wanted {
			found(at, places)
		}
		if wanted || r != stopped {
			places++
		}
	}
	s.scan(text)
	return places
}

// mayHave reports whether a word may have one of the terms. Stemming keeps the first letter,
// other than of irregular forms.
func (f *Finder) mayHave(word string) bool {
	if f.starts[word[0]] {
		return true
	}
	_, irregularForm := irregular().stem(word)
	return irregularForm
}
