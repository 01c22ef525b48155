package lifecycle

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// EachPage calls fn with the memories of a whole list, a page at a time.
func (b Base) EachPage(ctx context.Context, f brain.ListFilter, fn func(page []brain.Memory)) error {
	f.Limit = 1000
	for {
		page, err := Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.Strongest(f) })
		if err != nil {
			return err
		}
		fn(page)
		if len(page) < f.Limit {
			return nil
		}
		f.After = &page[len(page)-1]
	}
}

// ListIDs returns the ids of a whole list.
func (b Base) ListIDs(ctx context.Context, f brain.ListFilter) (ids []string, err error) {
	err = b.EachPage(ctx, f, func(page []brain.Memory) {
		for i := range page {
			ids = append(ids, page[i].ID)
		}
	})
	return ids, err
}
