package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// judge compares a capture with what is stored: live and expired memories of
// its project and of none. It writes nothing.
func (b *Service) judge(ctx context.Context, c brain.Capture) (brain.Judgement, error) {
	numbers, err := b.base.Numbers(ctx)
	if err != nil {
		return brain.Judgement{}, err
	}
	m := *c.Memory
	f := GateFacts{AppliesTo: m.AppliesTo, Severity: m.Severity, Origin: m.Origin, Common: c.Gate.Common}
	nearest := ""
	err = b.base.Store.View(ctx, func(r brain.Reader) error {
		q := brain.SearchQuery{Words: likeQuery(said(m)), NoSections: true}
		near, err := b.nearest(r, m, q)
		if err != nil {
			return err
		}
		nearest, f.Nearest, f.Similarity, f.Contradicts = near.id, near.label, near.similarity, near.contradicts
		f.Keyword, err = alignment(r, m, q)
		return err
	})
	if err != nil {
		return brain.Judgement{}, err
	}
	j := brain.Judgement{Threshold: numbers.RelevanceThreshold}
	j.Score, j.Reasons, j.Warnings = f.Score()
	if f.Duplicate() {
		j.DuplicateOf = nearest
	}
	if j.Reasons == nil {
		j.Reasons = []string{"0: nothing speaks for it or against it"}
	}
	return j, nil
}

// said is a text as it is compared: with its name, where that is one that
// somebody gave to it.
func said(m brain.Memory) string {
	if name := m.GivenName(); name != "" {
		return name + "\n" + m.Content
	}
	return m.Content
}

// tellingWords is how many words of a text are looked up: its longest, which
// are the rarest as a rule.
const tellingWords = 64

// likeQuery is the query for what is like a text.
func likeQuery(text string) words.Query {
	q := words.Parse(text)
	q.Phrases = nil
	if len(q.Terms) > tellingWords {
		slices.SortStableFunc(q.Terms, func(a, z string) int {
			return cmp.Compare(utf8.RuneCountInString(z), utf8.RuneCountInString(a))
		})
		q.Terms = slices.Clone(q.Terms[:tellingWords])
	}
	return q
}

// near is the stored memory that is most like a text.
type near struct {
	id, label   string
	similarity  float64
	contradicts bool
}

// gateCandidates is how many memories full text proposes for comparison.
const gateCandidates = 50

// nearest finds the memory that is most like m. Of equals one that does not
// contradict it comes first, then the best found.
func (b *Service) nearest(r brain.Reader, m brain.Memory, q brain.SearchQuery) (near, error) {
	candidates, err := searched(r, m, q)
	if err != nil || len(candidates) == 0 {
		return near{}, err
	}
	text := said(m)
	compare := b.compare(text)
	var best near
	for i := range candidates {
		held := said(candidates[i])
		if tooFar(len(text), len(held)) {
			continue
		}
		n := near{id: candidates[i].ID, label: label(candidates[i])}
		n.similarity, n.contradicts = compare(held)
		if n.better(best) {
			best = n
		}
	}
	return best, nil
}

func (n near) better(than near) bool {
	a, z := GateFacts{Similarity: n.similarity, Contradicts: n.contradicts}, GateFacts{Similarity: than.similarity, Contradicts: than.contradicts}
	if a.Duplicate() != z.Duplicate() {
		return a.Duplicate()
	}
	return n.similarity > than.similarity
}

// tooFar holds for texts of so different lengths that they have little in
// common.
func tooFar(a, z int) bool {
	const times, small = 8, 256
	return max(a, z) > small && max(a, z) > times*min(a, z)
}

func label(m brain.Memory) string {
	return fmt.Sprintf("%s %q", m.ID, plaintext.Clip(plaintext.OneLine(m.Name), 40))
}

// searched are the memories that full text finds for m, and those of its name.
func searched(r brain.Reader, m brain.Memory, q brain.SearchQuery) ([]brain.Memory, error) {
	named, err := r.MemoriesByName([]string{m.NameKey}, lifecycle.SameNameLimit)
	if err != nil {
		return nil, err
	}
	hits, err := hitsIn(r, m.Project, q, gateCandidates)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	var all []brain.Memory
	for _, held := range append(hits, named...) {
		if !known[held.ID] && (held.Project == "" || held.Project == m.Project) {
			known[held.ID] = true
			all = append(all, held)
		}
	}
	return all, nil
}

// hitsIn searches a project and what has none.
func hitsIn(r brain.Reader, project string, q brain.SearchQuery, limit int) ([]brain.Memory, error) {
	if q.Words.Empty() {
		return nil, nil
	}
	q.Limit = limit
	projects := []string{project}
	if project != "" {
		projects = append(projects, "")
	}
	var ids []string
	for _, p := range projects {
		q.Project = &p
		hits, err := r.Search(q)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
	}
	return r.Memories(ids...)
}

// alignment is a keyword that a text shares with core memory (stable patterns,
// preferences, beliefs), "" for none.
func alignment(r brain.Reader, m brain.Memory, q brain.SearchQuery) (string, error) {
	q.Tiers = []tiers.Tier{tiers.Core}
	core, err := hitsIn(r, m.Project, q, gateCandidates)
	if err != nil {
		return "", err
	}
	for i := range core {
		theirs := map[string]bool{}
		for _, t := range words.Terms(said(core[i])) {
			theirs[t] = true
		}
		for _, t := range q.Words.Terms {
			if theirs[t] && isKeyword(t) {
				return t, nil
			}
		}
	}
	return "", nil
}

// isKeyword leaves out what says nothing about what a text is about: stop
// words, negations, numbers and single letters.
func isKeyword(term string) bool {
	switch term {
	case "not", "no", "never", "without", "nor", "none":
		return false
	}
	return !words.Stop(term) && (len(term) > 2) && strings.Trim(term, "0123456789") != ""
}
