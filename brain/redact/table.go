package redact

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// formatList is the table of published formats of keys:
//
//	kind | names | prefixes | form
//
// A form is a row of an alphabet and a length (36 exactly, 36+ at least, 12-24), with a
// literal between two of them. With names, it is the form of a value whose name contains one
// of them; "before ALPHABET LENGTH" says what is before the prefix. The facts are those that
// providers document and secret scanners such as gitleaks and trufflehog list. Keys that are
// meant to be published (Stripe pk_, PostHog phc_, Square sq0idp-) are not listed.
//
//go:embed formats.txt
var formatList string

// wordLists holds words under headings. A heading of names says how secret their values are
// and what to call them; the words of a name are joined by a hyphen, those of a spoken noun
// by an underscore.
//
//go:embed words.txt
var wordLists string

// format is a row of the table for one prefix, or a noun that may be followed by a secret.
type format struct {
	kind, prefix string
	names        []string
	before       charRun
	sign         int // offset of the sign in the prefix of an anchored format
	runs         []charRun
	noun         secrecy // notSecret: it is no noun
}

// charRun is least to most characters of an alphabet, and the literal after them.
type charRun struct {
	set         class
	least, most int
	literal     string // "" for the last run
}

// longestKey is the maximum length of a key whose format has no length, in bytes, so that
// no rule reads far ahead at every word.
const longestKey = 4096

// table holds the formats and word lists.
type table struct {
	prefixed map[[2]byte][]format // by the first two bytes
	anchored [256][]format        // with a run before their prefix, by the sign in it
	named    []format
	lists    map[string]map[string]bool // by heading
	parts    []string                   // of examples
	names    map[string]nameEntry
}

// nameEntry is what a name says about its value.
type nameEntry struct {
	secrecy secrecy
	kind    string
}

// known returns the table, which is read on first use.
var known = sync.OnceValue(func() *table {
	t := &table{lists: map[string]map[string]bool{}, names: map[string]nameEntry{}, prefixed: map[[2]byte][]format{}}
	prefixed := t.readWords()
	for line := range strings.Lines(formatList) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		f := format{kind: strings.TrimSpace(columns[0]), runs: parseRuns(columns[3])}
		before, isAnchor := strings.CutPrefix(strings.TrimSpace(columns[1]), "before ")
		if isAnchor {
			f.before = parseRuns(before)[0]
		} else {
			f.names = strings.Fields(columns[1])
		}
		for _, f.prefix = range append(strings.Fields(columns[2]), "")[:max(1, len(strings.Fields(columns[2])))] {
			switch {
			case isAnchor:
				f.sign = strings.IndexAny(f.prefix, ":-.~")
				t.anchored[f.prefix[f.sign]] = append(t.anchored[f.prefix[f.sign]], f)
			case len(f.names) > 0:
				t.named = append(t.named, f)
			default:
				prefixed = append(prefixed, f)
			}
		}
	}
	// Longer prefixes come first: sk-ant- before sk-.
	slices.SortStableFunc(prefixed, func(a, b format) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	for _, f := range prefixed {
		t.addPrefix(f)
	}
	return t
})

// addPrefix lists a format under the first two bytes of its prefix; nouns in any case.
func (t *table) addPrefix(f format) {
	starts := []string{f.prefix}
	if f.noun != notSecret {
		starts = append(starts, strings.ToUpper(f.prefix[:1])+f.prefix[1:], strings.ToUpper(f.prefix[:2]))
	}
	for _, start := range starts {
		first := [2]byte{start[0], start[1]}
		t.prefixed[first] = append(t.prefixed[first], f)
	}
}

// readWords reads the word lists and returns the spoken nouns.
func (t *table) readWords() (nouns []format) {
	levels := map[string]secrecy{"keyed": randomKey, "chosen": chosenPassword, "session": sessionCookie, "header": authHeader}
	for list := range strings.SplitSeq(wordLists, "## ") {
		heading, text, _ := strings.Cut(list, "\n")
		level, kind, _ := strings.Cut(heading, " ")
		spoken, isSpoken := strings.CutPrefix(level, "spoken-")
		t.lists[heading] = map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			t.lists[heading][word] = true
			switch {
			case isSpoken:
				nouns = append(nouns, format{kind: kind, prefix: strings.ReplaceAll(word, "_", " "), noun: levels[spoken]})
			case levels[level] != notSecret:
				t.names[word] = nameEntry{levels[level], kind}
			case heading == "example parts":
				t.parts = append(t.parts, word)
			}
		}
	}
	return nouns
}

// listed reports whether a word in lower case is on a list.
func listed(list, word string) bool { return known().lists[list][word] }

