package backups

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// FindRun returns the file of the old journal that holds a run, newest month
// first, by its id or the beginning of it. None is [brain.ErrNotFound].
func (a *Archive) FindRun(ctx context.Context, id string) (path string, err error) {
	names, err := filesIn(a.dir)
	if err != nil {
		return "", fmt.Errorf("look into the archive: %w", err)
	}
	for _, name := range slices.Backward(names) {
		if !isJournal(name) {
			continue
		}
		path, found := filepath.Join(a.dir, name), false
		_, err := readLines(ctx, path, func(line json.RawMessage, _ error) bool {
			found = runOf(line, id)
			return !found
		})
		if found {
			return path, nil
		}
		if err != nil {
			return "", fmt.Errorf("read the journal in %s: %w", path, err)
		}
	}
	return "", fmt.Errorf("find run %s in the archive: %w", id, brain.ErrNotFound)
}

// runOf reports whether a line is of a run whose id begins so.
func runOf(line []byte, id string) bool {
	if !bytes.Contains(line, []byte(id)) { // without decoding every line
		return false
	}
	var rec struct {
		Kind brain.RecordKind `json:"kind"`
		ID   string           `json:"id"`
	}
	return json.Unmarshal(line, &rec) == nil && rec.Kind == brain.RunRecord && strings.HasPrefix(rec.ID, id)
}
