// Package recall searches memories and sections, and chooses what context and
// prompts show. Ranking is pure: the same candidates always have the same order. Its formula
// was found by experiment on sets of long conversations and checked on notes and
// paraphrases; docs/recall.md explains it with an example.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
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

// Query is a search for memories and sections.
type Query struct {
	Words   words.Query
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
	// Transcripts searches transcripts as well. Like other sections, those of transcripts
	// have neither a tier nor a past. Brains of test memories have no transcripts.
	Transcripts bool
	Related     int // maximum number of related memories that are added; 0: none
	// Embed returns the vector of a text, or none. It is asked for that of the best answer, whose
	// nearest memories are related too. nil: only relations count.
	Embed      func(text string) brain.Vector
	Formula    *Formula      // nil: [DefaultFormula]
	NoStandIns bool          // no other words for unknown ones
	Vector     *brain.Vector // of the question; nil: texts are found only by their words
	ForAgent   bool          // an agent asks, who gets more answers that are only near in meaning
}

// Recalled is one answer of a recall. Its score is that of [Formula] times the
// factors, divided by the best one (among transcripts: the best of theirs), so above 0 and
// at most 1.
type Recalled struct {
	Memory brain.View `json:"memory"`
	// Excerpt is the part of the text that matches, at most 300 characters long.
	Excerpt string  `json:"excerpt"`
	Score   float64 `json:"score"`
	Why     Why     `json:"why"`

	Title Excerpt `json:"-"` // the name
	Marks []Mark  `json:"-"` // in Excerpt
}

// Why has the terms of a score, before the division by the best, and a factor on it.
type Why struct {
	Terms

	// Meaning is set for a text that has no word of the query and is near it in meaning, and for
	// a related memory that is near the first answer.
	Meaning bool `json:"meaning,omitempty"`
	// OtherProject is the factor on the score of a memory of another project.
	OtherProject float64 `json:"otherProject,omitempty"`
	// Collected is the factor on a text in a folder of collected material, Gone that on what no
	// note says any more.
	Collected float64 `json:"collected,omitempty"`
	Gone      float64 `json:"gone,omitempty"`
	// Path has the relations from an answer to a related memory.
	Path []brain.Relation `json:"path,omitempty"`
}

// Recollection is the answer to a recall.
type Recollection struct {
	Query    string         `json:"query"`
	Results  []Recalled     `json:"results"`
	HeldBack map[string]int `json:"heldBack"` // by reason, such as overBudget
	// Period is that of the query, if only its memories were searched, NothingFrom if nothing of it
	// matched, so that all were.
	Period      *moment.Period `json:"period,omitempty"`
	NothingFrom *moment.Period `json:"nothingFrom,omitempty"`
	Hint        string         `json:"-"` // suggestions for a type, tag or project that no memory has
}

// Searched says which times were searched if the query named one, else "".
func (r Recollection) Searched() string {
	switch {
	case r.Period != nil:
		return "only from " + r.Period.String()
	case r.NothingFrom != nil:
		return "nothing from " + r.NothingFrom.String() + "; from all times:"
	}
	return ""
}

// TooCommon returns the message if a query of only stop words found nothing, else "".
func (r Recollection) TooCommon() string {
	if len(r.Results) > 0 || r.HeldBack["overBudget"] > 0 || len(words.Asked(r.Query)) > 0 {
		return ""
	}
	return fmt.Sprintf("nothing found: %.40q has only words that most texts have; add one that says what it is about", r.Query)
}

// Recall finds memories and sections by their words, best first. Being
// returned touches a memory, unless NoTouch or AsOf is set.
func (s *Service) Recall(ctx context.Context, q Query) (out Recollection, err error) {
	if q.Words.Empty() {
		return out, brain.Errorf(brain.ErrInvalid, "ask with at least one word", "the query %.40q has no words", q.Words.Text)
	}
	q.Limit = cmp.Or(min(max(q.Limit, 0), 1_000_000), 10) // so that its multiples are in range
	at := cmp.Or(q.AsOf, s.base.Now())
	out, err = lifecycle.Read(ctx, s.base, func(r brain.Reader) (Recollection, error) { return s.answer(r, q, at) })
	if err != nil {
		return Recollection{}, fmt.Errorf("recall: %w", err)
	}
	if q.NoTouch || !q.AsOf.IsZero() {
		return out, nil
	}
	return out, s.touchRecalled(ctx, out.Results, at)
}

