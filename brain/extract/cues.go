package extract

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed cues.txt
var cueText string

// cue is something in a sentence that speaks for or against keeping it.
type cue struct {
	name      string
	kind      Kind    // that it speaks for, "-" for none
	user      float64 // log-odds in a sentence of the user
	assistant float64 // and of the assistant
	ofKind    float64 // log-odds of the kind among sentences that are kept
	shape     shape   // finds a cue that is not a phrase, nil for others
	part      bool    // has no weight: only others depend on it
	when      [][]int // finds it by other cues: all of a list, ^i for one that must be missing
}

// cueTable has the cues, and the phrases by which those that are phrases are found.
type cueTable struct {
	cues    []cue
	shapes  map[string]shape
	lexicon lexicon
}

// cues reads cues.txt once. It panics if something is wrong with our own file.
var cues = sync.OnceValue(func() *cueTable { return readCues(cueText) })

// readCues reads the lines of a table: "= name: words" defines <name>, "[name] kind user
// assistant of-kind" begins a cue, "& names" has other cues by which it is found, with "!"
// before one that must be missing, and each other line has phrases of it, separated by " / ".
func readCues(text string) *cueTable {
	t := &cueTable{shapes: shapes(), lexicon: lexicon{byWord: map[string][]entry{}}}
	classes := strings.NewReplacer()
	var pairs []string
	known := map[string]element{} // most elements are in several phrases, and some have hundreds of words
	parse := func(field string) element {
		e, ok := known[field]
		if !ok {
			text := field
			if strings.Contains(field, "<") {
				text = classes.Replace(field)
			}
			e = parseElement(text)
			known[field] = e
		}
		return e
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '%':
		case strings.HasPrefix(line, "= "):
			name, words, _ := strings.Cut(line[2:], ": ")
			pairs = append(pairs, "<"+name+">", classes.Replace(words))
			classes = strings.NewReplacer(pairs...)
		case line[0] == '[':
			t.begin(line)
		case strings.HasPrefix(line, "& "):
			t.require(line[2:])
		default:
			for one := range strings.SplitSeq(line, " / ") {
				t.lexicon.add(parsePhrase(one, parse), len(t.cues)-1)
			}
		}
	}
	return t
}

func (t *cueTable) begin(line string) {
	name, weights, _ := strings.Cut(line[1:], "]")
	c := cue{name: name, shape: t.shapes[name], part: weights == ""}
	if !c.part {
		if _, err := fmt.Sscan(weights, &c.kind, &c.user, &c.assistant, &c.ofKind); err != nil {
			panic(fmt.Errorf("read the kind and the three weights of the cue %q: %w", name, err))
		}
	}
	t.cues = append(t.cues, c)
}

// require makes the last cue depend on cues above it.
func (t *cueTable) require(names string) {
	var all []int
	for name := range strings.SplitSeq(names, ", ") {
		wanted, missing := strings.CutPrefix(name, "!")
		i := slices.IndexFunc(t.cues, func(c cue) bool { return c.name == wanted })
		if i < 0 {
			panic(fmt.Errorf("no cue above is called %q", wanted))
		}
		if missing {
			i = ^i
		}
		all = append(all, i)
	}
	last := &t.cues[len(t.cues)-1]
	last.when = append(last.when, all)
}
