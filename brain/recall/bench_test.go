package recall_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

// BenchmarkRank ranks texts of 45 words for a question of four: what a recall ranks, 50
// candidates with two neighbours on each side, and 250 candidates without neighbours.
func BenchmarkRank(b *testing.B) {
	parsed := words.Parse("which port does the staging database use")
	stats := brain.Statistics{Records: 100_000, Length: 4_500_000, With: map[string]int{}}
	for i, term := range parsed.Terms {
		stats.With[term] = 100 << i
	}
	for name, neighbours := range map[string]int{"50 with neighbours": 2 * recall.Reach, "250": 0} {
		random := rand.New(rand.NewPCG(1, 1))
		var candidates, others []brain.Passage
		for at := range 250 {
			p := brain.Passage{ID: fmt.Sprint(at), Text: brain.IndexedText{Content: sentence(random, parsed.Terms)}}
			if neighbours > 0 {
				p.Group, p.Position = fmt.Sprint("chat", at/(neighbours+1)), at
			}
			if at%(neighbours+1) == neighbours/2 {
				candidates = append(candidates, p)
			} else {
				others = append(others, p)
			}
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				asked := recall.NewRanking(parsed, stats)
				recall.DefaultFormula().Rank(&asked, asked.ReadAll(candidates), asked.ReadAll(others))
			}
		})
	}
}

// sentence returns 45 words, of which some are asked for.
func sentence(random *rand.Rand, asked []string) string {
	all := make([]string, 45)
	for i := range all {
		all[i] = fmt.Sprint("word", random.IntN(3000))
		if random.IntN(20) == 0 {
			all[i] = asked[random.IntN(len(asked))]
		}
	}
	return strings.Join(all, " ")
}
