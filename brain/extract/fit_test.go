package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var writeFit = flag.Bool("fit", false, "write the fitted weights into cues.txt")

// The fit: weights are shrunk towards 0 by ridges, and the assistant's bias is raised
// because its few labels say too little.
const (
	ridge         = 2.0
	wordRidge     = 2.0
	leastWord     = 3   // sentences that have a word that is learned
	leastWeight   = 0.1 // log-odds of a word that is written
	kindRidge     = 1.0
	steps         = 60
	kindSteps     = 300
	assistantBias = 1.0
)

// sample is a labelled statement: the cues found in it, and its kind, "" for none.
type sample struct {
	cues  []int
	words []string
	talk  bool // it is part of a whole talk
	kind  Kind
}

// BenchmarkFit fits the weights of cues.txt to the development half of the labelled set
// and the plain sentences of testdata. After a change of a cue run
//
//	go test ./brain/extract -run xxx -bench Fit -benchtime 1x -fit
//
// and then `brainbridge bench extract --development`. The second half is never fitted.
func BenchmarkFit(b *testing.B) {
	for b.Loop() {
		table := newJudge().table
		user, assistant := samples(b, User), samples(b, Assistant)
		learned := frequentWords(user)
		ofUser, ofAssistant := fitKept(user, len(table.cues), learned), fitKept(assistant, len(table.cues), nil)
		ofAssistant[0] += assistantBias
		ofKind := fitKinds(append(kept(user), kept(assistant)...), table)
		text, moved := cueText, 0.0
		for i, c := range table.cues {
			kind, bias := string(c.kind), strings.HasPrefix(c.name, "bias ")
			if bias {
				ofUser[i], ofAssistant[i] = 0, 0
			}
			ofUser[i], ofAssistant[i] = veto(ofUser[i], c.user), veto(ofAssistant[i], c.assistant)
			moved = max(moved, math.Abs(ofKind[i]-c.ofKind))
			line := regexp.MustCompile(`(?m)^\[` + regexp.QuoteMeta(c.name) + `\] .*$`)
			text = line.ReplaceAllString(text, fmt.Sprintf("[%s] %s %s %s %s", c.name, kind, weight(ofUser[i]), weight(ofAssistant[i]), weight(ofKind[i])))
		}
		b.ReportMetric(moved, "log-odds-moved")
		if *writeFit {
			if err := errors.Join(os.WriteFile("cues.txt", []byte(text), 0o600), os.WriteFile("words.tsv", wordTable(learned, ofUser[len(table.cues):]), 0o600)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// veto returns a fitted weight, or the one before if that is a veto.
func veto(fitted, before float64) float64 {
	if math.IsInf(before, -1) {
		return before
	}
	return fitted
}

func weight(w float64) string {
	if math.IsInf(w, -1) {
		return "-inf"
	}
	s := fmt.Sprintf("%.1f", w)
	if s == "0.0" || s == "-0.0" {
		return "0"
	}
	return s
}

// samples reads the labelled statements of a speaker. Options of the assistant that the
// user accepted are decisions by another rule and left out.
func samples(b *testing.B, speaker Speaker) (all []sample) {
	b.Helper()
	type label struct {
		Kind  Kind
		Quote string
	}
	add := func(text string, keep []label, talk bool) {
		j := newJudge()
		for s := range (Turn{Speaker: speaker, Text: text}).statements() {
			if math.IsInf(j.judge(s).strength, -1) {
				continue
			}
			one := sample{talk: talk}
			for i, found := range j.found {
				if found && !j.table.cues[i].part {
					one.cues = append(one.cues, i)
				}
			}
			if speaker == User {
				for word := range wordFeatures(j.tokens) {
					one.words = append(one.words, string(word))
				}
			}
			for _, l := range keep {
				if strings.Contains(l.Quote, s.text) || strings.Contains(s.text, l.Quote) {
					one.kind = l.Kind
				}
			}
			if speaker == User || one.kind != Decision {
				all = append(all, one)
			}
		}
	}
	talks, err := os.ReadFile("../../cmd/brainbridge/bench/testdata/extract/development.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(talks) {
		var m struct {
			Role Speaker
			Text string
			Keep []label
		}
		if err := json.Unmarshal(line, &m); err != nil {
			b.Fatal(err)
		}
		if m.Role == speaker {
			add(m.Text, m.Keep, true)
		}
	}
	plain, err := os.ReadFile("testdata/said.tsv")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(plain)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if Speaker(fields[1]) != speaker {
			continue
		}
		var keep []label
		if fields[0] != "none" {
			keep = []label{{Kind(fields[0]), fields[2]}}
		}
		add(fields[2], keep, false)
	}
	return all
}

func kept(all []sample) (some []sample) {
	for _, s := range all {
		if s.kind != "" {
			some = append(some, s)
		}
	}
	return some
}

// fitKept returns the weights of a logistic regression for being kept, by Newton steps on
// one weight after the other. The first cue is the bias, which has no ridge. The biases of
// the kinds take no part.
func fitKept(all []sample, n int, learned []string) []float64 {
	size := n + len(learned)
	w, sums, having := make([]float64, size), make([]float64, len(all)), make([][]int, size)
	names := newJudge().table.cues
	number := map[string]int{}
	for i, word := range learned {
		number[word] = n + i
	}
	for at, s := range all {
		seen := map[string]bool{}
		for _, word := range s.words {
			if i := number[word]; i > 0 && !seen[word] {
				seen[word] = true
				having[i] = append(having[i], at)
			}
		}
		for _, i := range s.cues {
			if !strings.HasPrefix(names[i].name, "bias ") {
				having[i] = append(having[i], at)
			}
		}
	}
	// newton moves a weight by one step, so that it fits these samples.
	newton := func(i int, ridge float64, samples []int) float64 {
		gradient, curvature := ridge*w[i], ridge+1e-6
		for _, at := range samples {
			y, p := 0.0, 1/(1+math.Exp(-sums[at]))
			if all[at].kind != "" {
				y = 1
			}
			gradient += p - y
			curvature += p * (1 - p)
		}
		w[i] -= gradient / curvature
		return -gradient / curvature
	}
	for range steps {
		for i := range w {
			r := ridge
			switch {
			case i == 0:
				r = 0
			case i >= n:
				r = wordRidge
			}
			step := newton(i, r, having[i])
			for _, at := range having[i] {
				sums[at] += step
			}
		}
	}
	// Of the plain sentences more are kept than of a talk, so only talks tell the bias.
	var talks []int
	for at, s := range all {
		if s.talk {
			talks = append(talks, at)
		}
	}
	for range steps {
		step := newton(0, 0, talks)
		for _, at := range talks {
			sums[at] += step
		}
	}
	return w
}

// frequentWords returns the words and pairs of enough statements.
func frequentWords(all []sample) []string {
	count := map[string]int{}
	for _, s := range all {
		for _, word := range slices.Compact(slices.Sorted(slices.Values(s.words))) {
			count[word]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return n < leastWord })
	return slices.Sorted(maps.Keys(count))
}

// wordTable returns the lines of words.tsv.
func wordTable(learned []string, weights []float64) []byte {
	var lines []byte
	for i, word := range learned {
		if math.Abs(weights[i]) >= leastWeight {
			lines = fmt.Appendf(lines, "%s\t%.1f\n", word, weights[i])
		}
	}
	return lines
}

// fitKinds returns the weights of a softmax over the kinds, in which a cue speaks only for
// its own kind.
func fitKinds(all []sample, table *cueTable) []float64 {
	const rate = 0.08
	n := len(table.cues)
	w, seen := make([]float64, n), make([]float64, n)
	for _, s := range all {
		for _, i := range s.cues {
			seen[i]++
		}
	}
	isBias := func(i int) bool { return strings.HasPrefix(table.cues[i].name, "bias ") }
	for step := range 2 * kindSteps {
		biases := step >= kindSteps // of talks alone, as in fitKept
		gradient := make([]float64, n)
		for i := range w {
			gradient[i] = kindRidge * w[i]
		}
		for _, s := range all {
			if biases && !s.talk {
				continue
			}
			odds, total := map[Kind]float64{}, 0.0
			for _, k := range Kinds() {
				odds[k] = 0
			}
			for _, i := range s.cues {
				if k := table.cues[i].kind; k != "-" {
					odds[k] += w[i]
				}
			}
			for _, k := range Kinds() {
				odds[k] = math.Exp(odds[k])
				total += odds[k]
			}
			for _, i := range s.cues {
				k := table.cues[i].kind
				if k == "-" {
					continue
				}
				gradient[i] += odds[k] / total
				if k == s.kind {
					gradient[i]--
				}
			}
		}
		for i := range w {
			if !biases || isBias(i) {
				w[i] -= rate * gradient[i] / (0.1*seen[i] + kindRidge)
			}
		}
	}
	return w
}