// answer returns the answer to a query as of an instant.
func (s *Service) answer(r brain.Reader, q Query, at time.Time) (Recollection, error) {
	hits, asked, err := q.find(r, at)
	if err != nil {
		return Recollection{}, err
	}
	found, err := s.load(r, hits, at)
	if err != nil {
		return Recollection{}, err
	}
	if q.AsOf.IsZero() {
		belowStanding(found)
	}
	found = found[:min(len(found), q.Limit)]
	if q.Related > 0 && q.AsOf.IsZero() {
		var more []Recalled
		more, err = s.related(r, q.Related, found, at)
		found = append(found, more...)
		if left := q.Related - len(more); err == nil && left > 0 && len(found) > 0 && q.Embed != nil {
			more, err = s.near(r, q.Embed, left, found, at)
			found = append(found, more...)
		}
	}
	out := fill(q.Budget, found)
	out.Query = q.Words.Text
	excerpts(out.Results, asked)
	return out, err
}

func excerpts(results []Recalled, asked words.Query) {
	for i := range results {
		r := &results[i]
		e := excerptOf(asked, r.Memory.Content, excerptLength)
		r.Excerpt, r.Marks = e.Text, e.Marks
		r.Title = excerptOf(asked, r.Memory.Name, titleLength)
	}
}

// touchRecalled adds the energy of a recall, once a session, to memories that matched by
// more than a vector. After an error, earlier batches stay touched.
func (s *Service) touchRecalled(ctx context.Context, found []Recalled, now time.Time) error {
	const batchSize = 100
	var ids []string
	for _, f := range found {
		if f.Memory.Tier != nil && !f.Why.Meaning {
			ids = append(ids, f.Memory.ID)
		}
	}
	recall := lifecycle.Touch{
		Kind:  lifecycle.EventRecall,
		Add:   func(*tiers.Policy) float64 { return tiers.Recall },
		Count: func(m *brain.Memory, _ time.Time) { m.RecallCount++ },
	}
	for batch := range slices.Chunk(ids, batchSize) {
		err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
			ms, err := tx.Memories(batch...)
			if err == nil {
				_, err = s.base.TouchIn(tx, ms, now, recall)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("touch the recalled memories: %w", err)
		}
	}
	return nil
}

// load reads the hits, in their order.
func (s *Service) load(r brain.Reader, hits []hit, at time.Time) ([]Recalled, error) {
	var memoryIDs, sectionIDs []string
	for _, h := range hits {
		if h.Section {
			sectionIDs = append(sectionIDs, h.ID)
		} else {
			memoryIDs = append(memoryIDs, h.ID)
		}
	}
	ms, err := r.Memories(memoryIDs...)
	ss := lifecycle.Get(&err, r.Sections, sectionIDs...)
	if err != nil {
		return nil, err
	}
	v, err := s.base.Viewer(r, at, ms...)
	if err != nil {
		return nil, err
	}
	living, err := livingIDs(r, ms)
	if err != nil {
		return nil, err
	}
	views := make(map[string]brain.View, len(hits))
	for _, m := range ms {
		view := v.View(m)
		view.ID = cmp.Or(living[m.ID], m.ID)
		views[m.ID] = view
	}
	for _, section := range ss {
		if section.Text != "" { // otherwise it is a heading of an import, which is not an answer
			views[section.ID] = v.Section(section)
		}
	}
	found := make([]Recalled, 0, len(hits))
	for _, h := range hits {
		if view, ok := views[h.ID]; ok { // otherwise it was deleted since the search, or has no text
			found = append(found, Recalled{Memory: view, Score: h.score, Why: h.why})
		}
	}
	return found, nil
}

// livingIDs returns the ids of the memories that past ones were versions of, by the ids of those.
// In stores of earlier versions a version may have been one of another.
func livingIDs(r brain.Reader, ms []brain.Memory) (map[string]string, error) {
	past := slices.DeleteFunc(slices.Clone(ms), func(m brain.Memory) bool { return m.Current() })
	living := map[string]string{}
	for layer := brain.IDs(past); len(layer) > 0; {
		rels, err := r.Relations(layer...)
		var newer []string
		for _, rel := range rels {
			if rel.Type == brain.Supersedes {
				newer = append(newer, rel.From)
			}
		}
		found := lifecycle.Get(&err, r.Memories, brain.Unique(newer)...)
		if err != nil {
			return nil, err
		}
		of := lifecycle.Versions(found, rels)
		next := map[string]bool{}
		for _, id := range layer {
			if living[id] == "" && of[id] != "" {
				living[id], next[of[id]] = of[id], true
			}
		}
		layer = slices.Sorted(maps.Keys(next))
	}
	for id := range living {
		for n := 0; living[living[id]] != "" && n < len(living); n++ { // a person may have made a circle
			living[id] = living[living[id]]
		}
	}
	return living, nil
}

// fill returns the answers that fit a budget, best first.
func fill(budget int, found []Recalled) Recollection {
	out := Recollection{Results: []Recalled{}, HeldBack: map[string]int{}}
	used := 0
	for _, f := range found {
		cost := plaintext.Tokens(f.Memory.Name) + plaintext.Tokens(f.Memory.Content)
		if budget > 0 && used+cost > budget {
			out.HeldBack["overBudget"]++
			continue
		}
		used += cost
		out.Results = append(out.Results, f)
	}
	return out
}
