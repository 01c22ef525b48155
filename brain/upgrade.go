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
// pending conflicts become pairs; the others are closed. Records that cannot be read, or
// have that form, stay as they are.
func UpgradeReviews(recs []Record) []Record {
	recs = slices.Clone(recs)
	type conflict struct {
		item ReviewItem
		at   int
	}
	var open []conflict
	for i, rec := range recs {
		item, err := Body[ReviewItem](rec)
		was, failed := Body[earlierItem](rec)
		if err != nil || failed != nil || !was.changes() {
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
		return cmp.Or(b.item.Created.Compare(a.item.Created), b.item.Newest.Compare(a.item.Newest), cmp.Compare(a.item.ID, b.item.ID))
	})
	for _, c := range open[min(len(open), maxUpgradedPairs):] {
		c.item.State = ReviewClosed
		if closed, err := c.item.Record(); err == nil {
			recs[c.at] = closed
		}
	}
	return recs
}

// UpgradePages returns the pages of a dump with its review queue in the present form, which
// comes last, and without the relations of conflicts.
func UpgradePages(pages iter.Seq2[Page, error]) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		var reviews []Record
		isReview := func(rec Record) bool { return rec.Kind == ReviewRecord }
		for p, err := range pages {
			for _, rec := range p.Records {
				if isReview(rec) {
					reviews = append(reviews, rec)
				}
			}
			p.Records = slices.DeleteFunc(slices.Clone(p.Records), isReview)
			p.Relations = WithoutDifferences(slices.Clone(p.Relations))
			if !yield(p, err) {
				return
			}
			if err != nil {
				return
			}
		}
		if len(reviews) > 0 {
			yield(Page{Records: UpgradeReviews(reviews)}, nil)
		}
	}
}
