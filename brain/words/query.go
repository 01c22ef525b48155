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

// Longest returns the query with only its n longest terms, in the order typed, and the
// first n terms of its phrases. The longest are usually the rarest; only the store knows how
// often each occurs.
func (q Query) Longest(n int) Query {
	if len(q.Terms) > n {
		q.Terms = firstBy(q.Terms, n, func(a, b string) int { return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a)) })
	}
	var phrases [][]string
	for _, p := range q.Phrases {
		if p = p[:min(len(p), n)]; len(p) > 0 {
			phrases = append(phrases, p)
			n -= len(p)
		}
	}
	q.Phrases = phrases
	return q
}

// firstBy returns the n terms that compare puts first, in the order of terms.
func firstBy(terms []string, n int, compare func(a, b string) int) []string {
	first := slices.SortedStableFunc(slices.Values(terms), compare)[:min(n, len(terms))]
	return slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return !slices.Contains(first, t) })
}

// Parse parses a query: words, and phrases in straight or curly double quotes or
// guillemets. Any string is a query. A quote that is not closed is ignored, as is
// one right after a digit (5" disk). Of a long text, only the longest words
// are searched for.
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
	q.Terms, q.Typed = searchTerms(&all), all.typed
	return q.Longest(maxTerms)
}

// maxTerms is the maximum number of terms of a query, and of terms in its phrases. A person
// types fewer; a pasted text has more, and its rare words are enough to find what it is about.
const maxTerms = 64

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
		return firstBy(terms, maxStopWords, compareCommonness)
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

// cutPhrase cuts text around its first quoted phrase. If there is none, before is
// text.
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
