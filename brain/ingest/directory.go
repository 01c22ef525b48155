package ingest

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// NotesPlace is the location of a notes directory.
type NotesPlace struct {
	Dir  string `json:"dir"` // id of the directory
	Host string `json:"host"`
	Path string `json:"path"` // absolute
}

func (p NotesPlace) id() string { return brain.Hash("notes place", p.Host, p.Path) }

// NotesDirAt returns the id of the notes directory last seen at a path of a host, or "".
func (s *Service) NotesDirAt(ctx context.Context, host, path string) (string, error) {
	place, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (NotesPlace, error) {
		return brain.First(brain.Bodies[NotesPlace](r.Records(brain.NotesDirRecord, NotesPlace{Host: host, Path: path}.id())))
	})
	return place.Dir, brain.Wrap(err, "look up the notes directory %s", path)
}

// PutNotesPlace remembers where a notes directory is.
func (s *Service) PutNotesPlace(ctx context.Context, p NotesPlace) error {
	err := s.base.Store.Update(ctx, func(tx brain.Tx) error {
		return lifecycle.PutRecord(tx, brain.NotesDirRecord, p.id(), p.Dir, p.Host, s.base.Now(), p)
	})
	return brain.Wrap(err, "remember the notes directory %s", p.Path)
}

// NoteStates returns the stored states of the given files of a directory, or of all.
func (s *Service) NoteStates(ctx context.Context, dir string, files ...string) (map[string]NoteState, error) {
	ids := brain.Map(files, func(file string) string { return brain.Hash(dir, file) })
	states, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (map[string]NoteState, error) {
		if len(ids) == 0 {
			return statesOf(r.ListRecords(brain.NoteFileRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{dir}}))
		}
		return statesOf(r.Records(brain.NoteFileRecord, ids...))
	})
	return states, brain.Wrap(err, "read the state of the notes")
}

// statesOf decodes states from records, by file. It takes the results of a
// [brain.RecordReader], and returns its error unchanged.
func statesOf(recs []brain.Record, err error) (map[string]NoteState, error) {
	recs, bodies, err := brain.WithBodies[NoteState](recs, err)
	states := make(map[string]NoteState, len(recs))
	for i, state := range bodies {
		states[recs[i].Key] = state
	}
	return states, err
}
