package notes

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/ingest"
)

// reclaim gives outcomes that are gone from one file to another that holds them,
// too: a copy of the day, which was not read because it did not change, or a file of
// an earlier batch. It reads whole days again, and only if something is gone.
func (s *syncing) reclaim(ctx context.Context) error {
	if len(s.gone) == 0 {
		return nil
	}
	days := map[string]bool{}
	for _, f := range s.plan.read {
		days[dayOf(f.Path)] = true
	}
	for _, file := range s.plan.gone {
		days[dayOf(file)] = true
	}
	files, _, err := s.d.dayFiles(ctx, func(day string) bool { return days[day] })
	if err != nil {
		return err
	}
	for batch := range batches(files) {
		list, err := load(ctx, batch, s.loadWhole)
		if err != nil {
			return err
		}
		var notes []ingest.Note
		for _, l := range list {
			if !l.failed {
				notes = append(notes, l.note)
			}
		}
		in, err := s.d.brain.Ingest.Ingest(ctx, s.plan.dir, notes)
		if err != nil {
			return err
		}
		s.countMoved(in)
	}
	return nil
}
