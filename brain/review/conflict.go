package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/words"
)

const (
	// claimCandidates is how many memories a text is compared with.
	claimCandidates = 20
	// claimShare is the share of the words of its claim that others have at least.
	claimShare = 0.3
	// maxSeries is how many memories one may differ from; those with more are entries of
	// a series, such as the lines of a log.
	maxSeries = 8
	// catchUpLimit is how many new texts FindConflicts looks at.
	catchUpLimit = 100
	// ConflictJob is the job whose checkpoint says which texts were looked at.
	ConflictJob = "conflicts"
)

// NoteConflicts relates the newest memory of an id's chain to those of its project that
// claim something else about the same subject, and ends such relations that no longer
// apply. The newer text holds; a review item asks a person. Noting a memory again
// changes nothing. It returns the older memories that this one differs from.
func (b *Service) NoteConflicts(ctx context.Context, id string) (older []brain.Memory, err error) {
	found, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (lifecycle.Resolved, error) { return lifecycle.Resolve(r, id) })
	if err != nil {
		return nil, fmt.Errorf("look for conflicts: %w", err)
	}
	older, _, err = b.noteConflicts(ctx, found.Memory)
	return older, err
}

// noteConflicts is NoteConflicts of a memory. asked is how many review items it made.
func (b *Service) noteConflicts(ctx context.Context, m brain.Memory) (older []brain.Memory, asked int, err error) {
	f, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (conflictFacts, error) { return readConflicts(r, m) })
	if err != nil {
		return nil, 0, fmt.Errorf("look for conflicts of %s: %w", m.ID, err)
	}
	p := decideConflicts(m, f)
	if len(p.link)+len(p.unlink) == 0 {
		if p.ask.From == "" {
			return p.older, 0, nil
		}
		item, err := lifecycle.Read(ctx, b.base, func(r brain.Reader) (*brain.ReviewItem, error) { return reviewOf(r, p.ask.From, p.ask.To) })
		if err != nil || item != nil {
			return p.older, 0, err
		}
	}
	now := b.base.Now()
	err = b.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		asked, err = writeConflicts(tx, p, now)
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("note the conflicts of %s: %w", m.ID, err)
	}
	return p.older, asked, nil
}

// conflictFacts are what the store holds about the claim of a memory.
type conflictFacts struct {
	held    []brain.Relation // DIFFERS_FROM of the memory
	others  []brain.Memory   // that may claim something else
	written map[string]time.Time
	// contested are those of others that differ from a newer one than the memory,
	// contesting those that differ from an older one.
	contested, contesting map[string]bool
}

// readConflicts reads the memories that a memory differs from and those that a search
// for the subject of its claim finds.
func readConflicts(r brain.Reader, m brain.Memory) (f conflictFacts, err error) {
	if f.held, err = r.Differences(m.ID); err != nil {
		return f, err
	}
	ids := otherEnds(m.ID, f.held)
	if claim := claimOf(&m); claim != nil {
		hits, err := r.Search(brain.SearchQuery{Words: words.Query{Terms: claim.Terms()}, NoSections: true, Share: claimShare, Limit: claimCandidates})
		if err != nil {
			return f, err
		}
		for _, h := range hits {
			if h.Project == m.Project && h.ID != m.ID {
				ids = append(ids, h.ID)
			}
		}
	}
	if len(ids) == 0 {
		return f, nil
	}
	ids = brain.Unique(ids)
	if f.others, err = r.Memories(ids...); err != nil {
		return f, err
	}
	if f.written, err = writtenAt(r, append([]brain.Memory{m}, f.others...)); err != nil {
		return f, err
	}
	rels, err := r.Differences(ids...)
	f.contested, f.contesting = map[string]bool{}, map[string]bool{}
	for _, rel := range rels {
		if rel.From != m.ID {
			f.contested[rel.To] = true
		}
		if rel.To != m.ID {
			f.contesting[rel.From] = true
		}
	}
	return f, err
}

func otherEnds(id string, rels []brain.Relation) (others []string) {
	for _, rel := range rels {
		if rel.From == id {
			others = append(others, rel.To)
		} else {
			others = append(others, rel.From)
		}
	}
	return others
}

// claimOf returns the claim of a memory that can be in conflict; nil if there is none.
func claimOf(m *brain.Memory) *similar.Claim {
	if !m.Current() || m.Entity || m.MemoryType == "reminder" {
		return nil
	}
	return similar.ClaimOf(brain.Said(m))
}

// conflictPlan is what a memory changes about conflicts.
type conflictPlan struct {
	link, unlink []brain.Relation
	ask          brain.Relation // that a person is asked about, if any
	older        []brain.Memory // that the memory differs from
}

