package lifecycle

import "github.com/brainbridge/brainbridge/brain"

// FollowsType is the type of the relation between outcomes of one title.
const FollowsType = "follows"

// FollowLimit is the number of outcomes of one title that are searched for the one that
// a new one follows.
const FollowLimit = 8

// SameNameLimit is the maximum number of memories with one name that are compared with a
// text.
const SameNameLimit = 16

// PutLinks stores the changed lives, the relations and the records of actions.
func PutLinks(tx brain.Tx, actions ...brain.Action) (err error) {
	for _, a := range actions {
		for _, c := range a.Changes {
			Put(&err, tx.PutLives, *c.After)
		}
		Put(&err, DeleteRecords(tx), a.Removed...)
		Put(&err, tx.PutRecords, a.Made...)
		Put(&err, tx.DeleteRelations, a.Unlinked...)
		Put(&err, tx.PutRelations, a.Linked...)
	}
	return err
}
