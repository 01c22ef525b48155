package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/similar"
)

const listsReviews = "`brainbridge review` lists the open items"

// Review returns one item by its id or a unique prefix of it.
func (s *Service) Review(ctx context.Context, id string) (brain.ReviewItem, error) {
	items, err := s.Reviews(ctx, "")
	if err != nil {
		return brain.ReviewItem{}, err
	}
	full, err := lifecycle.UniqueID(id, listsReviews, func(prefix string) (ids []string, err error) {
		for i := range items {
			if strings.HasPrefix(items[i].ID, prefix) {
				ids = append(ids, items[i].ID)
			}
		}
		return ids, nil
	})
	if err != nil {
		return brain.ReviewItem{}, err
	}
	i := slices.IndexFunc(items, func(item brain.ReviewItem) bool { return item.ID == full })
	if i < 0 {
		return brain.ReviewItem{}, brain.Errorf(brain.ErrNotFound, listsReviews, "no review item has the id %s", full)
	}
	return items[i], nil
}

// Decide applies a verdict about an item, as a run of kind review, and returns the item with
// the verdict. id may be a unique prefix. A text is for the verdict same only: it becomes
// that of the merged memory, and must pass [CheckText]; of a pair it may have no fact that
// neither side has.
//
// It returns [brain.ErrInvalid] for a verdict that the item does not take, for a
// text that does not pass, and for an item that was decided, [brain.ErrNotFound] if one of
// the memories was forgotten, and [brain.ErrConflict] if one has changed.
func (s *Service) Decide(ctx context.Context, id, verdict, text string) (item brain.ReviewItem, err error) {
	defer func() { err = brain.Wrap(err, "decide") }()
	found, err := s.Review(ctx, id)
	if err != nil {
		return found, err
	}
	if err := checkVerdict(found, verdict, text); err != nil {
		return found, err
	}
	redaction, now := s.base.Redaction(), s.base.Now()
	text = redaction.Text(text)
	s.base.ReportRedacted(redaction.Found)
	run := s.base.NewRun(brain.RunReview, now)
	_, _, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		recs, err := tx.Records(brain.ReviewRecord, found.ID)
		item, err = brain.First(brain.Bodies[brain.ReviewItem](recs, err))
		if err == nil && item.State != brain.ReviewPending {
			err = notPending(item)
		}
		if err != nil {
			return nil, err
		}
		actions, err := apply(tx, item, verdict, text, now)
		if err != nil {
			return nil, err
		}
		item.State, item.Verdict, item.Decided, item.RunID = brain.ReviewDecided, verdict, now, run.ID
		after, err := item.Record()
		if err != nil {
			return nil, err
		}
		actions[0].Made, actions[0].Removed = append(actions[0].Made, after), append(actions[0].Removed, recs[0]) // undo puts it back into the queue
		lifecycle.Put(&err, tx.PutRecords, after)
		if err == nil {
			err = lifecycle.AddTally(tx, lifecycle.TallyRedacted, redaction.Found, now)
		}
		return actions, err
	})
	return item, err
}

// checkVerdict returns an error if a verdict or its text does not fit an item.
func checkVerdict(item brain.ReviewItem, verdict, text string) error {
	fits := item.Verdicts()
	last := len(fits) - 1
	choices := strings.Join(fits[:last], ", ") + " or " + fits[last]
	switch {
	case !slices.Contains(fits, verdict):
		return brain.Errorf(brain.ErrInvalid, "decide it as "+choices, "%q is not a verdict about %s", verdict, described(item))
	case text != "" && verdict != brain.VerdictSame:
		return brain.Errorf(brain.ErrInvalid, "give a text with the verdict same only", "the verdict %s takes no text", verdict)
	case text != "":
		return brain.CheckText("the text", text)
	}
	return nil
}

// described names an item by its kind.
func described(item brain.ReviewItem) string {
	if n := len(item.Memories); item.Kind == brain.ReviewMerge && n > 2 {
		return fmt.Sprintf("a %s of %d memories", item.Kind, n)
	}
	return "a " + string(item.Kind)
}

// notPending returns the error for a verdict about an item that is no longer open.
func notPending(item brain.ReviewItem) error {
	if item.State == brain.ReviewClosed {
		return brain.Errorf(brain.ErrInvalid, listsReviews, "%s is closed", item.ID)
	}
	hint := listsReviews
	if item.RunID != "" {
		hint = "`brainbridge undo " + item.RunID + "` takes that back"
	}
	return brain.Errorf(brain.ErrInvalid, hint, "%s was decided at %s: %s", item.ID, item.Decided.Format(time.RFC3339), item.Verdict)
}

