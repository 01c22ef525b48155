// Package extract finds the statements in a conversation that are worth keeping,
// without a language model: decisions, preferences, lessons, facts, commitments
// and people, each with a literal quote. It knows English and German.
//
// Rules find the items of turns. A Chunker cuts turns into chunks for a model: at session
// boundaries, at pauses and at a budget of tokens. Topics are the names that were said and
// that no item mentions.
//
// A turn is read sentence by sentence; code, tables, headings, quotations and what a
// user pasted are left out. A judge adds up the weights of the cues of cues.txt in a sentence
// and, except for the assistant, of its words in words.tsv: the sum says whether it is worth
// keeping, and the cues that belong to a kind say which kind it is.
// The weights come from a logistic regression on the development half of the labelled
// set of `brainbridge bench extract` and on testdata/said.tsv. Sentences of the assistant
// have weights of their own and need evidence. An option that the user accepts is a decision.
package extract

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// maxWords is how many words of a sentence are read at most.
const maxWords = 80

type statement struct {
	text     string
	speaker  Speaker
	list     bool // in a list
	evidence bool // the sentence before has a number, an identifier or a path
}

// hasEvidence reports whether a text has a number, an identifier or a path.
func hasEvidence(text string) bool { return strings.ContainsAny(text, "0123456789`/_") }

type judgement struct {
	kind     Kind
	strength float64 // log-odds that it is worth keeping
}

const (
	// threshold is the strength above which a statement is kept.
	threshold = 0.15
	// supported is the strength above which a statement that a model names is kept.
	supported = -2.5
	// stated is the strength above which a text that somebody wants to keep is a statement.
	// It is lower than threshold: few sentences of a talk are worth keeping, but most that
	// are chosen are.
	stated = -0.05
	// accepting is the strength of an accepted option, and of a match of a person's pattern.
	accepting = 3
)

// judge judges statements. It is not safe for concurrent use.
type judge struct {
	table  *cueTable
	tokens []token
	words  map[string]float64
	found  []bool // by cue
}

func newJudge() *judge {
	t := cues()
	return &judge{table: t, words: wordWeights(), found: make([]bool, len(t.cues))}
}

// judge returns the kind of memory that a statement is, and how much speaks for that.
func (j *judge) judge(s statement) judgement {
	s.text = s.text[:lenWithoutQuestion(s.text)]
	isReport := !s.list && (s.evidence || hasEvidence(s.text)) // only such prose of the assistant is worth judging
	if s.speaker == Assistant && !isReport || strings.HasSuffix(s.text, "?") {
		return judgement{strength: math.Inf(-1)}
	}
	j.tokens = tokenize(j.tokens[:0], s.text)
	if len(j.tokens) < 2 || len(j.tokens) > maxWords {
		return judgement{strength: math.Inf(-1)}
	}
	j.find(s)
	var sum judgement
	for i := range j.table.cues {
		c := &j.table.cues[i]
		switch {
		case !j.found[i]:
		case s.speaker == Assistant:
			sum.strength += c.assistant
		default:
			sum.strength += c.user
		}
	}
	if s.speaker != Assistant && !math.IsInf(sum.strength, -1) {
		for word := range wordFeatures(j.tokens) {
			sum.strength += j.words[string(word)]
		}
	}
	if sum.strength > supported {
		sum.kind = j.kind()
	}
	return sum
}

// kind returns the kind that the cues which were found speak for.
func (j *judge) kind() Kind {
	odds := map[Kind]float64{}
	for i, c := range j.table.cues {
		if j.found[i] {
			odds[c.kind] += c.ofKind
		}
	}
	return slices.MaxFunc(Kinds(), func(a, b Kind) int { return cmp.Compare(odds[a], odds[b]) })
}

func (j *judge) find(s statement) {
	clear(j.found)
	j.table.lexicon.find(j.tokens, sentenceStart(j.tokens), j.found)
	for i := range j.table.cues {
		c := &j.table.cues[i]
		j.found[i] = j.found[i] || c.shape != nil && c.shape(s, len(j.tokens)) || slices.ContainsFunc(c.when, j.holds)
	}
}

// holds reports whether the cues of a condition were found, or not, as it says.
func (j *judge) holds(condition []int) bool {
	return !slices.ContainsFunc(condition, func(i int) bool { return j.found[max(i, ^i)] != (i >= 0) })
}

// shape reports whether a cue that is not a phrase is found in a statement of some words.
type shape func(s statement, words int) bool

func shapes() map[string]shape {
	always := func(statement, int) bool { return true }
	all := map[string]shape{
		"bias":            always,
		"exclamation":     func(s statement, _ int) bool { return strings.HasSuffix(s.text, "!") },
		"tiny":            func(_ statement, words int) bool { return words <= 4 },
		"short":           func(_ statement, words int) bool { return words > 4 && words <= 7 },
		"long":            func(_ statement, words int) bool { return words > 30 },
		"list":            func(s statement, _ int) bool { return s.list && s.speaker != Note },
		"label":           func(s statement, _ int) bool { return strings.HasSuffix(s.text, ":") },
		"evidence before": func(s statement, _ int) bool { return s.evidence },
	}
	for _, k := range Kinds() {
		all["bias "+string(k)] = always
	}
	return all
}

// sentenceStart returns the index of the first token that is not a filler.
func sentenceStart(tokens []token) int {
	for i, t := range tokens {
		if !inList(fillers, t.word) && (t.word != "no" && t.word != "nein" || i+1 < len(tokens) && tokens[i+1].before == 0) {
			return i
		}
	}
	return 0
}

// fillers are words at the beginning of a sentence that say nothing.
const fillers = "ok okay k alright right so and but well yeah yes yep yup nope nah fine oh ah hm hmm also anyway anyways btw actually look " +
	"hey hi thanks great good perfect honestly fyi sure cool lovely true then wait because since plus thx nice sweet " +
	"ja nein gut na und aber danke super genau uebrigens ach naja klar passt achja stimmt hallo servus gruezi moin merci jo jep denn weil noch alles"

// Kind is the kind of a memory. It is also the type word of the outcome that the
// memory becomes in a daily note.
type Kind string

// The kinds, as they are written in notes.
const (
	Decision   Kind = "decision"   // something was chosen
	Preference Kind = "preference" // how somebody wants things done from now on
	Lesson     Kind = "lesson"     // what was learned: cause and rule
	Fact       Kind = "fact"       // a value about the project, its people or its environment
	Commitment Kind = "commitment" // somebody took on a piece of work
	Person     Kind = "person"     // who somebody is
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Decision, Preference, Lesson, Fact, Commitment, Person} }

// Known reports whether k is one of Kinds.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// Item is a statement worth keeping.
type Item struct {
	Kind     Kind      `json:"type"`
	Title    string    `json:"title"` // the statement on one line, at most 100 characters
	Quote    string    `json:"quote"` // the sentence as it was said, byte for byte
	Strength float64   `json:"-"`     // the evidence that it is worth keeping: log-odds, more than 0
	At       time.Time `json:"at"`
	Session  string    `json:"session"`
	Speaker  Speaker   `json:"speaker"`
	Place    string    `json:"place"` // of the turn
}
