package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

const defaultList = 50

// List returns memories, strongest first, ties by id.
func (b *Service) List(ctx context.Context, q lifecycle.ListQuery) ([]brain.View, error) {
	now := b.base.Now()
	if q.Limit <= 0 {
		q.Limit = defaultList
	}
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]brain.View, error) {
		ms, err := b.base.Strongest(r, q, now)
		if err != nil {
			return nil, err
		}
		v, err := b.base.Viewer(r, now, ms...)
		return v.Views(ms), err
	})
}

// Sources returns source nodes, newest first.
func (b *Service) Sources(ctx context.Context, f brain.SourceFilter) ([]brain.Source, error) {
	if f.Limit <= 0 {
		f.Limit = defaultList
	}
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]brain.Source, error) { return r.ListSources(f) })
}

// sortReminders puts those with a due date first, earliest first, then the
// others, oldest first.
func sortReminders(ss []brain.Source) {
	slices.SortFunc(ss, func(a, z brain.Source) int {
		if a.Due.IsZero() != z.Due.IsZero() {
			return cmp.Compare(z.Due.Unix(), a.Due.Unix()) // none last
		}
		return cmp.Or(a.Due.Compare(z.Due), a.Created.Compare(z.Created), cmp.Compare(a.ID, z.ID))
	})
}
