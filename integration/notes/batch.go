package notes

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
)

// Limits of what is read at once and stored in one transaction. Files of one day
// stay together, so that an outcome that moved between them is found.
const (
	batchFiles = 200
	batchBytes = 512 << 10
	dayWeight  = 8        // of the bytes of days: up to 1,600 short outcomes, for which a busy Neo4j has 30 s
	mostBytes  = 16 << 20 // even of one day
	readers    = 4
)

// loadedNote is a file that was read.
type loadedNote struct {
	note    ingest.Note
	failed  bool // it could not be read
	settled bool // nothing about it has to be stored
}

// batches divides files, sorted by path, into those that are stored at once.
func batches(files []watcher.FileInfo) iter.Seq[[]watcher.FileInfo] {
	return func(yield func([]watcher.FileInfo) bool) {
		for len(files) > 0 {
			n := batchEnd(files)
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}

func batchEnd(files []watcher.FileInfo) int {
	var size, weight int64
	for i, f := range files {
		full := i >= batchFiles || weight >= batchBytes
		newDay := i > 0 && (dayOf(f.Path) == "" || dayOf(f.Path) != dayOf(files[i-1].Path))
		if full && newDay || size >= mostBytes {
			return i
		}
		weight += f.Size
		if size += f.Size; dayOf(f.Path) != "" {
			weight += (dayWeight - 1) * f.Size
		}
	}
	return len(files)
}

// load reads and parses files in parallel.
func load(ctx context.Context, files []watcher.FileInfo, one func(watcher.FileInfo) loadedNote) ([]loadedNote, error) {
	list := make([]loadedNote, len(files))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, f := range files {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			list[i] = one(f)
			return nil
		})
	}
	return list, g.Wait()
}

// loadChanged reads a file. If its bytes are the known ones, only its state
// counts.
func (s *syncing) loadChanged(f watcher.FileInfo) loadedNote {
	before := s.plan.states[f.Path]
	l := s.loadWhole(f)
	if !l.failed && l.note.State.Hash == before.Hash {
		l.note = ingest.Note{File: f.Path, StateOnly: true, State: l.note.State}
	}
	l.settled = l.note.StateOnly && sameState(l.note.State, before)
	return l
}

// loadWhole reads a file whether it changed or not.
func (s *syncing) loadWhole(f watcher.FileInfo) loadedNote {
	data, bad := s.d.read(f)
	if bad != nil {
		return loadedNote{note: withFault(s.plan.states[f.Path], *bad), failed: true}
	}
	return loadedNote{note: s.d.parse(f, data)}
}
