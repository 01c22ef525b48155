package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// ListQuery chooses what a list shows.
type ListQuery struct {
	Tiers   []tiers.Tier // none: live and expired ones
	All     bool         // archived and superseded ones too
	Live    bool         // no expired ones
	Types   []string     // none: all
	Tag     string
	Project *string // nil: any; pointer to "": no project
	Since   time.Time
	Limit   int // above 0
	// Importance, a Sort by name or use, and one by creation with a filter by tier make the list
	// read every memory that matches the rest. So does a filter other than Project in a list by
	// salience.
	Importance brain.Importance // "" for any
	Sort       string
}

// The orders of a list.
const (
	BySalience = "salience" // most salient first; also ""
	ByEnergy   = "energy"   // highest first
	ByCreated  = "created"  // newest first
	ByUsed     = "used"     // last used first
	ByName     = "name"
)

// Strongest merges the lists of the tiers by current energy.
func (b Base) Strongest(r brain.Reader, q ListQuery, now time.Time) ([]brain.Memory, error) {
	policy, err := brain.ReadPolicy(r)
	all := Get(&err, r.ListMemories, q.Filters(now)...)
	SortByEnergy(policy, all, now)
	return all[:min(len(all), q.Limit)], err
}

// Filters returns the lists of the store that a query needs: those of its tiers and, for
// expired memories, also those that have faded in live tiers but are not settled yet.
func (q ListQuery) Filters(now time.Time) []brain.ListFilter {
	types := q.Types
	if len(types) == 0 {
		types = []string{""}
	}
	var fs []brain.ListFilter
	for _, t := range types {
		for _, tier := range tiers.All() {
			f := brain.ListFilter{Tier: tier, Type: t, Tag: q.Tag, Project: q.Project, Since: q.Since, Limit: q.Limit}
			live, faded := f, f
			if tier.Live() {
				live.Unexpired, faded.Faded = now, now
			}
			if q.wants(tier) {
				fs = append(fs, WithDue(live)...)
			}
			if tier.Live() && q.wants(tiers.Expired) {
				fs = append(fs, WithDue(faded)...)
			}
		}
	}
	return fs
}

func (q ListQuery) wants(t tiers.Tier) bool {
	return slices.Contains(q.Tiers, t) || len(q.Tiers) == 0 && (q.All || t.Live() || t == tiers.Expired && !q.Live)
}

// Matches reports whether a list shows a memory. One that has faded counts as expired.
func (q ListQuery) Matches(m *brain.Memory, now time.Time) bool {
	tier := m.Tier
	if tier.Live() && !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(now) {
		tier = tiers.Expired
	}
	return q.wants(tier) && (len(q.Types) == 0 || slices.Contains(q.Types, m.MemoryType)) &&
		(q.Tag == "" || slices.Contains(m.Tags, q.Tag)) && (q.Project == nil || *q.Project == m.Project) &&
		!m.Created.Before(q.Since) && (q.Importance == "" || m.Importance == q.Importance)
}

// WithDue adds the list of memories due for promotion, for the tiers that have one.
func WithDue(f brain.ListFilter) []brain.ListFilter {
	if f.Tier != tiers.Working && f.Tier != tiers.ShortTerm {
		return []brain.ListFilter{f}
	}
	due := f
	due.DueOnly = true
	return []brain.ListFilter{f, due}
}

// SortByEnergy sorts memories by their energy at now, highest first, ties by id.
func SortByEnergy(policy *tiers.Policy, ms []brain.Memory, now time.Time) {
	energy := make(map[string]float64, len(ms))
	for i := range ms {
		energy[ms[i].ID] = policy.Energy(ms[i].State, now)
	}
	slices.SortFunc(ms, func(a, b brain.Memory) int {
		return cmp.Or(cmp.Compare(energy[b.ID], energy[a.ID]), cmp.Compare(a.ID, b.ID))
	})
}

// pageSize is the number of memories in a page, and duePage that of those that are due: the
// stores sort all of them for each page.
const (
	pageSize = 1000
	duePage  = 5000
)

