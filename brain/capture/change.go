package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// Done closes a reminder, or reopens it if undo is set. id is the id of the reminder or
// of its memory, or its text. For a task that notes carry from day to day, it closes the newest one.
func (s *Service) Done(ctx context.Context, id string, undo bool) (brain.Source, error) {
	now := s.base.Now()
	var out brain.Source
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		source, err := reminder(tx, id)
		if err != nil {
			return err
		}
		same, err := mergedWith(tx, source)
		if err != nil {
			return err
		}
		from, to := time.Time{}, now
		if undo { // only those that were closed together with it
			from, to = source.Done, time.Time{}
		}
		for i := range same {
			if same[i].Done.Equal(from) {
				same[i].Done = to
			}
		}
		out = same[0]
		return tx.PutSources(same...)
	})
	return out, brain.Wrap(err, "done")
}

// reminder returns the reminder with an id or text; of a task with copies, the newest copy.
func reminder(r brain.Reader, id string) (brain.Source, error) {
	const hint = "`brainbridge list --sources reminder` shows the open ones"
	s, err := sourceFor(r, id)
	if errors.Is(err, brain.ErrInvalid) { // perhaps the text of a task with several copies
		s, err = anyCopy(r, id, err)
	}
	if errors.Is(err, brain.ErrNotFound) {
		return brain.Source{}, brain.Errorf(brain.ErrNotFound, hint, "no reminder has the id or the text %s", id)
	}
	if err == nil && s.Kind != brain.Reminder {
		err = brain.Errorf(brain.ErrInvalid, hint, "%s is not a reminder", id)
	}
	if err != nil || s.TitleKey == "" {
		return s, err
	}
	same, err := lifecycle.WithTitle(r, lifecycle.FollowLimit, s.TitleKey)
	for _, other := range same {
		if other.Kind == brain.Reminder && other.Removed.IsZero() && other.Date > s.Date {
			s = other
		}
	}
	return s, err
}

// anyCopy returns one of the copies of a task that several notes have under one name. If
// the memories of that name are anything else, it returns the error ambiguous.
func anyCopy(r brain.Reader, text string, ambiguous error) (brain.Source, error) {
	named, err := lifecycle.Named(r, lifecycle.FollowLimit, brain.NameKey(text))
	copies := lifecycle.Get(&err, r.Sources, lifecycle.SourceIDs(named)...)
	if err != nil {
		return brain.Source{}, err
	}
	other := func(s brain.Source) bool {
		return s.Kind != brain.Reminder || s.TitleKey == "" || s.TitleKey != copies[0].TitleKey
	}
	if len(copies) == 0 || len(copies) < len(named) || slices.ContainsFunc(copies, other) {
		return brain.Source{}, ambiguous
	}
	return copies[0], nil
}

// mergedWith returns a reminder, followed by the reminders whose memories were merged
// with its memory. It follows the relations between a memory and its newer versions.
func mergedWith(r brain.Reader, s brain.Source) ([]brain.Source, error) {
	const limit = 64 // sources and memories whose relations are followed
	ids := []string{s.ID}
	for i := 0; i < len(ids) && i < limit; i++ {
		rels, err := r.Relations(ids[i])
		if err != nil {
			return nil, err
		}
		for _, rel := range rels {
			if rel.Type == brain.HasMemory || rel.Type == brain.PromotedTo || rel.Type == brain.Supersedes {
				ids = brain.Union(ids, []string{rel.From, rel.To})
			}
		}
	}
	all, err := r.Sources(ids[1:]...)
	same := []brain.Source{s}
	for _, other := range all {
		if other.Kind == brain.Reminder && other.Removed.IsZero() && other.Due.Equal(s.Due) {
			same = append(same, other)
		}
	}
	return same, err
}

// sourceFor returns the source with an id, or the source of the memory with that id. A
// memory without a source gives the zero value.
func sourceFor(r brain.Reader, id string) (brain.Source, error) {
	full, err := lifecycle.CompleteID(r, id)
	if err != nil {
		return brain.Source{}, err
	}
	s, err := brain.First(r.Sources(full))
	if err == nil && s.ID == "" {
		var m brain.Memory
		if m, err = lifecycle.Newest(r, full); err == nil {
			s, err = brain.First(r.Sources(m.SourceNodeID))
		}
	}
	return s, err
}

// Relate adds a relation between two memories, as a run that changes the first one. The run
// has no actions if the relation exists.
func (s *Service) Relate(ctx context.Context, from, relType, to string) (brain.Relation, brain.Run, error) {
	if err := brain.CheckRelationType(relType); err != nil {
		return brain.Relation{}, brain.Run{}, err
	}
	relType, secrets := s.base.Redact(relType)
	s.base.ReportRedacted(secrets)
	at := s.base.Options.Now()
	now := brain.Instant(at)
	var rel brain.Relation
	_, run, err := s.base.Act(ctx, s.base.NewRun(brain.RunRelate, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		first, err := lifecycle.Resolve(tx, from)
		if err != nil {
			return nil, err
		}
		second, err := lifecycle.Resolve(tx, to)
		if err != nil {
			return nil, err
		}
		before := first.Memory
		if before.ID == second.Memory.ID {
			return nil, brain.Errorf(brain.ErrInvalid, "name another memory", "%s cannot be related to itself", before.ID)
		}
		rel = brain.Relation{From: before.ID, Type: relType, To: second.Memory.ID, Made: at.UnixMicro()}
		existing, err := tx.Relations(rel.From)
		if err != nil || brain.HasRelation(existing, rel) {
			return nil, err
		}
		after := before
		after.Version++
		action := brain.Action{
			Kind: brain.ActRelate, IDs: []string{rel.From, rel.To}, Reason: "related by hand", At: now,
			Changes: []brain.Change{{Before: &before, After: &after}}, Linked: []brain.Relation{rel},
		}
		if err := lifecycle.PutLinks(tx, action); err != nil {
			return nil, err
		}
		return []brain.Action{action}, lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
	})
	return rel, run, brain.Wrap(err, "relate")
}

