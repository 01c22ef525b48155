package notes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// DefaultMaxFile is the size of the largest note that is read, in bytes.
const DefaultMaxFile = 8 << 20

// Options of a [Directory]. Dir and Brain are required.
type Options struct {
	Dir      string         // the notes directory
	Location *time.Location // zone of the days (notes.timezone); nil: the machine's
	MaxFile  int64          // largest note in bytes; 0: DefaultMaxFile
	Brain    string         // name of the brain
	// Now is the clock; nil: the brain's.
	Now  func() time.Time
	Host string // name of this machine; "": the system's
	Log  zerolog.Logger
	// Dry writes nothing into the directory: one without an owner counts as this
	// brain's. The caller keeps the brain's store from changing.
	Dry bool
	// Warn tells the person what they should know; nil: it is only logged.
	Warn func(string)
}

// Directory is a notes directory and the brain that its notes are stored in. It
// is safe for concurrent use, also by several processes.
type Directory struct {
	brain *services.Services
	o     Options
	newID string // id of the directory if it has none yet
}

// New returns a directory. It reads and writes nothing.
func New(b *services.Services, o Options) *Directory {
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.MaxFile <= 0 {
		o.MaxFile = DefaultMaxFile
	}
	if o.Now == nil {
		o.Now = b.Base.Now
	}
	if o.Host == "" {
		o.Host, _ = os.Hostname() // an empty name does no harm
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if abs, err := filepath.Abs(o.Dir); err == nil {
		o.Dir = abs
	}
	return &Directory{brain: b, o: o, newID: uuid.NewString()}
}

// Result counts the outcomes and bullets that a sync found, and the sections of
// knowledge files and transcripts. Those of unchanged files are included. An
// outcome that moved from one file to another is unchanged; a section is gone from
// the one and new in the other. Files that could not be read now are not counted.
type Result struct {
	Files     int       `json:"files"` // existing notes
	New       int       `json:"new"`
	Changed   int       `json:"changed"`
	Unchanged int       `json:"unchanged"`
	Gone      int       `json:"gone"`
	Problems  []Problem `json:"problems"` // of all files in question, by file and line
}

// Problem is something in the notes that a person should look at.
type Problem = brain.Problem

// Status is the stored state of the notes.
type Status struct {
	Dir      string
	LastScan time.Time // end of the last complete sync; zero: never
	Files    int       // notes that were read
	Problems []Problem // by file and line
}

// Status returns the stored state of the notes without looking at the files. A
// directory that was never synced has an empty one; for another brain's directory
// it returns the error of Claim.
func (d *Directory) Status(ctx context.Context) (Status, error) {
	out := Status{Dir: d.o.Dir, Problems: []Problem{}}
	dir, err := d.OwnerID(ctx)
	if err != nil || dir == "" {
		return out, err
	}
	states, err := d.brain.Ingest.NoteStates(ctx, dir)
	if err != nil {
		return out, err
	}
	for _, s := range states {
		if s.Hash != "" {
			out.Files++
		}
		out.Problems = append(out.Problems, s.Problems...)
	}
	brain.SortProblems(out.Problems)
	out.LastScan, err = d.brain.Base.JobFinished(ctx, scanJob(dir))
	return out, err
}

// scanJob returns the name under which the end of the last complete sync is
// stored.
func scanJob(dir string) string { return "notes:" + dir }

func (d *Directory) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	d.o.Log.Warn().Str("dir", d.o.Dir).Msg(text)
	d.o.Warn(text)
}
