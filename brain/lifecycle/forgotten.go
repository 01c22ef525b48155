package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Tombstone names the journal action that has the forgotten memory.
type Tombstone struct {
	Action string `json:"action"`
	Run    string `json:"run"`
}

// FindForgotten returns the action that forgot a memory. It comes from the journal or, if
// the run is no longer there, is rebuilt from the archive.
func (b Base) FindForgotten(ctx context.Context, id string) (brain.Action, error) {
	found, err := Read(ctx, b, func(r brain.Reader) (a brain.Action, err error) {
		if id, err = completeForgotten(r, id); err == nil {
			id, err = followRedirects(r, id)
		}
		if err != nil {
			return a, err
		}
		stones, err := brain.Bodies[Tombstone](r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{id}}))
		if err == nil && len(stones) > 0 {
			a, err = brain.First(brain.Bodies[brain.Action](r.Records(brain.ActionRecord, stones[len(stones)-1].Action)))
		}
		return a, err
	})
	switch {
	case err != nil || found.ID != "":
		return found, err
	case b.Archive == nil:
		return found, notForgotten(id)
	}
	f, err := b.Archive.Find(ctx, id)
	var several interface{ Unwrap() []error }
	if errors.Is(err, brain.ErrNotFound) && (!errors.As(err, &several) || len(several.Unwrap()) < 2) {
		return brain.Action{}, notForgotten(id)
	}
	if err != nil { // also one that says which files could not be read
		return brain.Action{}, fmt.Errorf("look for %s in the archive: %w", id, err)
	}
	found = brain.Action{Kind: brain.ActForget, IDs: []string{id}, Changes: []brain.Change{{Before: &f.Memory}}, Unlinked: brain.WithoutDifferences(f.Relations)}
	if f.Source != nil {
		found.Sources = []brain.Source{*f.Source}
	}
	return found, nil
}

// completeForgotten returns the full id of a forgotten memory, or of a redirect to one, for a
// unique prefix, and any other text unchanged. It looks at the latest ones.
func completeForgotten(r brain.Reader, id string) (string, error) {
	const latest = 100_000
	return UniqueID(id, namesForgotten, func(prefix string) (ids []string, err error) {
		stones, err := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{Limit: latest})
		for _, s := range stones {
			if strings.HasPrefix(s.Owner, prefix) {
				ids = brain.Union(ids, []string{s.Owner})
			}
		}
		if len(ids) > 0 || err != nil {
			return ids, err
		}
		others, err := r.Matching(3, prefix)
		for _, redirect := range Get(&err, OfKind(brain.RedirectRecord, r.Records), others...) {
			ids = append(ids, redirect.ID)
		}
		return ids, err
	})
}

const namesForgotten = "`brainbridge runs show RUN` names what a run forgot"

func notForgotten(id string) error {
	return brain.Errorf(brain.ErrNotFound, namesForgotten, "nothing was forgotten under the id %s", id)
}

// Restore stores the nodes and relations that an action removed, and deletes its
// tombstones.
func Restore(tx brain.Tx, a brain.Action) error {
	var ms []brain.Memory
	for _, c := range a.Changes {
		if c.Before != nil && c.After == nil {
			ms = append(ms, *c.Before)
		}
	}
	slices.Reverse(ms) // originals before the memories made from them
	policy, since, err := brain.ReadPolicySince(tx)
	for i := range ms {
		if err == nil && a.At.Before(since) {
			ms[i].State = policy.Reset(ms[i].State, ms[i].Energy, since)
		}
	}
	Put(&err, tx.PutSources, a.Sources...)
	Put(&err, tx.PutMemories, ms...)
	stones := Get(&err, OfKindBy(tx, brain.TombstoneRecord, brain.ByOwner), brain.IDs(ms)...)
	Put(&err, DeleteRecords(tx), stones...)
	var ids []string
	for _, r := range a.Unlinked {
		ids = append(ids, r.From, r.To)
	}
	ids = brain.Unique(ids)
	ends := map[string]bool{} // those of the relations that exist
	for _, m := range Get(&err, tx.Memories, ids...) {
		ends[m.ID] = true
	}
	for _, s := range Get(&err, tx.Sources, ids...) {
		ends[s.ID] = true
	}
	whole := slices.DeleteFunc(slices.Clone(a.Unlinked), func(r brain.Relation) bool { return !ends[r.From] || !ends[r.To] })
	Put(&err, tx.PutRelations, whole...)
	return err
}
