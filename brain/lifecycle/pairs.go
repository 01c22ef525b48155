package lifecycle

import (
	"cmp"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// OpenPair is a pair of statements that nobody has judged yet.
type OpenPair struct {
	Item         brain.ReviewItem
	Newer, Older brain.Memory
}

// OpenPairs returns the open pairs, the newest first, with the memories that their ids
// redirect to. Pairs of which a text has changed or a memory is gone are left out.
func OpenPairs(r brain.Reader) ([]OpenPair, error) {
	items, err := brain.Bodies[brain.ReviewItem](r.ListRecords(brain.ReviewRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{string(brain.ReviewPending)}}))
	items = slices.DeleteFunc(items, func(item brain.ReviewItem) bool {
		return item.Kind != brain.ReviewPair || len(item.Memories) != 2 || len(item.TextHashes) != 2
	})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	var ids []string
	for _, item := range items {
		ids = append(ids, item.Memories...)
	}
	ms, err := r.Memories(brain.Unique(ids)...)
	if err != nil {
		return nil, err
	}
	byID := brain.ByID(ms)
	for id, m := range byID {
		if !m.Current() {
			if byID[id], err = Newest(r, id); err != nil {
				return nil, err
			}
		}
	}
	var pairs []OpenPair
	for _, item := range items {
		newer, older := byID[item.Memories[0]], byID[item.Memories[1]]
		switch {
		case newer.ContentHash != item.TextHashes[0], older.ContentHash != item.TextHashes[1], newer.ID == older.ID:
		case newer.Current() && older.Current():
			pairs = append(pairs, OpenPair{item, newer, older})
		}
	}
	slices.SortFunc(pairs, func(a, b OpenPair) int {
		return cmp.Or(b.Newer.Created.Compare(a.Newer.Created), b.Older.Created.Compare(a.Older.Created),
			cmp.Compare(a.Newer.ID, b.Newer.ID), cmp.Compare(a.Older.ID, b.Older.ID))
	})
	return pairs, nil
}
