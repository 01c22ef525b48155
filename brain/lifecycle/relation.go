package lifecycle

import "github.com/brainbridge/brainbridge/brain"

// FollowsType is the type of the relation between outcomes of one title.
const FollowsType = "follows"

// FollowLimit is the number of outcomes of one title that are searched for the one that
// a new one follows.
const FollowLimit = 8

// PutActionRelations stores the relations that an action made and deletes those that it
// removed.
func PutActionRelations(tx brain.Tx, a brain.Action) error {
	if err := tx.DeleteRelations(a.Unlinked...); err != nil {
		return err
	}
	return tx.PutRelations(a.Linked...)
}

// PutLinks stores the changed lives, relations and records of actions.
func PutLinks(tx brain.Tx, actions ...brain.Action) error {
	for _, a := range actions {
		for _, c := range a.Changes {
			if err := tx.PutLives(*c.After); err != nil {
				return err
			}
		}
		for _, rec := range a.Removed {
			if err := tx.DeleteRecords(rec.Kind, rec.ID); err != nil {
				return err
			}
		}
		if err := tx.PutRecords(a.Made...); err != nil {
			return err
		}
		if err := PutActionRelations(tx, a); err != nil {
			return err
		}
	}
	return nil
}
