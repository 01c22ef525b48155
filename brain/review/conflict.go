package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

const (
	// claimCandidates is the maximum number of memories that a text is compared with: those
	// of its project and of none among claimHits hits of a search in all projects.
	claimCandidates = 20
	claimHits       = 5 * claimCandidates
	// claimShare is the minimum share of the words of a claim that a candidate has.
	claimShare = 0.2
	// maxSeries is the maximum number of memories that one may contradict within seriesTime.
	// If there are more, they are entries of a series, such as the lines of a log.
	maxSeries  = 8
	seriesTime = time.Hour
	// maxDifferences bounds the chains that a text joins, and so the time of a run. Longer
	// ones come from series, such as the numbers of each day.
	maxDifferences = 250
	// catchUpPage is how many new texts FindConflicts reads at a time, and catchUpRead of how
	// many it reads the candidates at once.
	catchUpPage = 100
	catchUpRead = 20
	// CatchUp is how many new texts a sync or a run checks, some milliseconds each.
	CatchUp = 200
	// ConflictJob is the job whose checkpoint marks the texts that were checked.
	ConflictJob = "conflicts"
)

// NoteConflicts relates the newest memory of an id's chain to the memories that claim
// something else about the same subject, and removes such relations that no longer apply.
// It compares memories of the same project and of none; a memory without a project is
// compared with all. The newer memory applies, and a review item asks a person. Noting a
// memory twice changes nothing. It returns the older memories that this one differs from.
func (s *Service) NoteConflicts(ctx context.Context, id string) (older []brain.Memory, err error) {
	facts, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]conflictFacts, error) {
		m, err := lifecycle.Newest(r, id)
		if err != nil {
			return nil, err
		}
		return readConflicts(r, m)
	})
	if err != nil {
		return nil, fmt.Errorf("look for conflicts of %s: %w", id, err)
	}
	p := decideConflicts(facts[0])
	_, err = s.updateConflicts(ctx, p)
	return p.older, brain.Wrap(err, "note the conflicts of %s", id)
}

// noteConflicts notes the conflicts of memories, one after the other. It reads them at
// once, and those again whose conflicts an earlier one changed. asked is the number of
// review items that it added, less those that it withdrew.
func (s *Service) noteConflicts(ctx context.Context, ms []brain.Memory) (asked int, err error) {
	read := func(ms ...brain.Memory) ([]conflictFacts, error) {
		return lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]conflictFacts, error) { return readConflicts(r, ms...) })
	}
	facts, err := read(ms...)
	if err != nil {
		return 0, fmt.Errorf("look for conflicts: %w", err)
	}
	changed := map[string]bool{}
	for i, f := range facts {
		if f.involves(changed) {
			again, err := read(ms[i])
			if err != nil {
				return asked, fmt.Errorf("look for conflicts of %s: %w", ms[i].ID, err)
			}
			f = again[0]
		}
		p := decideConflicts(f)
		made, err := s.updateConflicts(ctx, p)
		if err != nil {
			return asked, fmt.Errorf("note the conflicts of %s: %w", ms[i].ID, err)
		}
		asked += made
		for _, rel := range slices.Concat(p.link, p.unlink, []brain.Relation{p.ask}) {
			changed[rel.From], changed[rel.To] = true, true
		}
	}
	return asked, nil
}

// updateConflicts writes a plan, see [writeConflicts].
func (s *Service) updateConflicts(ctx context.Context, p conflictPlan) (asked int, err error) {
	if len(p.link)+len(p.unlink) == 0 {
		if p.ask.From == "" {
			return 0, nil
		}
		item, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (brain.ReviewItem, error) { return reviewOf(r, p.ask.From, p.ask.To) })
		if err != nil || item.ID != "" {
			return 0, err
		}
	}
	now := s.base.Now()
	err = s.base.Store.Update(ctx, func(tx brain.Tx) (err error) {
		asked, err = writeConflicts(tx, p, now)
		return err
	})
	return asked, err
}

// conflictPlan lists the changes that conflicts of a memory need.
type conflictPlan struct {
	link, unlink []brain.Relation
	ask          brain.Relation // the difference that a person is asked about, if any
	older        []brain.Memory // the memories that this one differs from
}

