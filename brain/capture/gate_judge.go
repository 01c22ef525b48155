package capture

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// judge compares a capture with what is stored: live and expired memories of
// its project and of none. It writes nothing.
func (s *Service) judge(ctx context.Context, c brain.Capture) (brain.Judgement, error) {
	numbers, err := s.base.Numbers(ctx)
	if err != nil {
		return brain.Judgement{}, err
	}
	q := brain.SearchQuery{Words: words.Query{Terms: words.Parse(said(*c.Memory)).Terms}, NoSections: true, Limit: gateCandidates}
	var candidates, core []brain.Memory
	err = s.base.Store.View(ctx, func(r brain.Reader) error {
		if candidates, err = searched(r, *c.Memory, q); err != nil {
			return err
		}
		inCore := q
		inCore.Tiers = []tiers.Tier{tiers.Core}
		core, err = hitsIn(r, c.Memory.Project, inCore)
		return err
	})
	if err != nil {
		return brain.Judgement{}, err
	}
	m := c.Memory
	f := nearest(*m, candidates)
	f.AppliesTo, f.Severity, f.Origin, f.Common = m.AppliesTo, m.Severity, m.Origin, c.Gate.Common
	f.Keyword, f.Kind = sharedKeyword(q.Words.Terms, core), kindOf(m)
	j := f.Judge(numbers.RelevanceThreshold)
	j.Known = slices.ContainsFunc(candidates, func(held brain.Memory) bool { return m.TextKey() != "" && held.TextKey() == m.TextKey() })
	return j, nil
}

// kindOf returns the kind of statement that a memory makes, "" for none that counts. The
// type of the memory counts as much as its words.
func kindOf(m *brain.Memory) extract.Kind {
	counts := []extract.Kind{extract.Decision, extract.Preference, extract.Lesson, extract.Fact}
	for _, k := range []extract.Kind{extract.Kind(m.MemoryType), extract.KindOf(said(*m))} {
		if slices.Contains(counts, k) {
			return k
		}
	}
	return ""
}

// said returns a text as it is compared: with its name, if it was given one.
func said(m brain.Memory) string {
	if name := m.GivenName(); name != "" {
		return name + "\n" + m.Content
	}
	return m.Content
}

const gateCandidates = 50 // hits of full-text search that are compared, at most

// nearest returns the facts about the most similar memory, those without contradiction
// first.
func nearest(m brain.Memory, candidates []brain.Memory) GateFacts {
	var best GateFacts
	text := similar.Prepare(said(m))
	for i := range candidates {
		held := said(candidates[i])
		if differInLength(len(said(m)), len(held)) {
			continue
		}
		f := GateFacts{NearestID: candidates[i].ID, NearestName: candidates[i].Name}
		f.Similarity, f.Contradicts = compare(text, similar.Prepare(held))
		if f.Duplicate() && !best.Duplicate() || f.Duplicate() == best.Duplicate() && f.Similarity > best.Similarity {
			best = f
		}
	}
	return best
}

// compare returns how similar two texts are, in [0, 1], and whether they contradict.
func compare(x, y similar.Text) (similarity float64, contradicts bool) {
	similarity = x.Similarity(y)
	if similarity <= gateSimilar || x.Normalised() == y.Normalised() {
		return similarity, false
	}
	return similarity, similar.Guard(x, y) != 0 || similar.Renamed(x, y) != ""
}

// withScore returns a memory with its relevance score. An entity gets observations about it.
func withScore(m brain.Memory, j brain.Judgement, at time.Time) *brain.Memory {
	m.RelevanceScore = &j.Score
	if m.Entity {
		m.Observations = append(slices.Clip(m.Observations),
			"Discovered: "+at.Format(time.DateOnly),
			"Relevance score: "+strconv.FormatFloat(j.Score, 'g', -1, 64),
			"Source: "+cmp.Or(m.Agent, "brainbridge remember"))
		m.Complete()
	}
	return &m
}

// differInLength reports whether two texts are too different in length to be similar.
func differInLength(a, b int) bool {
	const times, small = 8, 256
	return max(a, b) > small && max(a, b) > times*min(a, b)
}

// searched returns the memories that full-text search finds for m, and those with its name.
func searched(r brain.Reader, m brain.Memory, q brain.SearchQuery) ([]brain.Memory, error) {
	hits, err := hitsIn(r, m.Project, q)
	if err != nil {
		return nil, err
	}
	named, err := lifecycle.Named(r, lifecycle.SameNameLimit, m.NameKey)
	named = slices.DeleteFunc(named, func(held brain.Memory) bool { return held.Project != "" && held.Project != m.Project })
	return append(hits, named...), err
}

// hitsIn searches a project and memories without one.
func hitsIn(r brain.Reader, project string, q brain.SearchQuery) ([]brain.Memory, error) {
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
		ids = append(ids, brain.Map(hits, func(h brain.Hit) string { return h.ID })...)
	}
	return r.Memories(ids...)
}

// sharedKeyword returns the first of the terms that is a keyword and occurs in core
// memory (stable patterns, preferences, beliefs), "" for none.
func sharedKeyword(terms []string, core []brain.Memory) string {
	for i := range core {
		theirs := words.Terms(said(core[i]))
		for _, t := range terms {
			if isKeyword(t) && slices.Contains(theirs, t) {
				return t
			}
		}
	}
	return ""
}

// isKeyword reports whether a term is no stop word, negation, number or single letter.
func isKeyword(term string) bool {
	switch term {
	case "not", "no", "never", "without", "nor", "none":
		return false
	}
	return !words.Stop(term) && (len(term) > 2) && strings.Trim(term, "0123456789") != ""
}
