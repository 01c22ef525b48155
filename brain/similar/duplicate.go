package similar

import "fmt"

// Thresholds are the similarities of the duplicate rules, in [0, 1].
type Thresholds struct {
	// NearExact is what near-exact duplicates of one subject lie above.
	NearExact float64
	// SameWords is what texts of the same words in the same order lie above.
	SameWords float64
	// Alike is from where on a pair is worth a second look. Below it texts are
	// different, but for those that are the same once normalised.
	Alike float64
}

// Defaults are the thresholds where nobody set others.
func Defaults() Thresholds { return Thresholds{NearExact: 0.95, SameWords: 0.85, Alike: 0.70} }

// Less are the thresholds for merging, lower by tolerance: what two texts have
// to reach that are to be merged because of a third.
func (t Thresholds) Less(tolerance float64) Thresholds {
	t.NearExact, t.SameWords = t.NearExact-tolerance, t.SameWords-tolerance
	t.Alike = min(t.Alike, t.SameWords)
	return t
}

// Verdict says what to do with a pair of texts.
type Verdict int

const (
	// Different texts have nothing to do with each other.
	Different Verdict = iota
	// Merge holds for duplicates that are merged by rule.
	Merge
	// Review holds for texts that are alike, where a model or a person decides.
	Review
	// Held holds for texts that are alike but differ in what the guard names: a
	// person decides, never a rule or a model.
	Held
	// Conflict is Held for texts that speak of the same subject, and holds for
	// short ones that are not alike, but claim different things of it.
	Conflict
)

// String returns the verdict as reviews show it.
func (v Verdict) String() string {
	switch v {
	case Merge:
		return "merge"
	case Review:
		return "review"
	case Held:
		return "held"
	case Conflict:
		return "conflict"
	}
	return "different"
}

// Duplicate judges a pair by the default thresholds, see [Thresholds.Judge].
func Duplicate(a, b Text) (Verdict, string) { return Defaults().Judge(a, b) }

// Judge judges a pair by similarity and guard. The reason is a phrase for
// people, without the texts. The verdict is symmetric.
func (t Thresholds) Judge(a, b Text) (Verdict, string) {
	if a.normalised == b.normalised {
		return Merge, "the same text"
	}
	similarity := a.Similarity(b)
	if Disagree(a, b) {
		return Conflict, fmt.Sprintf("something else is said of the same subject, similarity %.2f", similarity)
	}
	if similarity < t.Alike {
		return Different, fmt.Sprintf("similarity %.2f", similarity)
	}
	differs := Guard(a, b)
	sameSubject := a.subject == b.subject
	switch {
	case differs == 0 && similarity > t.NearExact && sameSubject && !reworded(a.said(), b.said()):
		return Merge, fmt.Sprintf("near-exact duplicate, similarity %.2f", similarity)
	case differs == 0 && similarity > t.SameWords && sameContent(a.said(), b.said()):
		return Merge, fmt.Sprintf("the same words, similarity %.2f", similarity)
	case differs == 0:
		return Review, fmt.Sprintf("similarity %.2f", similarity)
	case differs == Order:
		return Review, fmt.Sprintf("similarity %.2f, other order of words", similarity)
	case sameSubject:
		return Conflict, fmt.Sprintf("similarity %.2f, but another %s", similarity, differs)
	}
	return Held, fmt.Sprintf("similarity %.2f, but another %s", similarity, differs)
}
