package recall_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

// said is a turn of a conversation.
func said(id string, position int, text string) brain.Passage {
	return brain.Passage{ID: id, Group: "chat", Position: position, Text: brain.IndexedText{Content: text}}
}

func note(id, text string) brain.Passage {
	return brain.Passage{ID: id, Text: brain.IndexedText{Content: text}}
}

// ranked orders passages for a query; every word of it is in 2 of 100 texts of 5 words.
func ranked(query string, candidates, neighbours []brain.Passage) []recall.Ranked {
	parsed := words.Parse(query)
	stats := brain.Statistics{Records: 100, Length: 500, With: map[string]int{}}
	for _, term := range parsed.Terms {
		stats.With[term] = 2
	}
	asked := recall.NewRanking(parsed, stats)
	return recall.DefaultFormula().Rank(&asked, asked.ReadAll(candidates), asked.ReadAll(neighbours))
}

func of(t *testing.T, all []recall.Ranked, id string) recall.Terms {
	t.Helper()
	at := slices.IndexFunc(all, func(r recall.Ranked) bool { return r.ID == id })
	if at < 0 {
		t.Fatalf("%s is not among %d texts", id, len(all))
	}
	return all[at].Why
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The figures of this test are computed by hand from the formula: texts of mean length, so
// that each word counts 1, and one weight for all words.
func TestAWordNextDoorCountsAQuarter(t *testing.T) {
	all := ranked("staging port", []brain.Passage{
		said("a", 1, "staging moved alpha beta gamma"), said("b", 2, "port moved alpha beta gamma"),
	}, nil)
	best := 1/(1+0.9) + 0.25/(0.25+0.9) // the word of b, and that of a before it
	near(t, "the best", of(t, all, "b").Words, 1)
	near(t, "with a word of the next", of(t, all, "a").Words, (1/(1+0.9)+0.12/(0.12+0.9))/best)
}

func TestAStandInScoresLessThanTheWord(t *testing.T) {
	asked := words.Query{Terms: []string{"okapi", "zebra"}, Weights: map[string]float64{"zebra": 0.4}}
	q := recall.NewRanking(asked, brain.Statistics{Records: 100, Length: 100, With: map[string]int{"okapi": 2, "zebra": 2}})
	all := recall.DefaultFormula().Rank(&q, q.ReadAll([]brain.Passage{note("a", "okapi"), note("b", "zebra")}), nil)
	near(t, "the word", of(t, all, "a").Words, 1)
	near(t, "the stand-in", of(t, all, "b").Words, 0.4)
}

func TestNothingIsRankedWithoutAWordOfTheQuery(t *testing.T) {
	if all := ranked("staging", []brain.Passage{note("a", "the port moved")}, nil); len(all) != 0 {
		t.Errorf("ranked %v", all)
	}
}

// The order depends on the texts alone, not on the order in which a store returns them.
func TestOrderIsThatOfTheTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"staging", "port", "moved", "deploy", "friday", "why?"})
		var all []brain.Passage
		for i := range rapid.IntRange(2, 12).Draw(t, "texts") {
			text := ""
			for _, w := range rapid.SliceOfN(word, 1, 8).Draw(t, "words") {
				text += w + " "
			}
			all = append(all, said(string(rune('a'+i)), i/2, text))
		}
		first := ranked("staging port friday", all, nil)
		second := ranked("staging port friday", rapid.Permutation(all).Draw(t, "order"), nil)
		if len(first) != len(second) {
			t.Fatalf("%d texts, then %d", len(first), len(second))
		}
		for i := range first {
			if first[i].ID != second[i].ID || first[i].Why.Words < 0 || first[i].Why.Words > 1 {
				t.Fatalf("at %d %+v, then %+v", i, first[i], second[i])
			}
		}
	})
}

// withVectors ranks texts whose cosines are given, as people ask; the mean is 0.1, the deviation
// 0.1.
func withVectors(query string, cosines map[string]float64, texts ...brain.Passage) []recall.Ranked {
	parsed := words.Parse(query)
	with := map[string]int{}
	for _, term := range parsed.Terms {
		with[term] = 2
	}
	asked := recall.NewRanking(parsed, brain.Statistics{Records: 100, Length: 500, With: with})
	asked.Compare(cosines, brain.Spread{Mean: 0.1, Deviation: 0.1}, 0.2)
	return recall.DefaultFormula().Rank(&asked, asked.ReadAll(texts), nil)
}

// A vector counts the more the fewer words of the question any text has.
func TestWordsAreBelievedWhereTheyMatch(t *testing.T) {
	cosines := map[string]float64{"near": 0.6, "far": 0.15, "word": 0.1}
	far, system, word := note("far", "printers hum"), note("near", "the test system listens"), note("word", "port")
	none := withVectors("staging port", cosines, far, system)
	near(t, "five deviations above the mean, no word", of(t, none, "near").Vector, 1.5*5)
	near(t, "half a deviation", of(t, none, "far").Vector, 1.5*0.5)
	half := withVectors("staging port", cosines, far, system, word)
	near(t, "half of the words", of(t, half, "near").Vector, 1.5*0.25*5)
	near(t, "the mean", of(t, half, "word").Vector, 0)
	all := withVectors("staging port", cosines, system, note("all", "staging port"))
	near(t, "all of the words", of(t, all, "near").Vector, 0)
	near(t, "without a vector", of(t, all, "all").Vector, 0)

	answers := func(all []recall.Ranked) (ids string) {
		for _, r := range all {
			if r.HasWord || r.Near {
				ids += r.ID + " "
			}
		}
		return ids
	}
	for _, c := range []struct{ got, want string }{
		{answers(none), "near "}, {answers(half), "near word "}, {answers(all), "all "},
	} {
		if c.got != c.want {
			t.Errorf("answers are %s, want %s", c.got, c.want)
		}
	}
}