// Correct replaces the name and text of a memory. What it said is kept as a memory of its own
// that it supersedes. It is created now, so that it counts as the newest statement, and it is
// live even if it had expired. Correct returns the memory and the run.
//
// Without a name the memory is named after the text, with three exceptions. An entity
// and a core memory keep their names, because others refer to them. A learning keeps its
// concept, and a crystallization its trigger, except one with a number, such as "port is
// 5432". If the memory has a reminder, the reminder gets the new text too.
func (s *Service) Correct(ctx context.Context, id, name, text string) (brain.Memory, brain.Run, error) {
	return s.CorrectIf(ctx, id, name, text, func(brain.Memory) error { return nil })
}

// CorrectIf is [Service.Correct] unless still returns an error for the memory as it is in the
// transaction that corrects it. CorrectIf then changes nothing and returns that error.
func (s *Service) CorrectIf(ctx context.Context, id, name, text string, still func(brain.Memory) error) (brain.Memory, brain.Run, error) {
	if err := brain.CheckText("the text", text); err != nil {
		return brain.Memory{}, brain.Run{}, err
	}
	redaction, now := s.base.Redaction(), s.base.Now()
	name, text = redaction.Text(name), redaction.Text(text)
	s.base.ReportRedacted(redaction.Found)
	var out brain.Memory
	_, run, err := s.base.Act(ctx, s.base.NewRun(brain.RunCorrect, now), now, func(tx brain.Tx) ([]brain.Action, error) {
		found, err := lifecycle.Resolve(tx, id)
		if err == nil {
			err = still(found.Memory)
		}
		if err != nil {
			return nil, err
		}
		policy, err := brain.ReadPolicy(tx)
		if err != nil {
			return nil, err
		}
		settled := lifecycle.Settle(policy, []brain.Memory{found.Memory}, now)
		if err := settled.Commit(tx); err != nil {
			return nil, err
		}
		old := settled.Settled[found.Memory.ID]
		err = lifecycle.AddTally(tx, lifecycle.TallyRedacted, redaction.Found, now)
		sources := lifecycle.Get(&err, tx.Sources, old.SourceNodeID)
		if err != nil {
			return nil, err
		}
		out = corrected(old, sources, now, name, text)
		if out.Tier == tiers.Expired {
			out.State, _ = policy.Touch(out.State, tiers.Event{Add: tiers.InitialOther, MayRevive: true}, now)
		}
		action, err := reword(tx, old, lifecycle.Earlier(policy, old, now), out)
		if err == nil {
			action.Sources, err = rewordReminder(tx, sources, out)
		}
		return []brain.Action{action}, err
	})
	if err != nil {
		return brain.Memory{}, brain.Run{}, fmt.Errorf("correct: %w", err)
	}
	return out, run, nil
}

// corrected returns a memory with another text.
func corrected(old brain.Memory, sources []brain.Source, now time.Time, name, text string) brain.Memory {
	next := old
	namesTopic := !strings.ContainsFunc(old.Name, unicode.IsDigit) && slices.ContainsFunc(sources, func(s brain.Source) bool {
		return s.Kind == brain.Learning || s.Kind == brain.Crystallization
	})
	if name == "" && (namesTopic || old.Entity || old.IsCore()) {
		name = old.GivenName()
	}
	next.Name, next.Content = name, text
	if next.Entity {
		next.Observations = strings.Split(text, "\n")
	}
	next.Version++
	next.ValidFrom, next.ValidTo = now, time.Time{}
	if !next.Entity { // entities keep their place in the graph
		next.Created = now
	}
	lifecycle.ApplyObservations(&next, old.Observations, now)
	next.Complete()
	return next
}

// rewordReminder gives the reminder of a memory its text, and returns the earlier reminder.
func rewordReminder(tx brain.Tx, before []brain.Source, m brain.Memory) ([]brain.Source, error) {
	if len(before) == 0 || before[0].Kind != brain.Reminder {
		return nil, nil
	}
	after := before[0]
	after.Text = m.Content
	return before, tx.PutSources(after)
}

// reword stores a memory with another text and what it said before, and returns the action.
func reword(tx brain.Tx, before, earlier, next brain.Memory) (brain.Action, error) {
	a := brain.Action{
		Kind: brain.ActSupersede, IDs: []string{next.ID, earlier.ID}, Reason: "corrected by hand", At: next.ValidFrom,
		Changes: []brain.Change{{Before: &before, After: &next}, {After: &earlier}},
	}
	err := tx.PutMemories(earlier, next)
	lifecycle.Put(&err, tx.PutRelations, brain.Relation{From: next.ID, Type: brain.Supersedes, To: earlier.ID})
	if err == nil {
		err = lifecycle.RedirectName(tx, &a, before, next)
	}
	if err == nil { // relations may wait for its new name
		a.Linked, a.Removed, err = lifecycle.JoinPending(tx, next)
	}
	lifecycle.Put(&err, tx.PutRelations, a.Linked...)
	return a, err
}
