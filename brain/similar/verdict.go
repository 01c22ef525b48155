package similar

import (
	"fmt"
	"slices"
)

// Thresholds are the similarities of the duplicate rules, in [0, 1].
type Thresholds struct {
	// NearExact is the similarity above which texts of one subject are near-exact
	// duplicates.
	NearExact float64
	// SameWords is the similarity above which texts of the same content words in
	// the same order are duplicates.
	SameWords float64
	// Alike is the least similarity of a pair that is worth a second look.
	Alike float64
}

// Defaults returns the default thresholds.
func Defaults() Thresholds { return Thresholds{NearExact: 0.95, SameWords: 0.85, Alike: 0.70} }

// Less returns the thresholds lowered by tolerance. Members of a cluster that
// are joined by a third one are judged by them.
func (t Thresholds) Less(tolerance float64) Thresholds {
	t.NearExact, t.SameWords = t.NearExact-tolerance, t.SameWords-tolerance
	t.Alike = min(t.Alike, t.SameWords)
	return t
}

// Verdict is what to do with a pair of texts.
type Verdict int

const (
	// Different texts are not alike.
	Different Verdict = iota
	// Merge is for duplicates that are merged by rule.
	Merge
	// Review is for texts that are alike; a model or a person decides.
	Review
	// Held is for texts that are alike but differ in what the guard compares; no rule or
	// model merges them.
	Held
)

// Duplicate judges a pair by the default thresholds, see [Thresholds.Judge].
func Duplicate(a, b Text) (Verdict, string) { return Defaults().Judge(a, b) }

// Judge judges a pair by similarity and guard. The reason is a phrase for people
// that does not quote the texts. The verdict is symmetric.
func (t Thresholds) Judge(a, b Text) (Verdict, string) {
	if a.normalised == b.normalised {
		return Merge, "the same text"
	}
	similarity := a.Similarity(b)
	if similarity < t.Alike {
		return Different, fmt.Sprintf("similarity %.2f", similarity)
	}
	switch differs := Guard(a, b); {
	case differs == 0 && similarity > t.NearExact && a.subject == b.subject && nearExact(a.parsed(), b.parsed()):
		return Merge, fmt.Sprintf("near-exact duplicate, similarity %.2f", similarity)
	case differs == 0 && similarity > t.SameWords && slices.Equal(a.parsed().words, b.parsed().words):
		return Merge, fmt.Sprintf("the same words, similarity %.2f", similarity)
	case differs == 0:
		return Review, "they say much the same"
	case differs == Order:
		return Review, "they say much the same, in another order of words"
	default:
		return Held, "they differ in " + differs.withArticles()
	}
}
