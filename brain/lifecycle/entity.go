package lifecycle

import (
	"errors"
	"maps"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// FindEntities returns entities by their exact names. The former name of an entity that was
// merged or corrected finds its successor. Inside Update the returned memories are locked.
func FindEntities(r brain.Reader, names []string) (map[string]brain.Memory, error) {
	byKey := map[string]string{}
	for _, name := range names {
		byKey[brain.EntityKey(name)] = name
	}
	held, err := r.MemoriesByEntity(slices.Sorted(maps.Keys(byKey))...)
	locked := Get(&err, r.Memories, brain.IDs(held)...)
	if err != nil {
		return nil, err
	}
	found := map[string]brain.Memory{}
	for _, m := range locked {
		if name, asked := byKey[m.EntityKey]; asked {
			found[name] = m
			delete(byKey, m.EntityKey)
		}
	}
	return found, findFormer(r, byKey, found)
}

// findFormer adds the successors of entities that formerly had the names with these keys.
func findFormer(r brain.Reader, byKey map[string]string, found map[string]brain.Memory) error {
	byAlias := map[string]string{}
	for key, name := range byKey {
		byAlias[aliasID(key)] = name
	}
	recs, err := r.Records(brain.RedirectRecord, slices.Sorted(maps.Keys(byAlias))...)
	if err != nil {
		return err
	}
	for _, rec := range recs {
		at, err := Resolve(r, rec.Key)
		switch {
		case errors.Is(err, brain.ErrNotFound):
		case err != nil:
			return err
		case at.Memory.Entity && at.Memory.Current():
			found[byAlias[rec.ID]] = at.Memory
		}
	}
	return nil
}

// RedirectName redirects the name of an entity to its successor, as part of an action. It
// stores nothing if the entity keeps the name or has none.
func RedirectName(tx brain.Tx, a *brain.Action, old, next brain.Memory) error {
	if old.EntityKey == "" || !next.Entity || old.Name == next.Name {
		return nil
	}
	rec, err := brain.NewRecord(brain.RedirectRecord, aliasID(old.EntityKey), "", next.ID, a.At, struct{}{})
	if err != nil {
		return err
	}
	a.Made = append(a.Made, rec)
	return tx.PutRecords(rec)
}

// aliasID returns the id of the redirect from a former name of an entity.
func aliasID(key string) string { return "entity:" + key }
