package similar

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// sentence is the first sentence of a text up to its reason, word by word, without
// articles.
type sentence struct {
	words   []slot
	rest    []value // words and values of the text after it
	event   bool    // says that something happened, asks or doubts
	told    bool    // begins with a verb in the past: "Released"
	changed bool    // says that something is so now
}

// slot is a word or value in its place.
type slot struct {
	value
	text  string
	named bool // is written as a name
	one   bool // an indefinite article precedes
	is    bool // a form of to be or a colon follows
}

// readSentence reads the first sentence of tokens. With comma it ends at the first
// comma too.
func readSentence(tokens []token, comma bool) (s sentence) {
	at := 0
	for at < len(tokens) && !s.ends(tokens, at, comma) {
		t := tokens[at]
		v, used := readValue(tokens[at:])
		if identifies(tokens, at) {
			used, v.kind = 1, "id"
		}
		if used > 0 && v.kind != "" {
			s.event = s.event || at == 0 && (v.kind == "date" || v.kind == "weekday")
			s.words = append(s.words, slot{value: v, text: t.text})
		} else {
			used = 1
			s.read(tokenAt(tokens, at-1), t, tokenAt(tokens, at+1))
		}
		at += used
	}
	s.event = s.event || at > 0 && strings.HasSuffix(tokens[at-1].chunk, "?")
	s.rest = readRest(tokens[at:])
	return s
}

// ends reports whether a sentence ends before a token.
func (s *sentence) ends(tokens []token, at int, comma bool) bool {
	if at == 0 {
		return false
	}
	t, before := tokens[at], tokens[at-1].chunk
	mark := before[len(before)-1]
	switch {
	case t.first && mark != ':', t.chunk[0] == '(', strings.Trim(t.chunk, "-–—") == "", mark == ';', comma && mark == ',' && (len(s.words) > 2 || len(s.words) > 1 && s.words[0].is):
		return true
	case len(s.words) < 2:
		return false
	}
	switch word := baseOf(t); word {
	case "da":
		return mark == ','
	case "from":
		return has(tokenAt(tokens, at+1).folded, nowWord)
	case "so":
		return at+1 < len(tokens) && tokens[at+1].folded == "that"
	default:
		return has(word, reason) || has(word, rejection) && word != "over"
	}
}

func (s *sentence) read(before, t, next token) {
	for _, word := range t.wholeWords() {
		first := len(s.words) == 0
		s.told = s.told || first && isPast(t.folded) && !has(word, change)
		s.changed = s.changed || has(word, nowWord|change)
		s.event = s.event || has(word, doubt)
		if has(word, article|nowWord) || word == "the" || word == "a" || word == "an" {
			continue
		}
		if has(word, toBe) && !first {
			s.words[len(s.words)-1].is = true
			continue
		}
		if has(t.folded, past) && !has(before.folded, article|light|scope) && known().places[before.folded] == "" && (first || !s.words[len(s.words)-1].links()) {
			s.event = true
		}
		links := strings.HasSuffix(t.chunk, ":") || has(t.folded, naming)
		s.words = append(s.words, slot{value{word: word}, t.text, t.isName(next.folded), isIndefinite(before.folded), links})
	}
}

// wholeWords returns the base forms of the words of a token: one of an identifier such
// as shop-assets, two of a contraction.
func (t token) wholeWords() (all []string) {
	for _, term := range t.terms {
		all = append(all, base(term))
	}
	if len(all) > 1 && strings.ContainsAny(t.text, "-_./") {
		return []string{strings.Join(all, "")}
	}
	return all
}

// tokenAt returns a token, an empty one before the first and after the last.
func tokenAt(tokens []token, at int) token {
	if at < 0 || at >= len(tokens) {
		return token{}
	}
	return tokens[at]
}

func isIndefinite(folded string) bool {
	return folded == "a" || folded == "an" || strings.HasPrefix(folded, "ein") && has(folded, article)
}

// telling reports whether a word says something of its own.
func (s slot) telling() bool {
	return s.kind != "" || !words.Stop(s.word) && !has(s.word, link|light|scope|reason|denial|toBe) && known().places[s.word] == ""
}

// links reports whether what follows is said of what comes before: "is", "uses".
func (s slot) links() bool { return s.is || has(s.word, link) }

// opens reports whether a value follows the word: "is", "to", "port:".
func (s slot) opens() bool {
	return s.links() || has(s.word, change) || known().places[s.word] != "" && !has(s.word, scope)
}

// limits reports whether a word cannot be part of a value.
func (s slot) limits() bool {
	return s.typed() || has(s.word, environment|scope|link|denial) || known().places[s.word] != ""
}

// states reports whether a title is a statement rather than a subject.
func (s sentence) states() bool {
	return len(s.words) > 3 && slices.ContainsFunc(s.words[1:], func(w slot) bool {
		verb := strings.ToLower(w.text) == w.text && strings.HasSuffix(w.text, "s") && !strings.HasSuffix(w.text, "ss")
		return w.is || w.kind == "" && (verb || has(w.word, link|change|denial|negation))
	})
}

