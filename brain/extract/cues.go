package extract

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed cues.txt
var cueText string

// cue is something in a sentence that speaks for or against keeping it.
type cue struct {
	name      string
	kind      Kind             // that it speaks for, "" for none
	user      float64          // log-odds in a sentence of the user
	assistant float64          // and of the assistant
	ofKind    float64          // log-odds of the kind among sentences that are kept
	shape     func(shape) bool // finds a cue that is not a phrase, nil for others
}

// cueTable has the cues, and the phrases by which those that are phrases are found.
type cueTable struct {
	cues    []cue
	shapes  map[string]func(shape) bool
	clear   []int // the cues that are clear on their own
	lexicon lexicon
}

// cues reads cues.txt once.
var cues = sync.OnceValue(func() *cueTable {
	t, err := readCues(cueText)
	if err != nil {
		panic(err) // our own file, read by every test
	}
	return t
})

// readCues reads the lines of a table: "= name: words" defines <name>, "[name] kind user
// assistant of-kind" begins a cue, and each other line has
// phrases of it, separated by " / ".
func readCues(text string) (*cueTable, error) {
	t := &cueTable{shapes: shapes(), lexicon: lexicon{byWord: map[string][]entry{}}}
	var classes []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, words, ok := strings.Cut(strings.TrimPrefix(line, "= "), ": "); ok && strings.HasPrefix(line, "= ") {
			classes = append(classes, "<"+name+">", strings.NewReplacer(classes...).Replace(words))
			continue
		}
		if strings.HasPrefix(line, "[") {
			if err := t.begin(line); err != nil {
				return nil, err
			}
			continue
		}
		if line == "" || line[0] == '%' {
			continue
		}
		for one := range strings.SplitSeq(strings.NewReplacer(classes...).Replace(line), " / ") {
			p := parsePhrase(one)
			if p == nil || len(t.cues) == 0 {
				return nil, fmt.Errorf("the phrase %q of a cue needs a word", one)
			}
			t.lexicon.add(p, len(t.cues)-1)
		}
	}
	return t, nil
}

func (t *cueTable) begin(line string) error {
	name, rest, _ := strings.Cut(line[1:], "]")
	fields := strings.Fields(rest)
	c := cue{name: name, shape: t.shapes[name]}
	if len(fields) != 4 {
		return fmt.Errorf("the cue %q needs a kind and three weights", line)
	}
	if c.kind = Kind(fields[0]); fields[0] == "-" {
		c.kind = ""
	}
	for i, weight := range []*float64{&c.user, &c.assistant, &c.ofKind} {
		var err error
		if *weight, err = strconv.ParseFloat(fields[i+1], 64); err != nil {
			return fmt.Errorf("read the cue %q: %w", name, err)
		}
	}
	if strings.HasPrefix(name, "clear ") || name == "we decided" {
		t.clear = append(t.clear, len(t.cues))
	}
	t.cues = append(t.cues, c)
	return nil
}
