package words

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Query is a parsed query.
type Query struct {
	Text string // as typed
	// Terms are the distinct terms to search for, in the order typed, including
	// those of phrases. Stop and question words are left out; if there is nothing
	// else, the two of them that are least common in English are kept. Single
	// characters that are covered by pairs are left out too.
	Terms []string
	// Phrases are the terms of each quoted phrase, in order and with stop words.
	// They must occur next to each other. No two are the same.
	Phrases [][]string
	// Weights are those of the terms whose weight is not 1.
	Weights map[string]float64
	// Typed has the folded words of the terms that may have stand-ins.
	Typed map[string]string
	// Compounds are those of Terms that are a compound as one word.
	Compounds []string
}

// WithoutCompounds returns the query without the compounds that are not held by any text, such
// as darkmode for "dark-mode".
func (q Query) WithoutCompounds(held func(compound string) bool) Query {
	q.Terms = slices.DeleteFunc(slices.Clone(q.Terms), func(t string) bool { return slices.Contains(q.Compounds, t) && !held(t) })
	return q
}

// Weight returns the factor on the score of a term.
func (q Query) Weight(term string) float64 {
	if w, ok := q.Weights[term]; ok {
		return w
	}
	return 1
}

// Empty reports whether the query has no terms.
func (q Query) Empty() bool { return len(q.Terms) == 0 }

// Longest returns the n longest terms, in the order of terms. The longest are usually the
// rarest; only the store knows how often each occurs.
func Longest(terms []string, n int) []string {
	return firstBy(terms, n, func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a)) })
}

// firstBy returns the n terms that compare puts first, in the order of terms.
func firstBy(terms []string, n int, compare func(a, b string) int) []string {
	first := slices.SortedStableFunc(slices.Values(terms), compare)[:min(n, len(terms))]
	return slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return !slices.Contains(first, t) })
}

// Parse parses a query: words, and phrases in straight or curly double quotes or
// guillemets. Any string is a query. A quote that is not closed is ignored, as is
// one right after a digit (5" disk). Of more than 64 terms, the first 16 are
// searched for and the longest of the others.
func Parse(query string) Query {
	q := Query{Text: query}
	all := scanner{ranking: true, typed: map[string]string{}}
	for rest := query; rest != ""; {
		before, phrase, after := cutPhrase(rest)
		all.scan(before)
		start := len(all.terms)
		all.scan(phrase)
		found := all.terms[start:]
		repeated := slices.ContainsFunc(q.Phrases, func(p []string) bool { return slices.Equal(p, found) })
		if len(found) > 0 && !repeated {
			q.Phrases = append(q.Phrases, slices.Clone(found))
		}
		rest = after
	}
	terms := searchTerms(&all)
	for _, compound := range all.wholes {
		if !slices.Contains(terms, compound) {
			terms, q.Compounds = append(terms, compound), append(q.Compounds, compound)
		}
	}
	first := min(len(terms), maxFirst)
	q.Terms = slices.Concat(terms[:first], Longest(terms[first:], maxTerms-first))
	q.Phrases, q.Typed = firstTerms(q.Phrases, maxTerms), all.typed
	return q
}

const (
	// maxTerms is the maximum number of terms of a query, and of terms in its phrases. A
	// person types fewer; a pasted text has more, and its rare words are enough to find what
	// it is about.
	maxTerms = 64
	// maxFirst is the number of terms that are searched for whatever their length: those of
	// the question before a pasted text.
	maxFirst = 16
)

// firstTerms returns the phrases with only their first n terms.
func firstTerms(phrases [][]string, n int) (first [][]string) {
	for _, p := range phrases {
		if p = p[:min(len(p), n)]; len(p) > 0 {
			first = append(first, p)
			n -= len(p)
		}
	}
	return first
}

// maxStopWords is the number of terms of a query that has only stop words. Nearly every text
// has most of them, so more of them would take longer and say nothing.
const maxStopWords = 2

// searchTerms returns the distinct terms with the role searched; if there are none, the
// maxStopWords terms that are least common in English.
func searchTerms(s *scanner) []string {
	only := slices.Contains(s.roles, searched)
	var terms []string
	seen := make(map[string]struct{}, len(s.terms))
	for i, t := range s.terms {
		if _, twice := seen[t]; twice || only && s.roles[i] != searched {
			continue
		}
		seen[t] = struct{}{}
		terms = append(terms, t)
	}
	if !only {
		return firstBy(terms, maxStopWords, func(a, b string) int { return cmp.Compare(commonness(a), commonness(b)) })
	}
	return terms
}

// Asked returns the distinct terms of a text that are not stop words of English or German.
func Asked(text string) []string {
	s := scanner{ranking: true, typed: map[string]string{}}
	s.scan(text)
	if !slices.Contains(s.roles, searched) {
		return nil
	}
	return searchTerms(&s)
}

// cutPhrase cuts text around its first quoted phrase; before is text if there is none.
func cutPhrase(text string) (before, phrase, after string) {
	start := -1 // of the phrase
	for i, r := range text {
		switch {
		case !strings.ContainsRune("\"“”„‟«»＂", r):
		case start >= 0:
			return before, text[start:i], text[i+utf8.RuneLen(r):]
		case i == 0 || text[i-1] < '0' || text[i-1] > '9':
			before, start = text[:i], i+utf8.RuneLen(r)
		}
	}
	return text, "", ""
}