// replaces reports whether two sentences say the same but for one value in the same
// place. It is symmetric.
func (s sentence) replaces(o sentence) bool {
	a, b := s.words, o.words
	p, e := sharedEnds(a, b)
	x, y := a[p:len(a)-e], b[p:len(b)-e]
	shared := count(a[:p], slot.telling) + count(a[len(a)-e:], slot.telling)
	switch {
	case s.event || o.event || spelling(x) == spelling(y):
		return false
	case max(len(x), len(y)) < 3 && sharedKind(x, y):
		return (p > 0 || shared > 0) && !s.told && !o.told
	case shared == 0, p == 0 && e == 0:
		return false
	case len(x) == 0 || len(y) == 0:
		return shared > 1 && (denies(x) || denies(y))
	case len(x) == 1 && len(y) == 1 && (x[0].typed() || y[0].typed()):
		return x[0].kind == y[0].kind && x[0].kind != "id" && slices.ContainsFunc(a[:p], slot.opens) && slices.ContainsFunc(b[:p], slot.opens) && !s.told
	case len(x) == 3 && len(y) == 3 && x[1].word == "over" && x[0].equal(y[2].value) && x[2].equal(y[0].value): // tabs over spaces
		return true
	case len(x) == 1 && len(y) == 1 && opposed([]string{x[0].word}, []string{y[0].word}):
		return p > 0 && !has(x[0].word, environment)
	case !isValue(x) || !isValue(y):
		return false
	case p > 0 && isPlace(a[:p], a[len(a)-e:]) && isPlace(b[:p], b[len(b)-e:]) && identify(x) && identify(y):
		shared++
	}
	opens := p > 0 && a[p-1].opens() && b[p-1].opens() && !slices.ContainsFunc(slices.Concat(a[max(0, p-3):p], b[max(0, p-3):p]), slot.several) && identify(x) && identify(y)
	return shared > 1 && (opens || s.mentions(y) || o.mentions(x) || s.changed != o.changed)
}

// isPlace reports whether only one value can hold between the words of a sentence.
func isPlace(before, after []slot) bool {
	last := before[len(before)-1]
	return last.is || len(after) > 0 && last.links() || len(before) > 1 && len(after) == 0 && known().places[last.word] == "with"
}

// several reports whether more than one value can hold after a word: "has a".
func (s slot) several() bool { return s.one || s.kind == "" && !s.is && has(s.word, several) }

// identify reports whether words name something rather than describe it.
func identify(list []slot) bool {
	one := slices.ContainsFunc(list, func(w slot) bool { return w.one })
	return !one && (named(list) || !slices.ContainsFunc(list, func(w slot) bool { return has(w.word, general) && w.group() == "" }))
}

// isValue reports whether words can be a value.
func isValue(list []slot) bool { return len(list) <= 4 && !slices.ContainsFunc(list, slot.limits) }

// spelling returns words as one: "time-out" is "timeout".
func spelling(list []slot) (joined string) {
	for _, w := range list {
		joined += w.word
	}
	return joined
}

// sharedEnds returns how many words two sentences share at the beginning and then at
// the end.
func sharedEnds(a, b []slot) (begin, end int) {
	least := min(len(a), len(b))
	for begin < least && a[begin].equal(b[begin].value) {
		begin++
	}
	for end < least-begin && a[len(a)-1-end].equal(b[len(b)-1-end].value) {
		end++
	}
	return begin, end
}

func named(list []slot) bool { return slices.ContainsFunc(list, func(w slot) bool { return w.named }) }

// denies reports whether words say no more than not.
func denies(list []slot) bool {
	no := func(w slot) bool { return has(w.word, negation|denial) }
	return slices.ContainsFunc(list, no) && !slices.ContainsFunc(list, func(w slot) bool { return w.telling() && !no(w) && !has(w.word, aside) })
}

// mentions reports whether the rest of the text has a word of a value.
func (s sentence) mentions(value []slot) bool {
	return slices.ContainsFunc(value, func(w slot) bool {
		return w.telling() && slices.ContainsFunc(s.rest, w.equal)
	})
}

// readings are the ways to read a name and a text: each to its first comma and whole.
type readings struct {
	name, content, both [2]sentence
	titled              bool
}

func readAll(title, text []token) (r readings) {
	read := func(tokens []token) [2]sentence {
		return [2]sentence{readSentence(tokens, true), readSentence(tokens, false)}
	}
	r.content, r.titled = read(text), len(title) > 0
	r.both = r.content
	if r.titled {
		r.name, r.both = read(title), read(titled(title, text))
		rest := readRest(text)
		for i := range r.name {
			r.name[i].rest = append(r.name[i].rest, rest...)
		}
	}
	return r
}

// replace reports whether two texts say the same but for one value.
func (r readings) replace(o readings) bool {
	stated := r.titled && o.titled && r.name[0].states() && o.name[0].states()
	pairs := [][2][2]sentence{{r.content, o.content}}
	if stated {
		pairs = append(pairs, [2][2]sentence{r.name, o.name})
	}
	if r.titled || o.titled {
		pairs = append(pairs, [2][2]sentence{r.both, o.both})
	}
	return slices.ContainsFunc(pairs, func(p [2][2]sentence) bool {
		return p[0][0].replaces(p[1][0]) || p[0][1].replaces(p[1][1])
	})
}
