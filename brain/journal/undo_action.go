package journal

import (
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// undoFacts are the stored data that undoing an action depends on.
type undoFacts struct {
	policy   *tiers.Policy
	since    time.Time // when the numbers in force began, zero if there were no others
	now      time.Time
	here     map[string]brain.Memory // its subjects, by id
	made     []brain.Relation        // at the memories that it made
	namesake []brain.Memory          // present holders of the names that entities had before it
	reviews  []brain.Record          // the item of the review queue about its cluster
}

const nameTaken = "its name or identity is taken by another memory now"

// undoAction undoes one action, or returns why it cannot. f has the numbers and the instant.
func undoAction(tx brain.Tx, a brain.Action, f undoFacts) (reason string, err error) {
	if err := f.read(tx, a); err != nil {
		return "", err
	}
	if reason := f.obstacle(a); reason != "" {
		return reason, nil
	}
	restore, records, err := f.reverse(a)
	if err != nil {
		return "", err
	}
	a.Undone = f.now
	rec, err := a.Record()
	if err != nil {
		return "", err
	}
	err = tx.DeleteNodes(madeBy(a)...)
	lifecycle.Put(&err, tx.PutMemories, restore...)
	lifecycle.Put(&err, tx.DeleteRelations, a.Linked...)
	if err == nil {
		err = lifecycle.Restore(tx, a)
	}
	lifecycle.Put(&err, tx.DeleteNodes, slices.Concat(a.Sections, brain.Map(a.Restored, func(s brain.Source) string { return s.ID }))...)
	lifecycle.Put(&err, lifecycle.DeleteRecords(tx), a.Made...)
	lifecycle.Put(&err, tx.PutRecords, slices.Concat(a.Removed, records, []brain.Record{rec})...)
	return "", err
}

func (f *undoFacts) read(tx brain.Tx, a brain.Action) error {
	var ids, keys []string
	for _, c := range a.Changes {
		ids = append(ids, c.ID())
		if c.Before != nil && c.Before.EntityKey != "" {
			keys = append(keys, c.Before.EntityKey)
		}
	}
	ms, err := tx.Memories(ids...)
	f.here = brain.ByID(ms)
	f.made = lifecycle.Get(&err, tx.Relations, madeBy(a)...)
	f.namesake = lifecycle.Get(&err, tx.ListMemories, brain.ListFilter{By: brain.ByEntity, Keys: keys})
	if a.Kind == brain.ActMerge && err == nil {
		fingerprint, ms := mergedCluster(a)
		f.reviews, err = tx.Records(brain.ReviewRecord, brain.ReviewID(fingerprint, ms))
	}
	return err
}

// madeBy returns the ids of the memories that an action made.
func madeBy(a brain.Action) (ids []string) {
	for _, c := range a.Changes {
		if c.Before == nil {
			ids = append(ids, c.After.ID)
		}
	}
	return ids
}

// gaveNewID reports whether an action is one of earlier versions, which gave what they promoted,
// corrected or merged a new id.
func gaveNewID(a brain.Action) bool {
	made := func(c brain.Change) bool { return c.Before == nil && c.After.Current() }
	changed := func(c brain.Change) bool { return c.Before != nil && c.After != nil && !c.After.Current() }
	return slices.ContainsFunc(a.Changes, made) && slices.ContainsFunc(a.Changes, changed)
}

// obstacle returns why an action cannot be undone, "" if it can.
func (f undoFacts) obstacle(a brain.Action) string {
	if gaveNewID(a) {
		return "it was made by an earlier version, which gave the memory another id"
	}
	if a.At.Before(f.since) && (isTouch(a.Kind) || a.Kind == brain.ActRevive) {
		return "the lifecycle numbers have changed since, so what is left of its energy is not known"
	}
	ours := map[string]bool{}
	for _, c := range a.Changes {
		ours[c.ID()] = true
		m, exists := f.here[c.ID()]
		switch {
		case f.leaves(a, c):
		case c.After == nil && exists:
			return "it was captured again since"
		case c.After != nil && !exists:
			return "it was forgotten since"
		case c.After != nil && m.Version != c.After.Version && (a.Kind != brain.ActMerge || !relatedOnly(*c.After, m)):
			return "it has changed since"
		}
	}
	for _, r := range f.made {
		ofVersion := r.Type == brain.PromotedTo || r.Type == brain.Supersedes // of what the action archived
		if !brain.HasRelation(a.Linked, r) && !ofVersion {
			return "it was related to others since"
		}
	}
	if slices.ContainsFunc(f.namesake, func(m brain.Memory) bool { return !ours[m.ID] }) {
		return nameTaken
	}
	return ""
}

// leaves reports whether c is about a memory that replaced others and has changed since.
// Undo then revives the others and leaves that one as it is.
func (f undoFacts) leaves(a brain.Action, c brain.Change) bool {
	m, exists := f.here[c.ID()]
	return a.Kind == brain.ActReplace && c.ID() == a.IDs[0] && (!exists || m.Version != c.After.Version && !relatedOnly(*c.After, m))
}

// relatedOnly reports whether only relations and touches changed between two states of a
// memory. Such changes do not prevent the undo of a merge.
func relatedOnly(since, here brain.Memory) bool {
	return brain.Says(since) == brain.Says(here) && slices.Equal(since.Tags, here.Tags) && since.Tier == here.Tier &&
		since.ValidFrom.Equal(here.ValidFrom) && since.ValidTo.Equal(here.ValidTo) && since.SourceNodeID == here.SourceNodeID
}

// reverse returns the memories as they were before an action, and records: one that leads from the
// id of what a memory was to it, and of a merge an item, so that no run repeats it.
func (f undoFacts) reverse(a brain.Action) (restore []brain.Memory, records []brain.Record, err error) {
	for _, c := range a.Changes {
		if c.Before == nil && !c.After.Current() {
			rec, err := brain.NewRecord(brain.RedirectRecord, c.After.ID, "", a.IDs[0], f.now, struct{}{})
			if err != nil {
				return nil, nil, err
			}
			records = append(records, rec)
		}
		if c.Before == nil || c.After == nil || f.leaves(a, c) {
			continue
		}
		restore = append(restore, f.restored(a, c))
	}
	if a.Kind == brain.ActMerge {
		var rec brain.Record
		rec, err = f.undoneItem(a)
		records = append(records, rec)
	}
	return restore, records, err
}

// mergedCluster returns what a merge was made of, and its fingerprint in the review queue.
func mergedCluster(a brain.Action) (fingerprint string, ms []brain.Memory) {
	for _, c := range a.Changes {
		if c.Before != nil {
			ms = append(ms, *c.Before)
		}
	}
	for _, rec := range a.Removed {
		if rec.Kind == brain.ReviewRecord {
			return rec.Key, ms
		}
	}
	return brain.Fingerprint(ms), ms
}

// undoneItem returns the review item that keeps the memories of an undone merge apart. An
// item that a person had accepted is pending again.
func (f undoFacts) undoneItem(a brain.Action) (brain.Record, error) {
	_, ms := mergedCluster(a)
	reviews := slices.Concat(f.reviews, a.Removed) // the latter are put back
	reviews = slices.DeleteFunc(reviews, func(rec brain.Record) bool { return rec.Kind != brain.ReviewRecord })
	items, err := brain.Bodies[brain.ReviewItem](reviews, nil)
	if err != nil {
		return brain.Record{}, err
	}
	fingerprint := brain.Fingerprint(ms)
	item := brain.ReviewItem{
		ID: brain.ReviewID(fingerprint, ms), Fingerprint: fingerprint, Kind: brain.ReviewMerge,
		Reason: "merged (" + a.Reason + ") and undone", Created: a.At,
		State: brain.ReviewDecided, Verdict: brain.VerdictBoth, Decided: f.now, RunID: a.RunID, Memories: brain.IDs(ms),
	}
	for i := range ms {
		item.TextHashes = append(item.TextHashes, ms[i].ContentHash)
	}
	if n := len(items); n > 0 && items[n-1].State == brain.ReviewPending {
		item = items[n-1]
	}
	item.Undone = f.now
	return item.Record()
}

// restored returns a memory as it was before an action, plus what it gained since. It has
// its version from before the action, so that the action before that can be undone next.
func (f undoFacts) restored(a brain.Action, c brain.Change) brain.Memory {
	back, since, here := *c.Before, *c.After, f.here[c.ID()]
	if c.KeepsText() { // the journal omitted the text
		back.Content, back.Observations, back.Extra = here.Content, here.Observations, here.Extra
	}
	counted, counts := since.Counters(), here.Counters()
	for i, count := range back.Counters() {
		*count += *counts[i] - *counted[i]
	}
	if here.LastAccessed.After(since.LastAccessed) {
		back.LastAccessed = brain.Later(back.LastAccessed, here.LastAccessed)
	}
	if here.LastUsed.After(since.LastUsed) {
		back.LastUsed = brain.Later(back.LastUsed, here.LastUsed)
	}
	if a.At.Before(f.since) { // nothing is computed with other numbers than those in force
		back.State = f.policy.Reset(back.State, f.policy.Energy(here.State, f.now), f.now)
	} else {
		back.State = f.withGained(a.Kind, back.State, since.State, here.State)
	}
	back.SessionCount = c.Before.SessionCount + here.SessionCount - since.SessionCount
	back.Complete()
	return back
}

func isTouch(kind brain.ActionKind) bool {
	return slices.Contains([]string{lifecycle.EventBoost, string(brain.Helpful), string(brain.NotHelpful), string(brain.Unsure)}, string(kind))
}

// withGained returns the state of before an action with the energy that was gained since.
func (f undoFacts) withGained(kind brain.ActionKind, back, since, here tiers.State) tiers.State {
	if kind != brain.ActReplace && !back.PromoteDue.IsZero() { // only a later touch makes it due again
		back = f.policy.Reset(back, back.Base, back.BaseAt)
	}
	if gained := f.gained(since, here); gained > 1e-9 || isTouch(kind) && gained < -1e-9 { // an earlier touch was undone before
		back = f.policy.Reset(back, f.policy.Energy(back, f.now)+gained, f.now)
	}
	return back
}

// gained returns what boosts, accesses and recalls have added to a state, faded to now.
func (f undoFacts) gained(since, here tiers.State) float64 {
	if here.PromoteDue.IsZero() && !since.PromoteDue.IsZero() { // a later action was undone before
		since = f.policy.Reset(since, since.Base, since.BaseAt)
	}
	return f.policy.Energy(here, f.now) - f.policy.Energy(since, f.now)
}
