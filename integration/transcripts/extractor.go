// Package transcripts brings the session files of agents into the notes. For each
// day it writes a cleaned transcript, extracts items from it, and writes those into
// the note of the day and into pages below knowledge/.
//
// The store remembers which days each file has messages of, so that only changed files are
// read. A late message or a rewritten file changes the digest of the messages of a day,
// which is extracted again. A run can be interrupted anywhere and repeated: files are
// replaced as a whole, the ids of items are made from their content, and the day is marked
// as done at the very end.
//
// Memory is bounded by the number of messages of a day: their texts go to a temporary
// file. Secrets are redacted in every text before it is written or sent anywhere.
package transcripts

import (
	"context"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// Notes is the notes directory.
type Notes interface {
	// OwnerID returns the id of the directory, or an error if it may not be written to;
	// it writes nothing. Another brain's directory is [brain.ErrBusy].
	OwnerID(ctx context.Context) (string, error)
	// ClaimOrCreate creates the directory, if there is none, and claims it for this brain.
	ClaimOrCreate(ctx context.Context) (string, error)
	// AppendAll writes outcomes into the note of a day in one write, except those that it
	// already has, and ingests the note. The path is relative to the directory.
	AppendAll(ctx context.Context, day string, all []dailynote.Captured) (path string, added int, err error)
	// Take ingests files that were written, by their relative paths.
	Take(ctx context.Context, paths []string) error
}

// Model extracts items instead of the explicit forms.
type Model interface {
	// Name is the name of the model. Another model reads the chunks again.
	Name() string
	// Extract returns the items of a chunk; none is an explicit nothing. An error
	// is a failure of that chunk; with stop the model was not asked, and is not to
	// be asked again in this run.
	Extract(ctx context.Context, c extract.Chunk) (items []extract.Item, stop bool, err error)
}

// Options of an [Extractor]. Only Model may be missing.
type Options struct {
	Sources     []string       // globs, absolute
	ChunkTokens int            // budget of a chunk
	Dir         string         // the notes directory
	Lock        string         // a file in the state folder, locked while days are extracted
	Location    *time.Location // zone of the days
	Host        string         // name of this machine
	// Project returns the project of a session by its folder and its repository, "" for
	// none.
	Project func(folder, repository string) string
	Notes   Notes
	Model   Model // nil: explicit statements only
}

// Extractor brings the transcripts of one machine into the notes of one brain.
// It is safe for concurrent use, also by several processes, of which only one works at a time.
type Extractor struct {
	brain *services.Services
	o     Options
}

// New returns an extractor. It touches nothing.
func New(b *services.Services, o Options) *Extractor {
	return &Extractor{brain: b, o: o}
}

// Request says what to extract.
type Request struct {
	// Day is one day, YYYY-MM-DD. Empty: every day that is over and not done.
	Day string
	// SoFar takes the day that is not over in as well.
	SoFar bool
	// DryRun writes no file and asks no model. The extractor needs a brain that
	// stores nothing.
	DryRun bool
	// Progress is called while files are read, with the day, "" for all, and how many files
	// of how many were read; it may be nil.
	Progress func(day string, done, of int)
}

// relative returns the path of a day's cleaned transcript in the notes directory.
func relative(day string) string { return "transcripts/" + day + "-transcript.md" }

func (x *Extractor) path(rel string) string { return filepath.Join(x.o.Dir, filepath.FromSlash(rel)) }

func (x *Extractor) dayOf(at time.Time) string { return at.In(x.o.Location).Format(time.DateOnly) }

// lock keeps other processes from extracting at the same time.
func (x *Extractor) lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	busy := brain.Errorf(brain.ErrBusy, "try again when it has ended", "another process is extracting transcripts")
	return durable.Lock{Path: x.o.Lock, Wait: wait, Busy: busy}.Acquire(ctx)
}
