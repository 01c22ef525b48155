package extract

import (
	"math"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	maxWords    = 80
	maxCodePart = 12
)

// statement is a sentence in its place.
type statement struct {
	text     string
	speaker  Speaker
	list     bool // in a list
	asks     bool // a question follows in the same sentence
	evidence bool // the sentence before has a number, an identifier or a path
}

// plausible reports whether a statement is worth judging: of the assistant only prose with
// evidence is.
func (s statement) plausible() bool {
	return s.speaker != Assistant || !s.list && (s.evidence || hasEvidence(s.text))
}

// hasEvidence reports whether a text has a number, an identifier or a path.
func hasEvidence(text string) bool { return strings.ContainsAny(text, "0123456789`/_") }

// judgement is the result of judging a statement.
type judgement struct {
	kind     Kind
	strength float64 // log-odds that it is worth keeping
	from     int     // index of the byte at which the cues of the kind begin
}

const (
	// threshold is the strength above which a statement is kept.
	threshold = 0.9
	// supported is the strength above which a statement that a model names is kept.
	supported = -2.5
	// stated is the strength above which a text that somebody wants to keep is a statement.
	// It is lower than threshold: few sentences of a talk are worth keeping, but most that
	// are chosen are.
	stated = -1.2
	// accepting is the strength of an accepted option, and of a match of a person's pattern.
	accepting = 3
)

// judge judges statements. It is not safe for concurrent use.
type judge struct {
	table  *cueTable
	tokens []token
	found  []int // -1, or the index of the token at which each cue was found first
}

func newJudge() *judge {
	t := cues()
	return &judge{table: t, found: make([]int, len(t.cues))}
}

// judge returns the kind of memory that a statement is, and how much speaks for that.
func (j *judge) judge(s statement) judgement {
	if cut := withoutQuestion(s.text); cut < len(s.text) {
		s.text, s.asks = s.text[:cut], true
	}
	j.tokens = tokenize(j.tokens[:0], s.text)
	if len(j.tokens) < 2 || len(j.tokens) > maxWords || codeLike(s.text) || !s.plausible() || strings.HasSuffix(s.text, "?") {
		return judgement{strength: math.Inf(-1)}
	}
	j.find(s)
	var sum judgement
	kinds := map[Kind]float64{}
	for i, c := range j.table.cues {
		if j.found[i] < 0 {
			continue
		}
		if kinds[c.kind] += c.ofKind; s.speaker == Assistant {
			sum.strength += c.assistant
		} else {
			sum.strength += c.user
		}
	}
	sum.kind = Fact
	for _, k := range Kinds() {
		if kinds[k] > kinds[sum.kind] {
			sum.kind = k
		}
	}
	sum.from = j.from(sum.kind)
	return sum
}

// from returns the byte at which the strongest cue of a kind begins.
func (j *judge) from(kind Kind) int {
	best, at := 0.0, 0
	for i, c := range j.table.cues {
		if j.found[i] > 0 && c.kind == kind && c.ofKind > best {
			best, at = c.ofKind, j.tokens[j.found[i]].lo
		}
	}
	return at
}

// find finds the cues of a statement.
func (j *judge) find(s statement) {
	for i := range j.found {
		j.found[i] = -1
	}
	j.table.lexicon.find(j.tokens, sentenceStart(j.tokens), j.found)
	for _, k := range Kinds() {
		if i, ok := j.table.byName["bias "+string(k)]; ok {
			j.found[i] = 0
		}
	}
	isClear := slices.ContainsFunc(j.table.clear, func(i int) bool { return j.found[i] >= 0 })
	for name, holds := range shape(s, j.tokens, isClear) {
		if holds {
			j.found[j.table.byName[name]] = 0
		}
	}
}

// shape returns the cues that are not phrases.
func shape(s statement, tokens []token, isClear bool) map[string]bool {
	numbers, names, codes, quoted := 0, 0, 0, 0
	for i, t := range tokens {
		if t.digit {
			numbers++
		}
		if t.name && i > 0 {
			names++
		}
		if t.code {
			codes++
		}
		if t.quoted {
			quoted++
		}
	}
	n := len(tokens)
	return map[string]bool{
		"bias": true, "question follows": s.asks, "exclamation": strings.HasSuffix(s.text, "!"),
		"short but clear": n <= 7 && n > 3 && isClear && !strings.HasSuffix(s.text, "!"), "tiny": n <= 4, "short": n > 4 && n <= 7, "long": n > 30, "list": s.list && s.speaker != Note, "label": strings.HasSuffix(s.text, ":"),
		"number": numbers > 0, "numbers": numbers > 1, "name": names > 0, "names": names > 1, "code": codes > 0,
		"quotation": quoted > 0, "comma": strings.Contains(s.text, ","), "semicolon": strings.ContainsAny(s.text, ";:"),
		"evidence before": s.evidence,
	}
}

// sentenceStart returns the index of the first token that is not a filler.
func sentenceStart(tokens []token) int {
	for i, t := range tokens {
		if !filler(t.word) && (t.word != "no" && t.word != "nein" || i+1 < len(tokens) && tokens[i+1].before == 0) {
			return i
		}
	}
	return 0
}

// filler reports whether a word at the beginning of a sentence says nothing.
func filler(word string) bool {
	switch word {
	case "ok", "okay", "k", "alright", "right", "so", "and", "but", "well", "yeah", "yes", "yep", "yup", "nope", "nah", "fine", "oh", "ah", "hm", "hmm",
		"also", "anyway", "anyways", "btw", "actually", "look", "hey", "hi", "thanks", "great", "good", "perfect", "honestly", "fyi", "sure", "cool",
		"lovely", "true", "then", "wait", "because", "since", "plus", "thx", "nice", "sweet",
		"ja", "nein", "gut", "na", "und", "aber", "danke", "super", "genau", "uebrigens", "ach", "naja", "klar", "passt", "achja", "stimmt", "hallo", "servus",
		"gruezi", "moin", "merci", "jo", "jep", "denn", "weil", "noch", "alles":
		return true
	}
	return false
}

// codeLike reports whether more than one character in maxCodePart is one that sentences
// hardly have.
func codeLike(text string) bool {
	n := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '}', '[', ']', '<', '>', '=', ';', '|', '\\', '$':
			n++
		}
	}
	return n*maxCodePart > len(text)
}

// commonWord reports whether a capitalized word is not a name.
func commonWord(word string) bool {
	return words.Stop(word)
}
