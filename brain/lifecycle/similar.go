package lifecycle

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
	// SimilarShare is the share of the way from the mean of all cosines to 1 from which a
	// cosine makes two texts similar.
	SimilarShare = 0.2
)

// Match is a memory that is similar to another one.
type Match struct {
	brain.Memory
	// Near is how near its vector is to that of the other one: the share of the way from the
	// mean of all cosines to 1. It is 0 for a text without a vector.
	Near float64
}

// Similar returns memories that may be about the same subject as m: live and expired ones of
// its project or of none that share a rare word with it (in at most a twentieth of all texts,
// or in three), or whose cosine with its vector is at least a fifth of the way from the mean
// to 1. The result is nearest first, at most limit, and never has m itself. An entity is
// similar to entities only. Texts without a vector are compared by words.
func Similar(r brain.Reader, m *brain.Memory, vector brain.Vector, limit int) ([]Match, error) {
	name, text := statement.Said(m) // without labels, dates and headings, which many texts share
	terms := words.Longest(words.Content(plaintext.Clip(name+"\n"+text, similarText), 0), similarTerms)
	candidates := 2 * (limit + 1) // m may be one of them, and others are entities
	if len(vector.Values) > 0 {
		candidates = max(candidates, similarCandidates)
	}
	sharing, err := r.Search(brain.SearchQuery{
		Words: words.Query{Terms: terms}, Rare: true, NoSections: true, Project: &m.Project, Shared: true, Limit: candidates,
	})
	if err != nil {
		return nil, err
	}
	found, score := map[string]Match{}, map[string]float64{}
	for _, h := range sharing {
		score[h.ID] = h.Score / sharing[0].Score
	}
	if len(vector.Values) > 0 {
		near, err := Near(r, m, vector, SimilarShare, slices.Collect(maps.Keys(score))...)
		if err != nil {
			return nil, err
		}
		for _, n := range near { // of 60 pairs in a store of 300, nearness finds the older one for 51, its sum with the words for 39
			found[n.ID], score[n.ID] = n, n.Near
		}
	}
	far := slices.DeleteFunc(slices.Sorted(maps.Keys(score)), func(id string) bool { return found[id].ID != "" })
	ms, err := r.Memories(far...)
	if err != nil {
		return nil, err
	}
	for _, m := range ms {
		found[m.ID] = Match{Memory: m}
	}
	delete(found, m.ID)
	maps.DeleteFunc(found, func(_ string, o Match) bool { return o.Entity != m.Entity })
	all := slices.SortedFunc(maps.Values(found), func(a, b Match) int {
		return cmp.Or(cmp.Compare(score[b.ID], score[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), limit)], nil
}

// Near returns the memories of the project of m or of none whose vectors are nearest to a
// vector, from a share of the way from the mean of all cosines to 1, and also the memories with
// the given ids that have a vector.
func Near(r brain.Reader, m *brain.Memory, vector brain.Vector, least float64, ids ...string) ([]Match, error) {
	near, err := r.Nearest(vector, brain.SearchQuery{NoSections: true, Limit: similarCandidates})
	if err != nil {
		return nil, err
	}
	mean := near.Spread.Mean
	share := func(cosine float64) float64 { return max(0, (cosine-mean)/max(1-mean, 0.01)) }
	for _, hit := range near.Hits {
		if share(hit.Score) >= least && (hit.Project == m.Project || hit.Project == "") {
			ids = append(ids, hit.ID)
		}
	}
	cosines, err := r.Cosines(vector, brain.Unique(ids)...)
	if err != nil {
		return nil, err
	}
	ms, err := r.Memories(slices.Collect(maps.Keys(cosines))...)
	return brain.Map(ms, func(m brain.Memory) Match { return Match{m, share(cosines[m.ID])} }), err
}
