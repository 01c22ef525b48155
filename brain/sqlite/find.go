package sqlite

import (
	"cmp"
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
)

// maxTerms limits a query to its rarest words. The mask of a posting has two bits
// for each.
const maxTerms = 32

// findingTerms returns the words that find docs: those of the query, or if it has
// phrases only, the words of these.
func findingTerms(q words.Query) []string {
	terms := q.Terms
	if len(terms) == 0 {
		terms = slices.Concat(q.Phrases...)
	}
	return slices.Compact(slices.Sorted(slices.Values(terms)))
}

// posting is a list of docs, highest number first, that contain the terms of mask:
// bit i for term i anywhere, bit maxTerms+i for term i in the name.
type posting struct {
	docs []int64
	mask uint64
}

// term is a word of the query with its docs in the index.
type term struct {
	word  string
	hash  uint32
	df    float64   // number of docs with it; estimated for a frequent one
	lists [][]int64 // its newest docs in each table
	whole bool      // lists has all of them
}

// finder reads the lists of docs that a query finds.
type finder struct {
	t         *tx
	e         effort
	tables    []string
	phrases   string // " AND ..." for the match
	low, high int64  // rowids of this part
	next      int64  // first unused rowid
	docs      float64
	average   float64 // terms in a doc
	terms     []term  // rarest first
	share     float64 // of the weight of all terms that a doc must have
	first     int     // how many docs of a word are read to see how frequent it is
	finding   int     // how many of the terms find docs; the others only score
	truncated bool    // some list was not read completely
}

func (t *tx) newFinder(q brain.SearchQuery, terms []string, times int) (*finder, error) {
	tables := []string{"current_fts"}
	switch {
	case q.Transcripts:
		tables = []string{"talk_fts"}
	case !q.AsOf.IsZero():
		tables = append(tables, "past_fts")
	}
	no := t.partOf(q.Transcripts)
	f := &finder{t: t, tables: tables, share: q.Share, low: no << partBits, high: (no+1)<<partBits - 1}
	for _, p := range q.Words.Phrases {
		f.phrases += " AND " + quoted(strings.Join(p, " "))
	}
	if err := f.size(no); err != nil {
		return nil, err
	}
	f.e = effortFor(f.docs, times)
	if f.first = f.e.candidates; f.share > 0 {
		f.first = f.e.postings // each word is read to that number in any case
	}
	if err := f.probeAll(terms, q.Words.Phrases); err != nil {
		return nil, err
	}
	slices.SortStableFunc(f.terms, func(a, b term) int { return cmp.Compare(a.df, b.df) })
	f.terms = f.terms[:min(len(f.terms), maxTerms)]
	return f, nil
}

// quoted returns a phrase of FTS5, in which no character is an operator.
func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// size reads the size of this part of the index.
func (f *finder) size(no int64) error {
	var count int64
	err := f.t.one(brief(f.t.ctx), `SELECT ifnull(max(next), 1), ifnull(max(docs), 0), ifnull(max(terms), 0) FROM part WHERE part = ?`,
		[]any{no}, &count, &f.docs, &f.average)
	f.next = f.low + count
	f.docs = max(f.docs, 1)
	f.average = max(f.average/f.docs, 1)
	return err
}

// probeAll probes the words that find docs. All words inside phrases are in the
// same docs, those with the phrases, so only the first of them is probed.
func (f *finder) probeAll(terms []string, phrases [][]string) error {
	inside := map[string]bool{}
	for _, w := range slices.Concat(phrases...) {
		inside[w] = true
	}
	shared := -1 // of f.terms, the first word of a phrase
	for _, w := range terms {
		if inside[w] && shared >= 0 {
			same := f.terms[shared]
			same.word, same.hash, same.lists = w, hash(w), slices.Clone(same.lists)
			f.terms = append(f.terms, same)
			continue
		}
		before := len(f.terms)
		if err := f.probe(w); err != nil {
			return err
		}
		if inside[w] && len(f.terms) == before {
			f.terms = nil // no doc has the phrases
			return nil
		}
		if inside[w] {
			shared = before
		}
	}
	return nil
}

// probe reads the newest docs of a word, or all docs of a rare one.
func (f *finder) probe(word string) error {
	n := term{word: word, hash: hash(word), whole: true}
	for _, table := range f.tables {
		docs, err := f.read(table, quoted(word)+f.phrases, f.first)
		if err != nil {
			return err
		}
		if len(docs) < f.first {
			n.df += float64(len(docs))
		} else {
			n.whole = false
			n.df += f.estimate(docs)
		}
		n.lists = append(n.lists, docs)
	}
	if n.df > 0 {
		f.terms = append(f.terms, n)
	}
	return nil
}

// estimate estimates the frequency of a word from the density of its newest docs.
func (f *finder) estimate(newest []int64) float64 {
	span := float64(f.next - newest[len(newest)-1])
	whole := float64(f.next - f.low)
	return min(max(float64(len(newest))*whole/span, float64(len(newest))), max(f.docs, float64(len(newest))))
}

// matchQuery aggregates the newest rowids of a match into one row, which takes a
// tenth of the time of a row each; short numbers take half the time of long ones.
func matchQuery(table string) string {
	return `SELECT group_concat(n) FROM (SELECT rowid - ?2 AS n FROM ` + table + `
		WHERE ` + table + ` MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid DESC LIMIT +?4)`
}

