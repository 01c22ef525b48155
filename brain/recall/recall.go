// Package recall searches memories and sections, and chooses what context and
// prompts show.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// Service searches memories and sections, lists them, and chooses what is pushed. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

// Query is a question to the memory.
type Query struct {
	Text    string
	Limit   int // 0: 10
	Budget  int // tokens that the answer may fill; 0: no bound
	Types   []string
	Tiers   []tiers.Tier
	Tags    []string
	Project *string
	// Prefer is a project: memories of other projects score less. "" prefers none.
	Prefer     string
	Since      time.Time
	Until      time.Time
	AsOf       time.Time // zero: now
	ActiveOnly bool      // no expired ones
	NoTouch    bool
	// Transcripts looks in what was said as well. Like other sections, those of
	// transcripts have neither tier nor past, and tests have none.
	Transcripts bool
}

// Recalled is one answer of a recall. Its score is BM25 divided by the best of
// the question, above 0 and at most 1; what was said has a best of its own, so
// that it can be compared with the rest.
type Recalled struct {
	Memory brain.View `json:"memory"`
	// Excerpt is the part of the text that matches, at most 300 characters long.
	Excerpt string  `json:"excerpt"`
	Score   float64 `json:"score"`
	Why     Why     `json:"why"`

	Title Excerpt `json:"-"` // the name
	Marks []Mark  `json:"-"` // in Excerpt
}

// Why has the terms of a score.
type Why struct {
	BM25    float64 `json:"bm25"` // as the store gave it, 0 with InsteadOf
	Expired bool    `json:"expired,omitempty"`
	// OtherProject is the factor on the score of a memory of another project.
	OtherProject float64 `json:"otherProject,omitempty"`
	// InsteadOf is the older memory that was found, for one that was added because it
	// holds instead.
	InsteadOf string `json:"insteadOf,omitempty"`
}

// Recollection is the answer to a recall.
type Recollection struct {
	Query    string         `json:"query"`
	Results  []Recalled     `json:"results"`
	HeldBack map[string]int `json:"heldBack"` // by reason, such as overBudget
}

const defaultRecall = 10

// Recall finds memories and sections by their words, best first. Being
// returned touches a memory, unless NoTouch or AsOf is set.
func (b *Service) Recall(ctx context.Context, q Query) (Recollection, error) {
	parsed := words.Parse(q.Text)
	if parsed.Empty() {
		return Recollection{}, brain.Errorf(brain.ErrInvalid, "ask with at least one word", "the question %q holds no words", plaintext.Clip(q.Text, 40))
	}
	if q.Limit <= 0 {
		q.Limit = defaultRecall
	}
	now := b.base.Now()
	found, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]Recalled, error) {
		found, missing, err := b.answer(r, q, parsed, now)
		if err != nil || len(missing) == 0 {
			return found, err
		}
		others, err := r.StandIns(missing...)
		if err != nil || len(others) == 0 {
			return found, err
		}
		found, _, err = b.answer(r, q, parsed.With(others), now)
		return found, err
	})
	if err != nil {
		return Recollection{}, fmt.Errorf("recall: %w", err)
	}
	out, touched := fill(q, found)
	if q.NoTouch || !q.AsOf.IsZero() {
		return out, nil
	}
	return out, b.touchRecalled(ctx, touched, now)
}

// answer returns the answers to a query with their excerpts, and the terms that none of
// them has in its name or content and that may have stand-ins.
func (b *Service) answer(r brain.Reader, q Query, parsed words.Query, now time.Time) (found []Recalled, missing []string, err error) {
	hits, err := q.find(r, parsed, now)
	if err != nil {
		return nil, nil, err
	}
	if found, err = b.load(r, hits, q.asOf(now)); err != nil {
		return nil, nil, err
	}
	var newer []Recalled
	switch {
	case !q.AsOf.IsZero():
		forgetNewer(found)
	case !q.narrowed():
		newer, err = b.holding(r, found, now)
	}
	found = newerFirst(found, newer)
	found = found[:min(len(found), q.Limit)]
	matched := map[string]bool{}
	for i := range found {
		found[i].excerpt(parsed, matched)
	}
	for _, term := range parsed.Terms {
		if !matched[term] && words.HasStandIns(term) {
			missing = append(missing, term)
		}
	}
	return found, missing, err
}

const recallTouchBatch = 100 // memories that one transaction touches

// touchRecalled adds the energy of a recall to memories, once a session each. An
// error leaves earlier batches touched.
func (b *Service) touchRecalled(ctx context.Context, ids []string, now time.Time) error {
	recall := lifecycle.Touch{
		Kind:  lifecycle.EventRecall,
		Add:   func(p tiers.Policy) float64 { return p.Recall },
		Count: func(m *brain.Memory, _ time.Time) { m.RecallCount++ },
	}
	for batch := range slices.Chunk(ids, recallTouchBatch) {
		err := b.base.Store.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(batch...)
			if err == nil {
				_, err = b.base.TouchIn(tx, ms, now, recall)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("touch the recalled memories: %w", err)
		}
	}
	return nil
}

