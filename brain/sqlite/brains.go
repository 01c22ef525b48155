package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// Brains returns the numbers of current memories in the brains of a file, by name. A missing
// or empty file has none. The errors are those of Open. It changes nothing.
func Brains(ctx context.Context, path string) (memories map[string]int, err error) {
	if path, err = filepath.Abs(path); err != nil || IsEmpty(path) {
		return nil, err
	}
	s := &Store{path: path, pool: newPool(path)}
	c, err := connect(ctx, path, s.pool.cache)
	if err != nil {
		return nil, s.openError(ctx, err)
	}
	defer func() { _ = c.close() }() // it was only read
	if err := s.recognize(ctx, c); err != nil || s.format == 0 {
		return nil, s.openError(ctx, err)
	}
	rows, err := c.query(ctx, `SELECT b.name, (SELECT count(*) FROM memory m WHERE m.brain = b.no AND `+isCurrent+`) FROM brain b`)
	if err != nil {
		return nil, s.openError(ctx, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	memories = map[string]int{}
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, s.openError(ctx, err)
		}
		memories[name] = n
	}
	return memories, rows.Err()
}

func (c *conn) brains(ctx context.Context) ([]string, error) {
	var names string
	err := c.one(ctx, `SELECT ifnull(group_concat(name, char(10)), '') FROM brain`, nil, &names)
	return strings.Fields(names), err
}
