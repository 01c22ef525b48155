package sessions

import (
	"context"
	"path/filepath"
	"time"
)

// remindEvery is how often a session starts with the same reminder: a state that
// may stay for long is not news in every session.
const remindEvery = 7 * 24 * time.Hour

// Remind returns the names that no session was reminded of within a week, and
// stores that one is now. If it cannot store them it returns them with the error.
func (s *Store) Remind(ctx context.Context, names []string, now time.Time) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var due []string
	_, err := update(ctx, s, filepath.Join(s.dir, "reminded"), func(last *map[string]time.Time) bool {
		if *last == nil {
			*last = map[string]time.Time{}
		}
		for _, name := range names {
			if since := now.Sub((*last)[name]); since >= remindEvery || since < 0 {
				due, (*last)[name] = append(due, name), now
			}
		}
		return len(due) > 0
	})
	if err != nil {
		return names, err
	}
	return due, nil
}