// parseRuns reads a form, such as alnum 8 _ alnum 24.
func parseRuns(form string) (runs []charRun) {
	fields := strings.Fields(strings.ReplaceAll(form, "uuid", "hexany 8 - hexany 4 - hexany 4 - hexany 4 - hexany 12"))
	for ; len(fields) > 0; fields = fields[min(3, len(fields)):] {
		r := charRun{}
		for part := range strings.SplitSeq(fields[0], "+") {
			r.set |= alphabets[part]
		}
		least, most, bounded := strings.Cut(fields[1], "-")
		least, open := strings.CutSuffix(least, "+")
		r.least, _ = strconv.Atoi(least)
		r.most = r.least
		if bounded {
			r.most, _ = strconv.Atoi(most)
		} else if open {
			r.most = longestKey
		}
		if len(fields) > 2 {
			r.literal = fields[2]
		}
		runs = append(runs, r)
	}
	return runs
}

// length returns how many bytes at the start of s have the form of f, 0 if they have not.
func (f format) length(s string) int {
	at, n := 0, 0
	for _, r := range f.runs {
		n = run(s[at:], r.set, r.most)
		switch {
		case n < r.least:
			return 0
		case r.literal != "":
			// The literal may be of the alphabet: look for it where the run may end.
			from := at + r.least
			skip := strings.Index(s[from:min(len(s), at+n+len(r.literal))], r.literal)
			if skip < 0 {
				return 0
			}
			at, n = from+skip+len(r.literal), 0
			continue
		}
		at += n
	}
	if !bounded(s, at) {
		return 0
	}
	for n > 0 && strings.IndexByte(".-", s[at-1]) >= 0 {
		at, n = at-1, n-1 // the end of a sentence, not of a key
	}
	if n < f.runs[len(f.runs)-1].least {
		return 0
	}
	return at
}

// prefixedAt returns the key or the spoken secret that begins at i, where a word begins.
func (t *table) prefixedAt(s string, i int) (span, bool) {
	if i+2 > len(s) {
		return span{}, false
	}
	for _, f := range t.prefixed[[2]byte{s[i], s[i+1]}] {
		at := i + len(f.prefix)
		switch {
		case len(s) < at || f.noun == notSecret && s[i:at] != f.prefix:
			continue
		case f.noun != notSecret:
			if strings.EqualFold(s[i:at], f.prefix) && bounded(s, at) {
				if found, ok := spoken(s, i, at, f); ok {
					return found, true
				}
			}
			continue
		case insideKey(s, i, f):
			continue
		}
		n := f.length(s[at:])
		if n == 0 || !random(s[at:at+n], f.runs[len(f.runs)-1].set) || standIn(s[at:at+n]) || f.runs[0].set&lower != 0 && wordy(s[at:at+n]) {
			continue
		}
		if strings.Contains(f.prefix, ".com/") {
			return span{f.kind, at, at + n}, true // the address of a webhook is no secret
		}
		return span{f.kind, i, at + n}, true
	}
	return span{}, false
}

// insideKey reports whether i is in the middle of a run that was already checked with the
// whole of it, or a short prefix is part of a file name.
func insideKey(s string, i int, f format) bool {
	if i < 2 || classTable[s[i-2]]&wordChars == 0 {
		return false
	}
	return classTable[s[i-1]]&f.runs[0].set&(dash|dot) != 0 || s[i-1] == '.' && len(f.prefix) <= 4
}

// anchoredAt finds the key that has its fixed text around the sign at i.
func (t *table) anchoredAt(s string, i int) (span, bool) {
	for _, f := range t.anchored[s[i]] {
		at := i - f.sign
		if at < 0 || !strings.HasPrefix(s[at:], f.prefix) {
			continue
		}
		from := at + len(f.prefix)
		before := runBack(s[:at], f.before.set, f.before.most)
		n := f.length(s[from:])
		found := span{f.kind, at - before, from + n}
		inWord := f.prefix == ":AA" // bot810431627:AA…
		if n > 0 && before >= f.before.least && (inWord || startsWord(s, found.start)) && random(s[found.start:found.end], alnum) {
			return found, true
		}
	}
	return span{}, false
}

// namedKey returns the kind of the key that has the form of a provider whose name is part of
// the name.
func namedKey(secret secrecy, name, text string) (kind string, ok bool) {
	if in, other := classes(text); secret != randomKey || len(text) < 12 || other || in&(digit|upper) == 0 || placeholder(text) {
		return "", false
	}
	folded := strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-.", r) }), ""))
	for _, f := range known().named {
		contains := func(part string) bool { return strings.Contains(folded, part) }
		if strings.HasPrefix(text, f.prefix) && slices.ContainsFunc(f.names, contains) && f.length(text[len(f.prefix):]) == len(text)-len(f.prefix) {
			return f.kind, true
		}
	}
	return "", false
}
