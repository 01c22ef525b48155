package similar

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/words"
)

var update = flag.Bool("update", false, "write the index of the lexicon anew")

// TestLexicon expects the index to say what the groups of words in lexicon.txt say.
func TestLexicon(t *testing.T) {
	lists, err := os.ReadFile("lexicon.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := build(string(lists))
	if *update {
		if err := os.WriteFile("lexicon_index.txt", []byte(want.index()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !reflect.DeepEqual(readLexicon(index), want) {
		t.Error("lexicon_index.txt is not made from lexicon.txt: go test ./brain/similar -run TestLexicon -update")
	}
}

func BenchmarkLexicon(b *testing.B) {
	for b.Loop() {
		readLexicon(index)
	}
}

// build returns the lexicon of the groups of words under the headings of lists, which stand
// between commas and lines. Under "forms", "numbers" and "units" a group begins with the
// word that the others are read as.
func build(lists string) *lexicon {
	l := &lexicon{
		traits: map[string]trait{}, opposites: map[[2]string]bool{}, topics: map[[2]string]bool{},
		polar: map[string]polarity{}, values: map[string]value{}, measures: map[string]measure{},
	}
	for _, named := range l.named() {
		*named = map[string]string{}
	}
	heading := ""
	for line := range strings.Lines(lists) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			heading = name
			continue
		}
		for group := range strings.SplitSeq(line, ",") {
			l.add(heading, group)
		}
	}
	return l
}

// index returns the lexicon as readLexicon reads it.
func (l *lexicon) index() string {
	var b strings.Builder
	list := func(name string, lines []string) {
		fmt.Fprintf(&b, "## %s %d\n", name, len(lines))
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
	}
	list("traits", indexed(l.traits, func(t trait) string { return strconv.FormatUint(uint64(t), 16) }))
	for _, name := range slices.Sorted(maps.Keys(l.named())) {
		list(name, indexed(*l.named()[name], func(s string) string { return s }))
	}
	list("polar", indexed(l.polar, func(p polarity) string {
		if p.no {
			return "no " + p.word
		}
		return p.word
	}))
	list("values", indexed(l.values, func(v value) string { return v.kind + " " + v.word }))
	list("measures", indexed(l.measures, func(m measure) string { return fmt.Sprint(m.kind, " ", m.factor) }))
	list("opposites", indexedPairs(l.opposites))
	list("topics", indexedPairs(l.topics))
	return b.String()
}

func indexed[T any](list map[string]T, says func(T) string) (lines []string) {
	for _, term := range slices.Sorted(maps.Keys(list)) {
		lines = append(lines, strings.TrimSuffix(term+"\t"+says(list[term]), "\t"))
	}
	return lines
}

func indexedPairs(list map[[2]string]bool) (lines []string) {
	for pair := range list {
		lines = append(lines, pair[0]+"\t"+pair[1])
	}
	return slices.Sorted(slices.Values(lines))
}

// terms returns the terms of the words of a list.
func (l *lexicon) terms(list string) (terms []string) {
	for word := range strings.FieldsSeq(list) {
		terms = append(terms, words.Terms(word)...)
	}
	return terms
}

// add adds a group of a list. The forms come first, since all other lists hold
// base forms.
func (l *lexicon) add(heading, group string) {
	switch heading {
	case "forms":
		terms := l.terms(group)
		for _, form := range terms {
			l.forms[form] = terms[0]
		}
	case "numbers":
		number, names, _ := strings.Cut(strings.TrimSpace(group), " ")
		for _, name := range l.terms(names) {
			l.numbers[name] = number
		}
	case "units":
		fields := strings.Fields(group)
		for _, name := range append(l.terms(group), fields...) {
			l.units[name] = fields[0]
		}
	case "opposites":
		l.addOpposites(group)
	case "synonyms", "aspects", "kinds", "places", "polar", "values", "measures":
		l.addForClaims(heading, group)
	case "compounds":
		for _, word := range strings.Fields(group) {
			first, second, _ := strings.Cut(word, "-")
			l.traits[l.terms(first)[0]] |= starter
			l.traits[l.terms(first + second)[0]] |= compound
		}
	default:
		t := traitOf(heading)
		if t&(was|past|naming|owner) != 0 {
			for _, word := range strings.Fields(group) {
				l.traits[word] |= t
			}
			return
		}
		for _, term := range l.terms(group) {
			l.traits[l.base(term)] |= t
			if t == prefix {
				l.traits[term] |= starter
			}
		}
	}
}

// addForClaims adds a group of a list that only claims are read with.
func (l *lexicon) addForClaims(heading, group string) {
	fields := strings.Fields(group)
	switch heading {
	case "synonyms":
		addGroup(l.synonyms, l.terms(group))
	case "aspects":
		addGroup(l.aspects, l.terms(group))
	case "kinds":
		group, topics, _ := strings.Cut(group, ":")
		kind := l.terms(group)
		addGroup(l.kinds, append(kind, strings.Fields(group)...))
		for _, word := range l.terms(topics) {
			word = l.base(word)
			l.topics[[2]string{cmp.Or(l.synonyms[word], word), kind[0]}] = true
		}
	case "places":
		addGroup(l.places, append(fields, l.terms(group)...))
	case "polar":
		yes, no, _ := strings.Cut(group, "|")
		agreeing := l.terms(yes)
		for _, term := range agreeing {
			l.polar[l.base(term)] = polarity{agreeing[0], false}
		}
		for _, term := range l.terms(no) {
			l.polar[l.base(term)] = polarity{agreeing[0], true}
		}
	case "values":
		for _, name := range fields[1:] {
			l.values[name] = value{kind: fields[0], word: fields[1]}
		}
	case "measures":
		factor, _ := strconv.ParseFloat(fields[1], 64)
		for _, name := range append(l.terms(strings.Join(fields[2:], " ")), fields[2:]...) {
			l.measures[name] = measure{fields[0], factor}
		}
	}
}

// addGroup adds the words of a group, for which the first one stands.
func addGroup(to map[string]string, group []string) {
	for _, term := range group {
		if to[term] == "" {
			to[term] = group[0]
		}
	}
}

// traitOf returns the trait of the words under a heading.
func traitOf(heading string) trait {
	names := strings.Fields("negations hedges modals light dates now articles general prefixes hyphenated compounds starters " +
		"links changes owners asides scopes reasons rejections denials weak questions was be past environments doubts namings several honorifics repeated pronouns numbered additions imperatives abandonings duties")
	for i, name := range names {
		if name == heading {
			return 1 << i
		}
	}
	panic("similar: unknown list " + heading)
}

// addOpposites adds pairs of opposites: each word left of the bar with each
// right of it.
func (l *lexicon) addOpposites(group string) {
	left, right, _ := strings.Cut(group, "|")
	rights := l.terms(right)
	for _, a := range l.terms(left) {
		for _, b := range rights {
			a, b := l.base(a), l.base(b)
			l.opposites[[2]string{a, b}], l.opposites[[2]string{b, a}] = true, true
		}
	}
}
