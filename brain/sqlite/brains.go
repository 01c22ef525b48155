package sqlite

import (
	"context"
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
	type row struct {
		name     string
		memories int
	}
	t := &tx{s: s, ctx: ctx, c: c}
	rows, err := collect(t, func(r *row) []any { return []any{&r.name, &r.memories} },
		`SELECT b.name, (SELECT count(*) FROM memory m WHERE m.brain = b.no AND `+isCurrent+`) FROM brain b`)
	memories = map[string]int{}
	for _, r := range rows {
		memories[r.name] = r.memories
	}
	return memories, err
}

func (c *conn) brains(ctx context.Context) ([]string, error) {
	var names string
	err := c.one(ctx, `SELECT ifnull(group_concat(name, char(10)), '') FROM brain`, nil, &names)
	return strings.Fields(names), err
}
