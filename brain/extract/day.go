package extract

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
)

// maxUncovered is how many topics a coverage names.
const maxUncovered = 20

// Coverage counts the results of a day's chunks.
// Chunks = Yielding + Nothings + Failures.
type Coverage struct {
	Chunks    int
	Yielding  int // chunks with at least one item
	Nothings  int // chunks read, with nothing to keep
	Failures  int // chunks that could not be read
	Items     int
	Uncovered []string // topics that no item mentions, weightiest first, at most 20
}

// Day is the extraction of a day, or of any stream of chunks. Each chunk goes
// through Extract, or through Listen and Record if something else extracts.
// It holds a table of fixed size and the words that items mention. Not safe
// for concurrent use.
type Day struct {
	scanner   *scanner
	patterns  []Pattern
	triggers  map[uint64][]int // hash of a word or pair to patterns, in order of priority
	slow      []int            // patterns that every sentence is tried with
	mentioned map[string]bool
	coverage  Coverage

	masked []byte
	tokens []token
	tried  []int
}

// NewDay makes a day that knows these patterns, of which earlier types of
// Types go first, then earlier patterns.
func NewDay(patterns []Pattern) *Day {
	d := &Day{
		scanner: newScanner(), patterns: slices.Clone(patterns),
		triggers: map[uint64][]int{}, mentioned: map[string]bool{},
	}
	slices.SortStableFunc(d.patterns, func(a, b Pattern) int { return a.typ.rank() - b.typ.rank() })
	for i, p := range d.patterns {
		if p.regex != nil {
			d.slow = append(d.slow, i)
			continue
		}
		for _, h := range p.hashes() {
			d.triggers[h] = append(d.triggers[h], i)
			d.scanner.known.mark(h, p.audience())
		}
	}
	return d
}

// Extract finds the items of a chunk by patterns, in the order in which they
// were said, and records it. An empty answer is an explicit nothing.
func (d *Day) Extract(c Chunk) []Item {
	var items []Item
	for _, t := range c.Turns {
		if t.Speaker != Tool {
			items = d.turn(items, t)
		}
	}
	d.Record(items, nil)
	return items
}

// Listen counts the topics of a chunk that something else extracts. Follow it
// with Record.
func (d *Day) Listen(c Chunk) {
	for _, t := range c.Turns {
		if t.Speaker == Tool {
			continue
		}
		p := paragraphs{text: t.Text, fence: t.open}
		for lo, hi, ok := p.next(); ok; lo, hi, ok = p.next() {
			d.scanner.scan(t.Text[lo:hi], 0)
		}
	}
}

// Record counts a chunk with its items, none meaning nothing to keep, or as
// failed if err is not nil.
func (d *Day) Record(items []Item, err error) {
	d.coverage.Chunks++
	switch {
	case err != nil:
		d.coverage.Failures++
		return
	case len(items) == 0:
		d.coverage.Nothings++
	default:
		d.coverage.Yielding++
	}
	d.coverage.Items += len(items)
	for _, item := range items {
		d.mention(item.Text)
		if !strings.Contains(item.Text, item.Quote) {
			d.mention(item.Quote)
		}
		if !strings.Contains(item.Text, strings.TrimSuffix(item.Title, plaintext.Ellipsis)) {
			d.mention(item.Title)
		}
	}
}

func (d *Day) mention(text string) {
	for _, stem := range words.Terms(text) {
		if !d.mentioned[stem] {
			d.mentioned[strings.Clone(stem)] = true
		}
	}
}

// Coverage is the report so far.
func (d *Day) Coverage() Coverage {
	c := d.coverage
	c.Uncovered = d.scanner.topics.top(maxUncovered, d.mentioned)
	return c
}

func (d *Day) turn(items []Item, t Turn) []Item {
	first, wanted := len(items), uint8(isTrigger)
	if t.Speaker == User {
		wanted |= isUserTrigger
	}
	p := paragraphs{text: t.Text, fence: t.open}
	for lo, hi, ok := p.next(); ok; lo, hi, ok = p.next() {
		paragraph := t.Text[lo:hi]
		d.scanner.scan(paragraph, wanted)
		if len(d.scanner.hits) > 0 || len(d.slow) > 0 {
			items = d.paragraph(items, first, t, paragraph)
		}
	}
	return items
}

func (d *Day) paragraph(items []Item, first int, t Turn, paragraph string) []Item {
	d.masked = mask(d.masked, paragraph)
	eachSentence(d.masked, func(lo, hi int) {
		if !d.hit(lo, hi) {
			return
		}
		lo, hi = trim(d.masked, lo, hi)
		quote := paragraph[lo:hi]
		typ, ok := d.classify(string(d.masked[lo:hi]), quote, t.Speaker)
		if !ok {
			return
		}
		if slices.ContainsFunc(items[first:], func(i Item) bool { return i.Quote == quote }) {
			return
		}
		items = append(items, Item{
			Type: typ, Title: Title(quote), Text: context(paragraph, lo, hi), Quote: quote,
			At: t.At, Session: t.Session, Speaker: t.Speaker, Ref: t.Ref,
		})
	})
	return items
}

// hit reports whether a trigger stands in [lo, hi), or all are to be tried.
func (d *Day) hit(lo, hi int) bool {
	if len(d.slow) > 0 {
		return true
	}
	at, _ := slices.BinarySearch(d.scanner.hits, lo)
	return at < len(d.scanner.hits) && d.scanner.hits[at] < hi
}

// context is the paragraph of a quote on one line, or the quote alone if the
// paragraph is long.
func context(paragraph string, lo, hi int) string {
	if len(paragraph) > maxContext {
		paragraph = paragraph[lo:hi]
	}
	return plaintext.OneLine(paragraph)
}

// classify tries the patterns whose triggers the sentence holds. Phrases see
// it masked, regular expressions as it was said.
func (d *Day) classify(sentence, raw string, speaker Speaker) (Type, bool) {
	s := saying{text: sentence, raw: raw, speaker: speaker, asks: strings.HasSuffix(strings.TrimRight(sentence, " )\"*"), "?")}
	d.tokens = tokenise(d.tokens[:0], sentence, lowerASCII(sentence), 0)
	s.tokens = d.tokens
	s.start = sentenceStart(s.tokens)
	if !s.worthReading() {
		return "", false
	}
	d.tried = append(d.tried[:0], d.slow...)
	d.collect(s.tokens)
	slices.Sort(d.tried)
	for _, i := range slices.Compact(d.tried) {
		if s.fits(&d.patterns[i]) {
			return d.patterns[i].typ, true
		}
	}
	return "", false
}

// audience is the flag under which what the pattern is searched by is known.
func (p *Pattern) audience() uint8 {
	if p.user {
		return isUserTrigger
	}
	return isTrigger
}

// collect adds the patterns whose words or pairs the tokens hold.
func (d *Day) collect(tokens []token) {
	previous := uint64(0)
	for _, t := range tokens {
		h := hashWord(t.word)
		for _, key := range [...]uint64{h, hashPair(previous, h)} {
			if d.scanner.known.flag(key)&(isTrigger|isUserTrigger) != 0 {
				d.tried = append(d.tried, d.triggers[key]...)
			}
		}
		previous = h
	}
}

// fits looks for a place where the pattern matches and is meant.
func (s *saying) fits(p *Pattern) bool {
	if p.regex != nil {
		return (!s.asks || p.ask) && p.regex.MatchString(s.raw)
	}
	if p.user && s.speaker != User {
		return false
	}
	for at := range s.tokens {
		if end, ok := p.match(s.tokens, at, s.start); ok && s.allows(p, at, end) {
			return true
		}
	}
	return false
}
