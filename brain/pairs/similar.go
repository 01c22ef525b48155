package pairs

import (
	"cmp"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	similarText       = 2000 // characters at the beginning of a text that are compared
	similarTerms      = 8    // of them, the longest ones, are looked up
	similarCandidates = 20   // by words, and again by vector, if there is one
	// similarShare is the share of the way from the mean of all cosines to 1 from which a
	// cosine makes two texts similar.
	similarShare = 0.2
)

// Similar returns memories that may be about the same subject as m: live and expired ones of
// its project or of none that share a rare word with it (in at most a twentieth of all texts,
// or in three), or whose cosine with its vector is at least a fifth of the way from the mean
// to 1. The result is nearest first, at most limit, and never has m itself. An entity is
// similar to entities only. Texts without a vector are compared by words.
func Similar(r brain.Reader, m *brain.Memory, vector brain.Vector, limit int) ([]brain.Memory, error) {
	name, text := statement.Said(m) // without labels, dates and headings, which many texts share
	terms := words.Longest(words.Content(plaintext.Clip(name+"\n"+text, similarText), 0), similarTerms)
	candidates := 2 * (limit + 1) // m may be one of them, and others are entities
	if len(vector.Values) > 0 {
		candidates = max(candidates, similarCandidates)
	}
	sharing, err := r.SharingWords(m.Project, candidates, terms...)
	if err != nil {
		return nil, err
	}
	found, score := map[string]brain.Memory{}, map[string]float64{}
	for _, s := range sharing {
		found[s.ID], score[s.ID] = s.Memory, s.Score/sharing[0].Score
	}
	if len(vector.Values) > 0 {
		if err := addNear(r, m, vector, found, score); err != nil {
			return nil, err
		}
	}
	delete(found, m.ID)
	maps.DeleteFunc(found, func(_ string, o brain.Memory) bool { return o.Entity != m.Entity })
	all := make([]brain.Memory, 0, len(found))
	for _, other := range found {
		all = append(all, other)
	}
	slices.SortFunc(all, func(a, b brain.Memory) int {
		return cmp.Or(cmp.Compare(score[b.ID], score[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), limit)], nil
}

// addNear adds the memories whose vectors are near. The score of each text with a vector is how
// near it is: the share of the way from the mean to 1. Of 60 pairs in a store of 300, that finds
// the older one for 51, and the sum with the words for 39.
func addNear(r brain.Reader, m *brain.Memory, vector brain.Vector, found map[string]brain.Memory, score map[string]float64) error {
	near, err := r.Nearest(vector, brain.SearchQuery{NoSections: true, Limit: similarCandidates})
	if err != nil {
		return err
	}
	share := func(cosine float64) float64 { return (cosine - near.Spread.Mean) / max(1-near.Spread.Mean, 0.01) }
	var added, known []string
	for _, hit := range near.Hits {
		ours := hit.Project == m.Project || hit.Project == ""
		if _, shares := found[hit.ID]; !shares && ours && share(hit.Score) >= similarShare {
			added = append(added, hit.ID)
		}
	}
	for id := range found {
		known = append(known, id)
	}
	ms, err := r.Memories(added...)
	if err != nil {
		return err
	}
	for _, other := range ms {
		found[other.ID] = other
	}
	cosines, err := r.Cosines(vector, append(known, added...)...)
	for id, cosine := range cosines {
		score[id] = max(0, share(cosine))
	}
	return err
}
