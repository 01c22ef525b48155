package ingest

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// NoteStates returns what is remembered of files of a directory: of these, or
// without any of all.
func (s *Service) NoteStates(ctx context.Context, dir string, files ...string) (map[string]NoteState, error) {
	ids := make([]string, 0, len(files))
	for _, f := range files {
		ids = append(ids, brain.Hash(dir, f))
	}
	states, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (map[string]NoteState, error) {
		if len(ids) == 0 {
			return statesOf(r.RecordsByOwner(brain.NoteFileRecord, dir))
		}
		return statesOf(r.Records(brain.NoteFileRecord, ids...))
	})
	return states, brain.Wrap(err, "read the state of the notes")
}

// statesOf returns the states that records hold, by file. It takes the answer of a
// [brain.RecordReader], and returns its error.
func statesOf(recs []brain.Record, err error) (map[string]NoteState, error) {
	states := make(map[string]NoteState, len(recs))
	for _, rec := range recs {
		if states[rec.Key], err = brain.Body[NoteState](rec); err != nil {
			break
		}
	}
	return states, err
}