// decideConflicts relates a memory to those that claim something else, always the newer
// one to the older one: to each older one that applied until now, and to the next newer
// one. So the claims about a subject form a chain. A person is asked about the newest
// memory and the one that applied before it, not about earlier ones.
func decideConflicts(f conflictFacts) (p conflictPlan) {
	m := f.memory
	newer, older := f.contradicting(&m)
	if f.differs.Len(brain.IDs(slices.Concat(newer, older))...) > maxDifferences {
		return conflictPlan{}
	}
	if isSeries(&m, slices.Concat(newer, older)) {
		return conflictPlan{unlink: f.held}
	}
	var wanted []brain.Relation
	for i := range older {
		o := &older[i]
		rel := brain.Relation{From: m.ID, Type: brain.DiffersFrom, To: o.ID}
		newest := f.differs.Newest(o.ID, m.ID)
		isNewest := func(other brain.Memory) bool { return other.ID == newest && shareProject(other.Project, m.Project) }
		switch replaced := newest != o.ID && slices.ContainsFunc(f.others, isNewest); {
		case !replaced:
			wanted, p.older = append(wanted, rel), append(p.older, *o)
		case brain.HasRelation(f.held, rel) || !slices.Contains(brain.IDs(older), newest):
			wanted = append(wanted, rel)
		}
	}
	for i, n := range newer {
		rel := brain.Relation{From: n.ID, Type: brain.DiffersFrom, To: m.ID}
		replaced := slices.ContainsFunc(newer[:i], func(o brain.Memory) bool { return shareProject(o.Project, n.Project) })
		if !replaced || brain.HasRelation(f.held, rel) {
			wanted = append(wanted, rel)
		}
	}
	p.link, p.unlink = without(wanted, f.held), without(f.held, wanted)
	switch {
	case len(newer) == 0 && len(p.older) > 0:
		p.ask = brain.Relation{From: m.ID, Type: brain.DiffersFrom, To: p.older[0].ID}
	case len(newer) > 0 && f.differs.Newest(newer[0].ID, m.ID) == newer[0].ID &&
		!slices.ContainsFunc(f.differs.DiffersFrom(newer[0].ID), func(older string) bool { return older != m.ID }):
		p.ask = brain.Relation{From: newer[0].ID, Type: brain.DiffersFrom, To: m.ID}
	}
	return p
}

// contradicting returns the memories that claim something else than m, split into newer
// and older ones, the nearest in time first. If both have the same instant, m counts as
// the newer one unless a stored relation says otherwise.
func (f conflictFacts) contradicting(m *brain.Memory) (newer, older []brain.Memory) {
	for _, o := range f.others {
		if !shareProject(o.Project, m.Project) || !f.claim.Conflicts(claimOf(&o)) && !slices.Contains(f.asked, o.ID) {
			continue
		}
		age := brain.CompareAge(&o, m)
		if age > 0 || age == 0 && brain.HasRelation(f.held, brain.Relation{From: o.ID, Type: brain.DiffersFrom, To: m.ID}) {
			newer = append(newer, o)
		} else {
			older = append(older, o)
		}
	}
	slices.SortStableFunc(newer, func(a, b brain.Memory) int { return brain.CompareAge(&a, &b) })
	slices.SortStableFunc(older, func(a, b brain.Memory) int { return brain.CompareAge(&b, &a) })
	return newer, older
}

// isSeries reports whether m and the memories that it contradicts are entries of a series.
func isSeries(m *brain.Memory, others []brain.Memory) bool {
	n := 0
	for i := range others {
		if m.Created.Sub(others[i].Created).Abs() < seriesTime {
			n++
		}
	}
	return n > maxSeries
}

// without returns the relations of a that are not in b.
func without(a, b []brain.Relation) []brain.Relation {
	return slices.DeleteFunc(slices.Clone(a), func(r brain.Relation) bool { return slices.Contains(b, r) })
}

// FindConflicts notes the conflicts of about limit texts that were stored since the last
// call; the next call continues. Runs call it, and so does every use case that stores many
// texts at once. It returns how many review items it added.
func (s *Service) FindConflicts(ctx context.Context, limit int) (asked int, err error) {
	var state struct {
		Mark string `json:"mark"`
	}
	if err := s.base.Checkpoint(ctx, ConflictJob, &state); err != nil {
		return 0, err
	}
	before, seen := state.Mark, 0
	state.Mark, err = s.base.EachWritten(ctx, state.Mark, catchUpPage, func(page []brain.Memory, mark string) (bool, error) {
		// Oldest first, so that each is related to the one that it replaced.
		slices.SortStableFunc(page, func(a, b brain.Memory) int { return brain.CompareAge(&a, &b) })
		for some := range slices.Chunk(page, catchUpRead) {
			made, err := s.noteConflicts(ctx, some)
			if err != nil {
				return false, err
			}
			asked += made
		}
		before, state.Mark, seen = mark, mark, seen+len(page)
		return seen < limit, s.base.PutCheckpoint(ctx, ConflictJob, state)
	})
	if err == nil && state.Mark != before {
		err = s.base.PutCheckpoint(ctx, ConflictJob, state)
	}
	return max(0, asked), err
}