// decideConflicts relates a memory with each that claims something else, the one with
// the newer text to the other. A person is asked about the newest text and the one that
// held until it came, not about earlier ones.
func decideConflicts(m brain.Memory, f conflictFacts) (p conflictPlan) {
	claim := claimOf(&m)
	var wanted []brain.Relation
	var newest, held brain.Memory
	for _, o := range f.others {
		if o.Project != m.Project || !claim.Conflicts(claimOf(&o)) {
			continue
		}
		rel := brain.Relation{From: m.ID, Type: brain.DiffersFrom, To: o.ID}
		if f.written[o.ID].After(f.written[m.ID]) {
			rel.From, rel.To = rel.To, rel.From
			if newest.ID == "" || f.written[o.ID].After(f.written[newest.ID]) {
				newest = o
			}
		} else {
			p.older = append(p.older, o)
			if !f.contested[o.ID] && (held.ID == "" || f.written[o.ID].After(f.written[held.ID])) {
				held = o
			}
		}
		wanted = append(wanted, rel)
	}
	if len(wanted) > maxSeries {
		return conflictPlan{unlink: f.held}
	}
	p.link, p.unlink = without(wanted, f.held), without(f.held, wanted)
	switch {
	case newest.ID != "" && !f.contesting[newest.ID]:
		p.ask = brain.Relation{From: newest.ID, Type: brain.DiffersFrom, To: m.ID}
	case newest.ID == "" && held.ID != "":
		p.ask = brain.Relation{From: m.ID, Type: brain.DiffersFrom, To: held.ID}
	}
	return p
}

// without returns the relations of a that are not in b.
func without(a, b []brain.Relation) []brain.Relation {
	return slices.DeleteFunc(slices.Clone(a), func(r brain.Relation) bool { return slices.Contains(b, r) })
}

// writeConflicts stores a plan, and returns how many review items it made.
func writeConflicts(tx brain.Tx, p conflictPlan, now time.Time) (asked int, err error) {
	if err := tx.DeleteRelations(p.unlink...); err != nil {
		return 0, err
	}
	rels := p.link
	if p.ask.From != "" {
		rels = brain.Unique(append(rels, p.ask))
	}
	for _, rel := range rels {
		open, err := isOpen(tx, rel)
		if err != nil {
			return 0, err
		}
		if !open {
			continue
		}
		if err := tx.PutRelations(rel); err != nil {
			return 0, err
		}
		if rel != p.ask {
			continue
		}
		made, err := flag(tx, conflictItem(rel), now)
		if err != nil {
			return 0, err
		}
		if made {
			asked++
			err = withdraw(tx, rel.To)
		}
		if err != nil {
			return 0, err
		}
	}
	return asked, nil
}

// isOpen reports whether the memories of a conflict are current and no person has
// decided about it.
func isOpen(tx brain.Tx, rel brain.Relation) (bool, error) {
	ms, err := tx.Memories(rel.From, rel.To)
	if err != nil || len(ms) < 2 || !ms[0].Current() || !ms[1].Current() {
		return false, err
	}
	item, err := reviewOf(tx, rel.From, rel.To)
	return err == nil && (item == nil || !item.State.Decided()), err
}

// reviewOf returns the review item about two memories; nil if there is none.
func reviewOf(r brain.Reader, a, z string) (*brain.ReviewItem, error) {
	ms, err := r.Memories(a, z)
	if err != nil || len(ms) < 2 {
		return nil, err
	}
	id := brain.ReviewID(brain.Fingerprint(ms), ms)
	items, err := brain.Bodies[brain.ReviewItem](r.Records(brain.ReviewRecord, id))
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return &items[0], nil
}

// withdraw takes back what a person was asked about a memory that does not hold any
// more and those that it differs from: only the newest claim is worth a question.
func withdraw(tx brain.Tx, past string) error {
	rels, err := tx.Differences(past)
	if err != nil {
		return err
	}
	var moot []string
	for _, rel := range rels {
		if rel.From != past {
			continue
		}
		item, err := reviewOf(tx, rel.From, rel.To)
		if err != nil {
			return err
		}
		if item != nil && item.State == brain.ReviewPending && item.Kind == brain.ReviewConflict {
			moot = append(moot, item.ID)
		}
	}
	return tx.DeleteRecords(brain.ReviewRecord, moot...)
}

func conflictItem(rel brain.Relation) brain.ReviewItem {
	reason := "they say different things about the same subject; the newer one holds until you decide"
	return brain.ReviewItem{Kind: brain.ReviewConflict, Reason: reason, Memories: []string{rel.From, rel.To}}
}

// FindConflicts notes the conflicts of texts that were stored since it last looked, at
// most 100 of them; the next call goes on. It follows whatever stores many texts at
// once, and each run.
func (b *Service) FindConflicts(ctx context.Context) (asked int, err error) {
	var state struct {
		Mark string `json:"mark"`
	}
	err = b.base.Store.View(ctx, func(r brain.Reader) error { return lifecycle.ReadCheckpoint(r, ConflictJob, &state) })
	if err != nil {
		return 0, err
	}
	before := state.Mark
	state.Mark, err = b.base.EachWritten(ctx, state.Mark, catchUpLimit, func(page []brain.Memory, _ string) (bool, error) {
		// Newest first, so that a person is asked about the newest of several.
		slices.SortStableFunc(page, func(a, z brain.Memory) int { return z.Created.Compare(a.Created) })
		for _, m := range page {
			_, made, err := b.noteConflicts(ctx, m)
			if err != nil {
				return false, err
			}
			asked += made
		}
		return false, nil
	})
	if err != nil || state.Mark == before {
		return asked, err
	}
	return asked, b.base.PutCheckpoint(ctx, ConflictJob, state)
}
