package brain

import (
	"context"
	"fmt"
)

// NotesPlace is where a notes directory was seen.
type NotesPlace struct {
	Dir  string `json:"dir"` // id of the directory
	Host string `json:"host"`
	Path string `json:"path"` // absolute
}

func (p NotesPlace) id() string { return Hash("notes place", p.Host, p.Path) }

// NotesDirAt returns the id of the notes directory that was last seen at a
// path of a host, "" for none.
func (b *Brain) NotesDirAt(ctx context.Context, host, path string) (string, error) {
	place := NotesPlace{Host: host, Path: path}
	err := b.store.View(ctx, func(r Reader) error {
		place.Dir = ""
		recs, err := r.Records(NotesDirRecord, place.id())
		if err != nil || len(recs) == 0 {
			return err
		}
		held, err := body[NotesPlace](recs[0])
		place.Dir = held.Dir
		return err
	})
	if err != nil {
		return "", fmt.Errorf("look up the notes directory %s: %w", path, err)
	}
	return place.Dir, nil
}

// PutNotesPlace remembers where a notes directory is.
func (b *Brain) PutNotesPlace(ctx context.Context, p NotesPlace) error {
	rec, err := newRecord(NotesDirRecord, p.id(), p.Dir, p.Host, b.Now(), p)
	if err != nil {
		return err
	}
	err = b.store.Update(ctx, func(tx Tx) error { return tx.PutRecords(rec) })
	if err != nil {
		return fmt.Errorf("remember the notes directory %s: %w", p.Path, err)
	}
	return nil
}

// NoteStates returns what is remembered of each file of a directory.
func (b *Brain) NoteStates(ctx context.Context, dir string) (map[string]NoteState, error) {
	return b.noteStates(ctx, func(r Reader) ([]Record, error) { return r.RecordsByOwner(NoteFileRecord, dir) })
}

// NoteStatesOf returns what is remembered of these files of a directory.
func (b *Brain) NoteStatesOf(ctx context.Context, dir string, files ...string) (map[string]NoteState, error) {
	ids := make([]string, 0, len(files))
	for _, f := range files {
		ids = append(ids, Hash(dir, f))
	}
	return b.noteStates(ctx, func(r Reader) ([]Record, error) { return r.Records(NoteFileRecord, ids...) })
}

func (b *Brain) noteStates(ctx context.Context, read func(Reader) ([]Record, error)) (map[string]NoteState, error) {
	states := map[string]NoteState{}
	err := b.store.View(ctx, func(r Reader) error {
		clear(states)
		recs, err := read(r)
		if err != nil {
			return err
		}
		for _, rec := range recs {
			if states[rec.Key], err = body[NoteState](rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the state of the notes: %w", err)
	}
	return states, nil
}
