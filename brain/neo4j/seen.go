package neo4j

import (
	"context"
	"strconv"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// countPatience limits the count of memories when a store is closed.
const countPatience = 2 * time.Second

// endAwaits is for a brain that was created by a restore and is loaded now.
const endAwaits = "MATCH (b:BrainbridgeBrain {name: $brain}) REMOVE b.awaits RETURN count(b)"

// Replaced returns [brain.ErrUnavailable] once a write has found that the brain was removed
// from the database, or made anew, since the store was opened.
func (s *Store) Replaced() error {
	if !s.replaced.Load() {
		return nil
	}
	return brain.Errorf(brain.ErrUnavailable, "run the command again, or restart the daemon, to open the present brain",
		"the brain %s was removed from %s or replaced while it was open", s.brain, s.uri)
}

func (s *Store) seen(memories int) brain.Seen {
	return brain.Seen{ID: strconv.Itoa(s.number), Format: schemaVersion, Memories: memories}
}

// sawAtOpen hands the brain over without the number of its memories.
func (s *Store) sawAtOpen() error {
	if s.watch.Opened == nil {
		return nil
	}
	return s.watch.Opened(s.seen(0))
}

// loaded ends the restore of a missing brain, and hands the brain over.
func (s *Store) loaded(ctx context.Context) error {
	if _, err := s.count(ctx, endAwaits, nil); err != nil {
		return err
	}
	return s.report(ctx, true)
}

func (s *Store) report(ctx context.Context, loaded bool) error {
	if s.watch.Committed == nil {
		return nil
	}
	rows, err := s.run(ctx, driver.AccessModeRead, countTiers, map[string]any{"tiers": tierNames(tiers.Tier.Current)})
	if err != nil {
		return err
	}
	memories := 0
	for _, r := range rows {
		memories += int(value[int64](r, 1))
	}
	s.watch.Committed(s.seen(memories), loaded)
	return nil
}

// countAtClose hands the brain over if it was written to. To count is not worth an error.
func (s *Store) countAtClose() {
	if !s.wrote.Swap(false) || s.replaced.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), countPatience)
	defer cancel()
	_ = s.report(ctx, false)
}
