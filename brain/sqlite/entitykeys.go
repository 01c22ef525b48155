package sqlite

import (
	"context"
	"math"

	"github.com/brainbridge/brainbridge/brain"
)

// fills are what migrations do that SQL cannot, by their number, in the same
// transaction.
func fills() map[int]func(context.Context, *conn) error {
	return map[int]func(context.Context, *conn) error{8: fillEntityKeys}
}

// formerEntity is one whose key an earlier version made: the key of its name
// for lookups.
type formerEntity struct {
	seq, brain, born int64
	name             string
	test             bool
}

const (
	formerEntities = `SELECT seq, brain, ifnull(valid_from, ifnull(created, ?)), name, is_test FROM memory
		WHERE entity_key IS NOT NULL AND entity_key = name_key ORDER BY 3, id`
	entityOfKey  = `SELECT ifnull(max(seq), 0), ifnull(max(ifnull(valid_from, ifnull(created, ?))), 0) FROM memory WHERE brain = ? AND entity_key = ?`
	setEntityKey = `UPDATE memory SET entity_key = ? WHERE seq = ?`
)

// fillEntityKeys gives these entities the key of their name letter for letter.
// Where two of a brain have the same name, the elder keeps it, and the other is
// found by its id.
func fillEntityKeys(ctx context.Context, c *conn) error {
	former, err := c.formerEntities(ctx)
	if err != nil {
		return err
	}
	for _, e := range former {
		key := brain.EntityKey(e.name, e.test)
		var holder, born int64
		if err := c.one(ctx, entityOfKey, []any{math.MaxInt64, e.brain, key}, &holder, &born); err != nil {
			return err
		}
		younger, elder := holder, e.seq
		if holder != 0 && born <= e.born {
			younger, elder = e.seq, holder
		}
		if _, err := c.exec(ctx, setEntityKey, nil, younger); err != nil {
			return err
		}
		if _, err := c.exec(ctx, setEntityKey, key, elder); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) formerEntities(ctx context.Context) ([]formerEntity, error) {
	rows, err := c.query(ctx, formerEntities, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []formerEntity
	for rows.Next() {
		var e formerEntity
		if err := rows.Scan(&e.seq, &e.brain, &e.born, &e.name, &e.test); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}