// Pages returns the pages of a whole list by id, until list returns none: a page is shorter than
// its limit if some of it cannot be read. An error ends the sequence.
func Pages(f brain.ListFilter, list func(...brain.ListFilter) ([]brain.Memory, error)) iter.Seq2[[]brain.Memory, error] {
	f.Limit = pageSize
	if !f.Due.IsZero() {
		f.Limit = duePage
	}
	return func(yield func([]brain.Memory, error) bool) {
		for {
			page, err := list(f)
			if err == nil && len(page) == 0 {
				return
			}
			if err == nil {
				f.After = page[len(page)-1].ID // now: the caller may change the page
			}
			if !yield(page, err) || err != nil {
				return
			}
		}
	}
}

// Pages returns the pages of a whole list by id, each read on its own.
func (b Base) Pages(ctx context.Context, f brain.ListFilter) iter.Seq2[[]brain.Memory, error] {
	return Pages(f, func(fs ...brain.ListFilter) ([]brain.Memory, error) {
		return Read(ctx, b, func(r brain.Reader) ([]brain.Memory, error) { return r.ListMemories(fs...) })
	})
}

// ChangeLives applies change, with the lifecycle numbers in force, to the lives of the memories in
// a list, one batch per transaction. It reports those that changed and its progress.
func (b Base) ChangeLives(ctx context.Context, f brain.ListFilter,
	change func(*tiers.Policy, tiers.State) tiers.State, report func(changed []brain.Memory, done, total int),
) error {
	done := 0
	return b.inBatches(ctx, f, func(batch []string, total int) error {
		var changed []brain.Memory
		err := b.Store.Update(ctx, func(tx brain.Tx) error {
			policy, err := brain.ReadPolicy(tx)
			ms := Get(&err, tx.Memories, batch...)
			changed = ChangedLives(policy, ms, change)
			Put(&err, tx.PutLives, changed...)
			return err
		})
		if err != nil {
			return err
		}
		done += len(batch)
		report(changed, done, total)
		return nil
	})
}

// inBatches calls fn with the ids of the memories in a list, as many at a time as a transaction
// decays, and with the number of all.
func (b Base) inBatches(ctx context.Context, f brain.ListFilter, fn func(batch []string, total int) error) error {
	policy, err := b.Policy(ctx)
	if err != nil {
		return err
	}
	var ids []string // first, for the total
	for page, err := range b.Pages(ctx, f) {
		if err != nil {
			return err
		}
		ids = append(ids, brain.IDs(page)...)
	}
	for batch := range slices.Chunk(ids, policy.DecayBatch) {
		if err := fn(batch, len(ids)); err != nil {
			return err
		}
	}
	return nil
}

// ChangedLives returns the memories whose state change would change, with the new state.
func ChangedLives(policy *tiers.Policy, ms []brain.Memory, change func(*tiers.Policy, tiers.State) tiers.State) (changed []brain.Memory) {
	for _, m := range ms {
		if s := change(policy, m.State); s != m.State {
			m.State = s
			changed = append(changed, m)
		}
	}
	return changed
}

// EachWritten calls fn with the memories whose texts were stored after a mark, size of them
// at a time, and the mark after them, until there are no more or fn returns false. It
// returns the last mark. See [brain.MemoryLister.Written].
func (b Base) EachWritten(ctx context.Context, after string, size int,
	fn func(page []brain.Memory, mark string) (more bool, err error),
) (string, error) {
	for {
		mark := after
		page, err := Read(ctx, b, func(r brain.Reader) (page []brain.Memory, err error) {
			page, mark, err = r.Written(after, size)
			return page, err
		})
		if err != nil {
			return after, fmt.Errorf("read the memories: %w", err)
		}
		if after = mark; len(page) == 0 {
			return after, nil
		}
		if more, err := fn(page, mark); err != nil || !more || len(page) < size {
			return after, err
		}
	}
}