func (q Query) asOf(now time.Time) time.Time { return cmp.Or(q.AsOf, now) }

// excerpt adds the parts of a memory that match, and notes the terms that do.
func (r *Recalled) excerpt(q words.Query, matched map[string]bool) {
	e := excerptOf(q, r.Memory.Content, excerptLength, matched)
	r.Excerpt, r.Marks = e.Text, e.Marks
	r.Title = excerptOf(q, r.Memory.Name, titleLength, matched)
}

// ranked is a hit with its place among all that was searched.
type ranked struct {
	brain.Hit
	score  float64
	factor float64 // of the project, which is part of the score; 0 if there is none
}

// otherProject is the factor on the scores of other projects, if one is preferred. It
// decides between memories that match about as well.
const otherProject = 0.9

// prefers reports whether one project is preferred to others.
func (q Query) prefers() bool { return q.Prefer != "" && q.Project == nil }

// find searches notes and memories and, if asked for, transcripts. Of equals
// what was written comes before what was said.
func (q Query) find(r brain.Reader, parsed words.Query, now time.Time) ([]ranked, error) {
	s := brain.SearchQuery{
		Words: parsed, AsOf: q.AsOf, Types: q.Types, Tiers: q.Tiers, Tags: q.Tags,
		Project: q.Project, Since: q.Since, Until: q.Until, Limit: q.Limit,
		NoSections: !q.AsOf.IsZero(),
	}
	if q.prefers() {
		s.Limit *= 2 // one of the preferred project may come forward
	}
	if q.ActiveOnly {
		s.ActiveOnly = q.asOf(now)
	}
	hits, err := r.Search(s)
	if err != nil {
		return nil, err
	}
	all := q.scaled(hits)
	if q.Transcripts && q.AsOf.IsZero() {
		s.Transcripts = true
		if hits, err = r.Search(s); err != nil {
			return nil, err
		}
		all = append(all, q.scaled(hits)...)
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), q.Limit)], nil
}

// scaled divides the scores of one search, best first, by the best, and lowers those of
// other projects than the preferred one.
func (q Query) scaled(hits []brain.Hit) []ranked {
	all := make([]ranked, 0, len(hits))
	for _, h := range hits {
		hit := ranked{Hit: h, score: h.Score / hits[0].Score}
		if q.prefers() && h.Project != "" && h.Project != q.Prefer {
			hit.factor = otherProject
			hit.score *= otherProject
		}
		all = append(all, hit)
	}
	return all
}

// load reads what was found, in the order found.
func (b *Service) load(r brain.Reader, hits []ranked, at time.Time) ([]Recalled, error) {
	var memoryIDs, sectionIDs []string
	for _, h := range hits {
		if h.Section {
			sectionIDs = append(sectionIDs, h.ID)
		} else {
			memoryIDs = append(memoryIDs, h.ID)
		}
	}
	ms, err := r.Memories(memoryIDs...)
	if err != nil {
		return nil, err
	}
	v, err := b.base.Viewer(r, at, ms...)
	if err != nil {
		return nil, err
	}
	views := make(map[string]brain.View, len(hits))
	for _, m := range ms {
		views[m.ID] = v.View(m)
	}
	ss, err := r.Sections(sectionIDs...)
	if err != nil {
		return nil, err
	}
	for _, s := range ss {
		if s.Text != "" { // else it is a heading of an import, which answers nothing
			views[s.ID] = v.Section(s)
		}
	}
	found := make([]Recalled, 0, len(hits))
	for _, h := range hits {
		if view, ok := views[h.ID]; ok { // else it went between two reads, or has no text
			expired := view.Tier != nil && *view.Tier == tiers.Expired
			found = append(found, Recalled{Memory: view, Score: h.score, Why: Why{BM25: h.Score, Expired: expired, OtherProject: h.factor}})
		}
	}
	return found, nil
}

// fill returns the answer with what fits the budget, best first, and the ids of the
// memories in it. It holds back an older memory together with the newer one that holds.
func fill(q Query, found []Recalled) (out Recollection, touched []string) {
	out = Recollection{Query: q.Text, Results: []Recalled{}, HeldBack: map[string]int{}}
	used, held := 0, map[string]bool{} // those held back
	for _, f := range found {
		cost := plaintext.Tokens(f.Memory.Name) + plaintext.Tokens(f.Memory.Content)
		if q.Budget > 0 && (used+cost > q.Budget || held[f.Memory.ContestedBy]) {
			out.HeldBack["overBudget"]++
			held[f.Memory.ID] = true
			continue
		}
		used += cost
		out.Results = append(out.Results, f)
		if f.Memory.Tier != nil {
			touched = append(touched, f.Memory.ID)
		}
	}
	return out, touched
}