func (f *finder) read(table, match string, limit int) (docs []int64, err error) {
	ctx := f.t.ctx
	if !f.e.long && !strings.Contains(match, " ") { // one word: it ends at the limit
		ctx = brief(ctx)
	}
	dest := func(joined *sql.RawBytes) []any { return []any{joined} }
	err = scan(ctx, f.t, dest, matchQuery(table), []any{match, f.low, f.high, limit}, func(joined sql.RawBytes) error {
		docs = numbers(joined, f.low)
		return nil
	})
	return docs, err
}

// numbers parses the result of group_concat and adds base to each number.
func numbers(joined []byte, base int64) []int64 {
	if len(joined) == 0 {
		return nil
	}
	out := make([]int64, 0, len(joined)/5+1)
	var n int64
	for _, c := range joined {
		if c == ',' {
			out = append(out, base+n)
			n = 0
			continue
		}
		n = n*10 + int64(c-'0')
	}
	return append(out, base+n)
}

// lists reads the docs of the words that find docs: all words but the frequent
// ones. If fewer than two are left, frequent words are used too, each with its
// newest docs and those that have it in the name or together with other words.
func (f *finder) lists() ([]posting, error) {
	var out []posting
	total := 0
	f.finding = 0
	for i := range f.terms {
		n := &f.terms[i]
		frequent := n.df > float64(f.e.postings) || total > f.e.total
		if frequent && i >= 2 {
			break
		}
		if err := f.complete(n, frequent); err != nil {
			return nil, err
		}
		for _, docs := range n.lists {
			out = append(out, posting{docs: docs, mask: 1 << i})
			total += len(docs)
		}
		f.finding++
	}
	if f.truncated || f.share == 0 && total > f.e.candidates {
		return f.withSpecial(out)
	}
	return out, nil
}

// complete reads the rest of a word's docs, unless it is too frequent.
func (f *finder) complete(n *term, frequent bool) error {
	if n.whole {
		return nil
	}
	if frequent {
		f.truncated = true
		return nil
	}
	for i, table := range f.tables {
		if len(n.lists[i]) < f.first {
			continue
		}
		docs, err := f.read(table, quoted(n.word)+f.phrases, f.e.postings)
		if err != nil {
			return err
		}
		n.lists[i] = docs
		f.truncated = f.truncated || len(docs) == f.e.postings
	}
	return nil
}

// withSpecial adds the docs that are probably the best when not all can be read
// and scored: those with a word in the name, and those with several frequent words.
func (f *finder) withSpecial(out []posting) ([]posting, error) {
	type special struct {
		match string
		mask  uint64
	}
	var all []special
	for i, n := range f.terms[:min(f.finding, 3)] {
		all = append(all, special{"name : " + quoted(n.word), 1<<i | 1<<(maxTerms+i)})
	}
	if f.truncated && len(f.terms) > 1 {
		all = append(all, special{f.together(2), 3})
	}
	if f.truncated && len(f.terms) > 2 {
		all = append(all, special{f.together(len(f.terms)), 1<<len(f.terms) - 1})
	}
	for _, s := range all {
		for _, table := range f.tables {
			docs, err := f.read(table, s.match+f.phrases, f.e.candidates)
			if err != nil {
				return nil, err
			}
			out = append(out, posting{docs: docs, mask: s.mask})
		}
	}
	return out, nil
}

// together returns the match for docs with all of the n rarest words.
func (f *finder) together(n int) string {
	every := make([]string, n)
	for i := range every {
		every[i] = quoted(f.terms[i].word)
	}
	return strings.Join(every, " AND ")
}

// weights returns the weights of the bits of a mask: the inverse document frequency
// of each term as in Lucene's BM25, always above 0, and a third of it for a term in
// the name, about the difference that a count of 2 makes in BM25.
func (f *finder) weights() []float64 {
	out := make([]float64, 2*maxTerms)
	for i, n := range f.terms {
		docs := max(f.docs, n.df)
		out[i] = math.Log(1 + (docs-n.df+0.5)/(n.df+0.5))
		out[maxTerms+i] = out[i] / 3
	}
	return out
}

// leastWeight returns the weight that the finding terms of a wanted doc must have,
// assuming that it has all other terms.
func (f *finder) leastWeight() float64 {
	all, others := 0.0, 0.0
	for i, w := range f.weights()[:len(f.terms)] {
		all += w
		if i >= f.finding {
			others += w
		}
	}
	return f.share*all - others
}

// Parameters of BM25, the usual ones.
const (
	bm25K = 1.2
	bm25B = 0.75
)

const countsQuery = `SELECT d.doc, d.section, d.size, d.counts
	FROM json_each(?) j CROSS JOIN doc d ON d.doc = j.value`

// score ranks docs by BM25 over all terms, best first, ties by highest number.
func (t *tx) score(docs []int64, f *finder) ([]scoredDoc, error) {
	ctx := t.ctx
	if !f.e.long {
		ctx = brief(ctx)
	}
	type candidate struct {
		scoredDoc
		size   float64
		counts sql.RawBytes
	}
	dest := func(c *candidate) []any { return []any{&c.doc, &c.section, &c.size, &c.counts} }
	weights := f.weights()
	out := make([]scoredDoc, 0, len(docs))
	err := scan(ctx, t, dest, countsQuery, []any{distinctJSON(docs)}, func(c candidate) error {
		norm := bm25K * (1 - bm25B + bm25B*c.size/f.average)
		for i := range f.terms {
			if tf := float64(count(c.counts, f.terms[i].hash)); tf > 0 {
				c.score += weights[i] * tf * (bm25K + 1) / (tf + norm)
			}
		}
		out = append(out, c.scoredDoc)
		return nil
	})
	slices.SortFunc(out, func(a, b scoredDoc) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.doc, a.doc))
	})
	return out, err
}
