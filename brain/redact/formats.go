package redact

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// formatList lists the published formats of keys: kind | prefixes | what follows a prefix,
// as runs of characters with separators between them. A run is an alphabet and a length: 36
// exactly, 36+ at least, 12-24. The formats are those that providers document, or that
// secret scanners such as gitleaks and trufflehog describe. Publishable keys (Stripe pk_,
// PostHog phc_, Square sq0idp-, Twilio AC…) are not secrets and are not listed.
//
//go:embed formats.txt
var formatList string

// format is the form of one kind of key: a prefix and what follows it.
type format struct {
	kind, prefix string
	runs         []charRun
	// match, if not nil, replaces the runs. It returns where the secret lies in the
	// text after the prefix; to is 0 if there is none.
	match func(rest string) (from, to int)
}

// charRun is least to most characters of an alphabet, and the separator after it.
type charRun struct {
	set         class
	least, most int
	separator   byte // 0 for the last run
}

// longestKey is the maximum length of a key whose format has no length, in bytes, so that
// no rule reads far ahead at every word.
const longestKey = 4096

// formats finds keys by the first two bytes of a word.
type formats struct {
	groups  [256][256]uint8 // index into formats, by the two bytes; 0 for none
	formats [][]format
}

// allFormats returns the formats, which are parsed on first use.
var allFormats = sync.OnceValue(func() *formats {
	all := phrases()
	for line := range strings.Lines(formatList) {
		kind, rest, _ := strings.Cut(line, " | ")
		prefixes, form, _ := strings.Cut(rest, " | ")
		runs := parseRuns(strings.Fields(form))
		for prefix := range strings.FieldsSeq(prefixes) {
			all = append(all, format{kind: kind, prefix: prefix, runs: runs})
		}
	}
	// Longer prefixes come first: sk-ant- before sk-.
	slices.SortStableFunc(all, func(a, b format) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	f := &formats{formats: make([][]format, 1)}
	for _, one := range all {
		group := &f.groups[one.prefix[0]][one.prefix[1]]
		if *group == 0 {
			*group = uint8(len(f.formats))
			f.formats = append(f.formats, nil)
		}
		f.formats[*group] = append(f.formats[*group], one)
	}
	return f
})

// parseRuns reads the runs of a format, such as alnum 8 _ alnum 24.
func parseRuns(fields []string) (runs []charRun) {
	for ; len(fields) > 0; fields = fields[min(3, len(fields)):] {
		r := charRun{set: alphabet(fields[0])}
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
			r.separator = fields[2][0]
		}
		runs = append(runs, r)
	}
	return runs
}

// find returns the key that begins at i, where a word begins.
func (f *formats) find(s string, i int) (span, bool) {
	if i+2 > len(s) {
		return span{}, false
	}
	for _, one := range f.formats[f.groups[s[i]][s[i+1]]] {
		if !strings.HasPrefix(s[i:], one.prefix) {
			continue
		}
		if found := one.find(s, i); found.end > 0 {
			return found, true
		}
	}
	return span{}, false
}

// find returns the key whose prefix is at i; its end is 0 if there is none. The
// address of a webhook and the words before a password are not part of it.
func (f format) find(s string, i int) span {
	at := i + len(f.prefix)
	from, to := -len(f.prefix), 0
	if f.match != nil {
		from, to = f.match(s[at:])
	} else {
		to = f.length(s, i)
	}
	if to == 0 {
		return span{}
	}
	if strings.Contains(f.prefix, ".com/") {
		from = 0
	}
	return span{f.kind, at + from, at + to}
}

// length returns how many bytes after the prefix at i belong to the key, or 0.
func (f format) length(s string, i int) int {
	rest := s[i+len(f.prefix):]
	last := f.runs[len(f.runs)-1]
	if inside(s, i, f.runs[0].set) {
		return 0
	}
	at, n := 0, 0
	for _, r := range f.runs {
		n = run(rest[at:], r.set, r.most)
		at += n
		if r.separator == 0 {
			break
		}
		if n < r.least || at >= len(rest) || rest[at] != r.separator {
			return 0
		}
		at++
	}
	if !bounded(rest, at) {
		return 0
	}
	for n > 0 && (rest[at-1] == '.' || rest[at-1] == '-') {
		at, n = at-1, n-1 // the end of a sentence, not of a key
	}
	if n < last.least || !random(rest[:at], last.set) {
		return 0
	}
	return at
}

// inside reports whether i lies inside a longer run of the set, after a hyphen or full
// stop. That part was already checked with the whole run.
func inside(s string, i int, set class) bool {
	return i > 1 && classTable[s[i-1]]&set&(dash|dot) != 0 && classTable[s[i-2]]&wordChars != 0
}

// phrases returns formats whose prefix is a phrase before a token or a password: in
// a header, in English and German prose, and in SQL.
func phrases() []format {
	all := []format{
		{kind: "json web token", prefix: "eyJ", match: webToken},
		{kind: "bearer token", prefix: "Bearer ", match: bearer},
		{kind: "bearer token", prefix: "bearer ", match: bearer},
	}
	for _, phrase := range []string{
		"password is", "passwort ist", "passwort lautet", "passwort heißt", "kennwort ist", "kennwort lautet",
	} {
		all = append(all, format{kind: "password", prefix: phrase, match: statedPassword},
			format{kind: "password", prefix: strings.ToUpper(phrase[:1]) + phrase[1:], match: statedPassword})
	}
	for _, before := range []string{"password ", "PASSWORD ", "passwort ", "Passwort ", "identified by ", "IDENTIFIED BY "} {
		all = append(all, format{kind: "password", prefix: before, match: sqlPassword})
	}
	return all
}
