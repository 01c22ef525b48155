package notes

import (
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
	// Include and Exclude are globs of paths relative to Dir, such as "**/*.md". A file is
	// read if it matches one of Include and none of Exclude. Include nil: Markdown.
	Include, Exclude []string
	// MemoryMD is the file that the program curates; it is no note, wherever it is.
	MemoryMD string
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
	// memoryMD is the path of MEMORY.md relative to the directory, which leads out of it
	// unless the file is below it.
	memoryMD string
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
	if o.Include == nil {
		o.Include = []string{"**/*.md", "**/*.markdown"}
	}
	memoryMD, err := filepath.Rel(o.Dir, o.MemoryMD)
	if err != nil {
		memoryMD = "" // on another volume, or there is none
	}
	return &Directory{brain: b, o: o, newID: uuid.NewString(), memoryMD: filepath.ToSlash(memoryMD)}
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

// scanJob returns the name under which the end of the last complete sync is
// stored.
func scanJob(dir string) string { return "notes:" + dir }

func (d *Directory) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	d.o.Log.Warn().Str("dir", d.o.Dir).Msg(text)
	d.o.Warn(text)
}
