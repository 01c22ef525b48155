// Package notes keeps the graph in step with a notes directory. It finds the
// files that are new, changed or gone, parses them with package dailynote and
// hands them to package ingest. It also writes captured outcomes into notes.
//
// It reads daily notes (YYYY-MM-DD.md, YYYY-MM-DD-slug.md) in the directory
// itself, the transcripts of days (transcripts/YYYY-MM-DD-transcript.md), and every
// other Markdown file as sections. A transcript becomes sections that are searched
// separately; it has no outcomes, mentions and problems. Options.Include and Exclude
// say which files are read.
//
// A file that cannot be read is listed in the problems; its stored content stays,
// and the other files are read. A file counts as gone only if the directory could
// be read and belongs to this brain, and nothing is in the file's place.
package notes

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Options of a [Directory].
type Options struct {
	Dir      string         // the notes directory, absolute
	Location *time.Location // zone of the days (notes.timezone)
	MaxFile  int64          // largest note in bytes
	Brain    string         // name of the brain
	// Include and Exclude are globs of paths relative to Dir, such as "**/*.md". A file is
	// read if it matches one of Include and none of Exclude.
	Include, Exclude []string
	// MemoryMD is the file that the program curates; it is no note, wherever it is.
	MemoryMD string
	Host     string // name of this machine
	Log      zerolog.Logger
	// Dry writes nothing into the directory: one without an owner counts as this
	// brain's. The caller keeps the brain's store from changing.
	Dry bool
	// Warn tells the person what they should know.
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
	memoryMD, _ := filepath.Rel(o.Dir, o.MemoryMD) // "" on another volume
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
