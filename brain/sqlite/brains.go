package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// Brains returns the names of the brains in a file, none if it is missing. It changes nothing.
func Brains(ctx context.Context, path string) ([]string, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c, err := connect(ctx, path, 2000)
	if err != nil {
		return nil, fmt.Errorf("list the brains in %s: %w", path, err)
	}
	names, err := c.brains(ctx)
	return names, brain.Wrap(errors.Join(err, c.close()), "list the brains in %s", path)
}

func (c *conn) brains(ctx context.Context) ([]string, error) {
	var names string
	err := c.one(ctx, `SELECT ifnull(group_concat(name, char(10)), '') FROM brain`, nil, &names)
	return strings.Fields(names), err
}
