package brain

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
)

// What follows reads what earlier versions wrote: in stores and backups, journals and
// archives. Their review queue had conflicts, of which each was also a relation that hid the
// older memory.

const (
	differsFrom     = "DIFFERS_FROM" // the type of those relations
	earlierConflict = "conflict"     // the kind of those items
	earlierModel    = "llm-merge"    // the kind of merges with the text of a model
)

// upgradedReason is the reason of a pair that was a conflict. That said that the newer memory
// applied until somebody decided.
const upgradedReason = "they may be about the same subject, so perhaps only one of them holds"

// maxUpgradedPairs is how many pending conflicts stay open as pairs.
const maxUpgradedPairs = 60

// WithoutDifferences returns relations without those of conflicts.
func WithoutDifferences(rels []Relation) []Relation {
	return slices.DeleteFunc(rels, func(r Relation) bool { return r.Type == differsFrom })
}

// earlierItem has the fields of an item that mean something else in earlier versions.
type earlierItem struct {
	Kind     string `json:"kind"`
	State    string `json:"state"`
	Decision string `json:"decision"`
}

// UnmarshalJSON also reads the items of earlier versions: a conflict as a pair.
func (item *ReviewItem) UnmarshalJSON(raw []byte) error {
	type plain ReviewItem
	var was earlierItem
	err := json.Unmarshal(raw, (*plain)(item))
	if err == nil {
		err = json.Unmarshal(raw, &was)
	}
	if err != nil {
		return err
	}
	switch was.Kind {
	case earlierConflict:
		item.Kind, item.Reason = ReviewPair, upgradedReason
	case earlierModel:
		item.Kind = ReviewMerge
	}
	if was.decided() {
		item.State, item.Verdict = ReviewDecided, was.verdict()
	}
	return nil
}

// changes reports whether the item has another form now.
func (was earlierItem) changes() bool {
	return was.Kind == earlierConflict || was.Kind == earlierModel || was.decided()
}

func (was earlierItem) decided() bool { return was.State == "accepted" || was.State == "rejected" }

func (was earlierItem) verdict() string {
	accepted := was.State == "accepted"
	switch {
	case was.Kind == string(ReviewCore) && accepted:
		return VerdictAccept
	case was.Kind == string(ReviewCore):
		return VerdictReject
	case was.Kind == earlierConflict && accepted:
		return cmp.Or(was.Decision, VerdictNewer)
	case accepted:
		return VerdictSame
	}
	return VerdictBoth
}

// UpgradeReviews returns the items of a whole review queue in their present form. The newest
// pending conflicts become pairs; the others are closed. In earlier versions a promotion gave a
// memory a new id: promotions are the PROMOTED_TO relations, by which items name the present ones.
// Records that cannot be read, or have that form, stay as they are.
func UpgradeReviews(recs []Record, promotions []Relation) []Record {
	recs = slices.Clone(recs)
	promoted := map[string]string{}
	for _, r := range promotions {
		promoted[r.From] = r.To
	}
	type conflict struct {
		item ReviewItem
		at   int
	}
	var open []conflict
	for i, rec := range recs {
		item, err := Body[ReviewItem](rec)
		was, failed := Body[earlierItem](rec)
		renamed := item.rename(promoted)
		if err != nil || failed != nil || !was.changes() && !renamed {
			continue
		}
		if was.Kind == earlierConflict && item.State == ReviewPending {
			open = append(open, conflict{item, i})
		}
		if upgraded, err := item.Record(); err == nil {
			recs[i] = upgraded
		}
	}
	slices.SortStableFunc(open, func(a, b conflict) int {
		return cmp.Or(b.item.Created.Compare(a.item.Created), b.item.NewestAt.Compare(a.item.NewestAt), cmp.Compare(a.item.ID, b.item.ID))
	})
	for _, c := range open[min(len(open), maxUpgradedPairs):] {
		c.item.State = ReviewClosed
		if closed, err := c.item.Record(); err == nil {
			recs[c.at] = closed
		}
	}
	return recs
}

// rename gives an item the present ids of its memories, and reports whether they are others.
func (item *ReviewItem) rename(promoted map[string]string) bool {
	ids := Map(item.Memories, func(id string) string {
		for promoted[id] != "" {
			id = promoted[id]
		}
		return id
	})
	if slices.Equal(ids, item.Memories) {
		return false
	}
	item.Memories, item.Fingerprint = ids, fingerprint(ids)
	return true
}

// UpgradePages returns the pages of a dump with its review queue in the present form, which
// comes last, and without the relations of conflicts.
func UpgradePages(pages iter.Seq2[Page, error]) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		var reviews []Record
		var promotions []Relation
		for p, err := range pages {
			isReview := func(rec Record) bool { return rec.Kind == ReviewRecord }
			isPromotion := func(r Relation) bool { return r.Type == PromotedTo }
			reviews = append(reviews, filter(p.Records, isReview)...)
			promotions = append(promotions, filter(p.Relations, isPromotion)...)
			p.Records = slices.DeleteFunc(slices.Clone(p.Records), isReview)
			p.Relations = WithoutDifferences(slices.Clone(p.Relations))
			if !yield(p, err) || err != nil {
				return
			}
		}
		if len(reviews) > 0 {
			yield(Page{Records: UpgradeReviews(reviews, promotions)}, nil)
		}
	}
}

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !keep(v) })
}
