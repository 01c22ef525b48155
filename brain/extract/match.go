package extract

import "slices"

// match reports whether the pattern begins at tokens[at], and the token after
// its end.
func (p *Pattern) match(tokens []token, at, start int) (end int, ok bool) {
	return matchFrom(p.elements, tokens, at, start)
}

// matchFrom tries the elements in order. start is the first token of the
// sentence that is not a filler.
func matchFrom(list []element, tokens []token, at, start int) (int, bool) {
	for i, e := range list {
		rest := list[i+1:]
		switch {
		case e.kind == first:
			if at > start {
				return 0, false
			}
			continue
		case e.kind == gap:
			return matchGap(rest, tokens, at, start)
		case e.optional:
			if n, taken := e.take(tokens, at); taken {
				if end, ok := matchFrom(rest, tokens, at+n, start); ok {
					return end, true
				}
			}
			continue
		case e.not:
			if _, taken := e.take(tokens, at); taken {
				return 0, false
			}
			continue
		}
		n, taken := e.take(tokens, at)
		if !taken {
			return 0, false
		}
		at += n
	}
	return at, true
}

func matchGap(rest []element, tokens []token, at, start int) (int, bool) {
	for skip := 0; skip <= maxGap && at+skip <= len(tokens); skip++ {
		if end, ok := matchFrom(rest, tokens, at+skip, start); ok {
			return end, true
		}
	}
	return 0, false
}

// take is how many tokens the element takes at tokens[at]: 1, or 0 for
// punctuation, which stands between tokens; ok false if it does not stand there.
func (e element) take(tokens []token, at int) (n int, ok bool) {
	if at >= len(tokens) {
		return 0, false
	}
	t := tokens[at]
	switch e.kind {
	case anyWord:
		return 1, true
	case capital:
		return 1, t.upper && !common(t.word)
	case number:
		return 1, t.digit
	}
	if slices.Contains(e.words, t.word) {
		return 1, true
	}
	mark := t.after == ',' && slices.Contains(e.words, ",") || t.after == ':' && slices.Contains(e.words, ":")
	return 0, mark
}