// apply writes what a verdict about an item means, and returns its actions, at least one.
func apply(tx brain.Tx, item brain.ReviewItem, verdict, text string, now time.Time) ([]brain.Action, error) {
	ms, err := itemMemories(tx, item, nil)
	if err != nil {
		return nil, err
	}
	reason := "decided in review (" + verdict + "): " + item.Reason
	switch verdict {
	case brain.VerdictNewer:
		return replaceIn(tx, ms[0].ID, brain.IDs(ms[1:]), reason, now)
	case brain.VerdictOlder:
		return replaceIn(tx, ms[1].ID, brain.IDs(ms[:1]), reason, now)
	case brain.VerdictBoth, brain.VerdictReject:
		return []brain.Action{{Kind: brain.ActKeep, IDs: brain.IDs(ms), Reason: reason, At: now}}, nil
	}
	policy, err := brain.ReadPolicy(tx)
	if err != nil {
		return nil, err
	}
	settled := lifecycle.Settle(policy, ms, now)
	if err := settled.Commit(tx); err != nil {
		return nil, err
	}
	ms = brain.Map(ms, func(m brain.Memory) brain.Memory { return settled.Settled[m.ID] })
	if verdict == brain.VerdictAccept {
		return PromoteAll(tx, ms, now, reason)
	}
	keeper := slices.MinFunc(ms, func(a, b brain.Memory) int { return CompareKeepers(&a, &b) })
	m := Merging{Reason: reason, Sources: ms}
	switch {
	case text != "":
		m.Result = &brain.Memory{Name: keeper.GivenName(), Content: text, MemoryType: keeper.MemoryType}
		reason := CheckText(*m.Result, ms)
		if item.Kind == brain.ReviewPair { // the two may say the same in wholly different words
			reason = invented(similar.Prepare(text), text, Texts(ms))
		}
		if reason != "" {
			return nil, brain.Errorf(brain.ErrInvalid, "write only what the memories say, or decide both to leave them as they are; `brainbridge review show "+item.ID+"` shows them", "%s", reason)
		}
	case item.Proposed != nil:
		m.Result = item.Proposed
	}
	m, err = m.arranged()
	if err != nil {
		return nil, err
	}
	a, err := m.write(tx, now)
	return []brain.Action{a}, err
}

// CompareKeepers orders the memories of a cluster. The first one keeps its id and text
// in a merge by rule: the one with the most confirmations and recalls, then the
// newest, then the lowest id.
func CompareKeepers(a, b *brain.Memory) int {
	return cmp.Or(
		cmp.Compare(b.Confirmations+b.RecallCount, a.Confirmations+a.RecallCount),
		b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID),
	)
}

// maxShown is in how many sessions an open pair is shown.
const maxShown = 3

// OpenPairs returns open pairs of memories of a project or of none, at most limit, newest
// first, and counts that they are shown in a session; "" is that of the caller. It leaves
// out those that were shown in three other sessions.
func (s *Service) OpenPairs(ctx context.Context, project, session string, limit int) ([]lifecycle.OpenPair, error) {
	pairs, err := lifecycle.Read(ctx, s.base, lifecycle.OpenPairs)
	if err != nil {
		return nil, fmt.Errorf("read the open pairs: %w", err)
	}
	session = cmp.Or(session, s.base.SessionAt(s.base.Now()))
	elsewhere := func(m brain.Memory) bool { return m.Project != "" && m.Project != project }
	pairs = slices.DeleteFunc(pairs, func(p lifecycle.OpenPair) bool {
		in := p.Item.ShownIn
		return elsewhere(p.Newer) || elsewhere(p.Older) || len(in) >= maxShown && !slices.Contains(in, session)
	})
	pairs = pairs[:min(len(pairs), limit)]
	isNew := func(p lifecycle.OpenPair) bool { return !slices.Contains(p.Item.ShownIn, session) }
	if !slices.ContainsFunc(pairs, isNew) {
		return pairs, nil
	}
	err = s.base.Store.Update(ctx, func(tx brain.Tx) error {
		ids := brain.Map(pairs, func(p lifecycle.OpenPair) string { return p.Item.ID })
		items, err := brain.Bodies[brain.ReviewItem](tx.Records(brain.ReviewRecord, ids...))
		for _, item := range items {
			item.ShownIn = brain.Union(item.ShownIn, []string{session})
			rec, failed := item.Record()
			err = cmp.Or(err, failed)
			lifecycle.Put(&err, tx.PutRecords, rec)
		}
		return err
	})
	return pairs, brain.Wrap(err, "count the open pairs that are shown")
}
