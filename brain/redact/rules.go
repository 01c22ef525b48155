package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// token is the published form of one provider's key: a prefix, then least to
// most characters of an alphabet (most 0: no bound), then the end of the word.
type token struct {
	kind, prefix string
	set          class
	least, most  int
	// body, if not nil, is the form of what follows the prefix instead: it
	// returns the length, or 0.
	body func(rest string) int
}

// longestKey bounds a key whose format has no length, in bytes, so that no rule
// looks far ahead at every word.
const longestKey = 4096

// rules finds tokens by the first two bytes of a word.
type rules struct {
	actions [256]action
	groups  [1 << 16]uint8 // by the two bytes: index into tokens, 0 for none
	tokens  [][]token
}

// allRules returns the rules, made at the first use.
var allRules = sync.OnceValue(func() *rules {
	r := &rules{tokens: make([][]token, 1)}
	for c := range r.actions {
		r.actions[c] = actionOf(byte(c))
	}
	all := slices.Concat(codeHosts(), clouds(), models(), money(), messages(), services(), shaped(), spoken())
	// A longer prefix says more than a shorter one: sk-ant- before sk-.
	slices.SortStableFunc(all, func(a, b token) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	for _, t := range all {
		group := &r.groups[pair(t.prefix[0], t.prefix[1])]
		if *group == 0 {
			*group = uint8(len(r.tokens))
			r.tokens = append(r.tokens, nil)
		}
		r.tokens[*group] = append(r.tokens[*group], t)
	}
	return r
})

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// begins reports whether some prefix begins with the two bytes.
func (r *rules) begins(a, b byte) bool { return r.groups[pair(a, b)] != 0 }

// word returns the token that begins at i, where a word begins.
func (r *rules) word(s string, i int) (span, bool) {
	if i+2 > len(s) {
		return span{}, false
	}
	for _, t := range r.tokens[r.groups[pair(s[i], s[i+1])]] {
		if !strings.HasPrefix(s[i:], t.prefix) || inside(s, i, t.set) {
			continue
		}
		if n := t.match(s[i+len(t.prefix):]); n > 0 {
			return t.span(i, n), true
		}
	}
	return span{}, false
}

// inside reports whether i lies inside a longer run of the set, after a hyphen
// or full stop of it. What begins there has been looked at with the whole run.
func inside(s string, i int, set class) bool {
	return i > 1 && classOf(s[i-1])&set&(dash|dot) != 0 && classOf(s[i-2])&wordly != 0
}

// span leaves the address of a webhook and the words before a credential in place.
func (t token) span(i, n int) span {
	found := span{kind: t.kind, start: i, end: i + len(t.prefix) + n}
	if last := t.prefix[len(t.prefix)-1]; last == ' ' || isQuote(last) || strings.Contains(t.prefix, ".com/") {
		found.start += len(t.prefix)
	}
	return found
}

// match returns how many bytes after the prefix belong to the key, or 0.
func (t token) match(rest string) int {
	if t.body != nil {
		return t.body(rest)
	}
	n := run(rest, t.set, cmp.Or(t.most, longestKey))
	if !bounded(rest, n) {
		return 0
	}
	for n > 0 && (rest[n-1] == '.' || rest[n-1] == '-') {
		n-- // the end of a sentence, not of a key
	}
	if n < t.least || !random(rest[:n], t.set) {
		return 0
	}
	return n
}
