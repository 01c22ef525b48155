package extract

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

var writeFit = flag.Bool("fit", false, "write the fitted weights into cues.txt")

// The fit: weights are shrunk towards 0 by ridges, and the assistant's bias is raised
// because its few labels say too little.
const (
	ridge         = 2.0
	kindRidge     = 1.0
	steps         = 60
	kindSteps     = 300
	assistantBias = 1.0
)

// sample is a labelled statement: the cues found in it, and its kind, "" for none.
type sample struct {
	cues []int
	kind Kind
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
		ofUser, ofAssistant := fitKept(user, len(table.cues)), fitKept(assistant, len(table.cues))
		ofAssistant[0] += assistantBias
		ofKind := fitKinds(append(kept(user), kept(assistant)...), table)
		text, moved := cueText, 0.0
		for i, c := range table.cues {
			kind, bias := string(c.kind), strings.HasPrefix(c.name, "bias ")
			if kind == "" {
				kind = "-"
			}
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
			if err := os.WriteFile("cues.txt", []byte(text), 0o600); err != nil {
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
	add := func(text string, keep []label) {
		j := newJudge()
		for s := range (Turn{Speaker: speaker, Text: text}).statements() {
			if math.IsInf(j.judge(s).strength, -1) {
				continue
			}
			var one sample
			for i, at := range j.found {
				if at >= 0 && !j.table.cues[i].part {
					one.cues = append(one.cues, i)
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
			add(m.Text, m.Keep)
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
		add(fields[2], keep)
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
func fitKept(all []sample, n int) []float64 {
	w, sums, having := make([]float64, n), make([]float64, len(all)), make([][]int, n)
	names := newJudge().table.cues
	for at, s := range all {
		for _, i := range s.cues {
			if !strings.HasPrefix(names[i].name, "bias ") {
				having[i] = append(having[i], at)
			}
		}
	}
	for range steps {
		for i := range w {
			r := ridge
			if i == 0 {
				r = 0
			}
			gradient, curvature := r*w[i], r+1e-6
			for _, at := range having[i] {
				y, p := 0.0, 1/(1+math.Exp(-sums[at]))
				if all[at].kind != "" {
					y = 1
				}
				gradient += (p - y)
				curvature += p * (1 - p)
			}
			step := -gradient / curvature
			w[i] += step
			for _, at := range having[i] {
				sums[at] += step
			}
		}
	}
	return w
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
	for range kindSteps {
		gradient := make([]float64, n)
		for i := range w {
			gradient[i] = kindRidge * w[i]
		}
		for _, s := range all {
			odds, total := map[Kind]float64{}, 0.0
			for _, k := range Kinds() {
				odds[k] = 0
			}
			for _, i := range s.cues {
				if k := table.cues[i].kind; k != "" {
					odds[k] += w[i]
				}
			}
			for _, k := range Kinds() {
				odds[k] = math.Exp(odds[k])
				total += odds[k]
			}
			for _, i := range s.cues {
				k := table.cues[i].kind
				if k == "" {
					continue
				}
				gradient[i] += odds[k] / total
				if k == s.kind {
					gradient[i]--
				}
			}
		}
		for i := range w {
			w[i] -= rate * gradient[i] / (0.1*seen[i] + kindRidge)
		}
	}
	return w
}
