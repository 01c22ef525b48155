// Package notes updates the graph to match a notes directory. It finds the files that are
// new, changed or removed, parses them with package dailynote and hands them to package
// ingest. It also writes captured outcomes into notes.
//
// It reads daily notes (YYYY-MM-DD.md, YYYY-MM-DD-slug.md), the transcripts of days
// (transcripts/YYYY-MM-DD-transcript.md), and every other Markdown file as sections. A
// transcript becomes sections that are searched separately, and nothing else.
//
// A file that cannot be read is listed in the problems; its stored content stays, and the
// other files are read. A file counts as removed only if the directory could be read and
// belongs to this brain, and nothing else is at its path.
package notes

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/watcher"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
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
	Projects         [][2]string // globs of such paths, each with the project of what it matches
	// MemoryMD is the file that the program curates. It is not a note, wherever it is.
	MemoryMD string
	Host     string // name of this machine
	Log      zerolog.Logger
	// Dry writes nothing into the directory: one without an owner counts as this
	// brain's. The caller keeps the brain's store from changing.
	Dry bool
	// Reread reads files again that did not change.
	Reread bool
	// Warn shows a warning to the person.
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
	// beforeReplace runs when a note is about to be replaced; nil but in tests.
	beforeReplace func() error
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

	Read []string `json:"-"` // files whose text is new, changed or gone
}

// Problem is something in the notes that a person should check.
type Problem = brain.Problem

// scanJob returns the name under which the end of a sync is stored.
func scanJob(dir string) string { return "notes:" + dir }

func (d *Directory) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	d.o.Log.Warn().Str("dir", d.o.Dir).Msg(text)
	d.o.Warn(text)
}

const (
	knowledge   = "knowledge"
	transcripts = "transcripts"
)

// Match reports whether a path, relative to the notes directory and slash-separated, is the
// path of a note.
func (d *Directory) Match(rel string) bool { return d.leftOut(rel) == "" }

// SkipDir reports whether no notes can be below a directory.
func (d *Directory) SkipDir(rel string) bool { return rel != "." && watcher.Matches(d.o.Exclude, rel) }

// leftOut returns why a file is not read, "" if it is a note.
func (d *Directory) leftOut(rel string) string {
	switch {
	case rel == d.memoryMD:
		return "is written by brainbridge"
	case watcher.Matches(d.o.Exclude, rel):
		return watcher.Excluded
	case !watcher.Matches(d.o.Include, rel):
		return watcher.Extension(rel) + ": not in notes.include"
	}
	return ""
}

// dayOf returns the day of a daily note, "" for others, as below knowledge/ and transcripts/.
func dayOf(rel string) string {
	if strings.HasPrefix(rel, knowledge+"/") || strings.HasPrefix(rel, transcripts+"/") {
		return ""
	}
	return dailynote.DayOf(path.Base(rel))
}

// hasBadDate reports whether only the day in its name keeps a file from being a daily note.
func hasBadDate(rel string) bool {
	folder, name := path.Split(rel)
	dated, _ := path.Match("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*", name) // the pattern is valid
	return dated && dayOf(rel) == "" && dayOf(folder+"2026-01-01"+name[len(time.DateOnly):]) != ""
}

// transcriptDay returns the date in the path of a transcript, "" for any other.
func transcriptDay(rel string) string {
	name, ok := strings.CutPrefix(rel, transcripts+"/")
	if !ok {
		return ""
	}
	day, ok := strings.CutSuffix(strings.TrimSuffix(name, path.Ext(name)), "-transcript")
	if !ok || len(day) != len(time.DateOnly) {
		return ""
	}
	return dayOf(day)
}

// kindOf returns the kind of a note, as the status counts it.
func kindOf(rel string) string {
	switch {
	case dayOf(rel) != "":
		return "daily"
	case transcriptDay(rel) != "":
		return transcripts
	case strings.HasPrefix(rel, knowledge+"/"):
		return knowledge
	}
	return "other"
}

// Status is the state of the notes.
type Status struct {
	Dir      string            `json:"dir"`
	LastScan time.Time         `json:"lastScan"` // end of the last complete sync; zero: never
	Files    int               `json:"files"`    // notes that were read
	Kinds    []KindCount       `json:"kinds"`
	LeftOut  []watcher.LeftOut `json:"leftOut"`  // by number of files
	Problems []Problem         `json:"problems"` // by file and line
}

// KindCount counts the notes of one kind that were read.
type KindCount struct {
	Kind     string `json:"kind"` // daily, transcripts, knowledge or other
	Files    int    `json:"files"`
	Outcomes int    `json:"outcomes"` // and bullets
	Sections int    `json:"sections"`
}

// maxExamples is the number of paths that a status names for each reason.
const maxExamples = 3

// Status returns the stored state of the notes, and the files in the directory that
// are not read. A directory that was never synced has no state; for another brain's
// directory it returns the error of Claim.
func (d *Directory) Status(ctx context.Context) (Status, error) {
	out := Status{Dir: d.o.Dir, Problems: []Problem{}, Kinds: []KindCount{}, LeftOut: []watcher.LeftOut{}}
	dir, err := d.OwnerID(ctx)
	if err != nil {
		return out, err
	}
	var states map[string]ingest.NoteState
	if dir != "" {
		states, err = d.brain.Ingest.NoteStates(ctx, dir)
	}
	if err == nil {
		out.LeftOut, err = watcher.Survey(ctx, d.o.Dir, maxExamples, func(rel string) string { return d.notRead(rel, states) })
	}
	if err != nil || dir == "" {
		return out, err
	}
	counts := map[string]KindCount{}
	for file, s := range states {
		out.Problems = append(out.Problems, s.Problems...)
		if s.Hash == "" {
			continue
		}
		out.Files++
		kind := kindOf(file)
		c := counts[kind]
		counts[kind] = KindCount{kind, c.Files + 1, c.Outcomes + s.Outcomes, c.Sections + s.Sections}
	}
	for _, kind := range []string{"daily", transcripts, knowledge, "other"} {
		if c, ok := counts[kind]; ok {
			out.Kinds = append(out.Kinds, c)
		}
	}
	brain.SortProblems(out.Problems)
	out.LastScan, err = d.brain.Base.JobFinished(ctx, scanJob(dir))
	return out, err
}

// HasPages reports whether a directory has Markdown other than daily notes and transcripts, as
// a vault has.
func HasPages(dir string) (found bool) {
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error { // what cannot be read is none
		rel, relErr := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil || relErr != nil || rel == ".":
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && strings.EqualFold(filepath.Ext(rel), ".md") && dayOf(rel) == "" && transcriptDay(rel) == "":
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// notRead returns why a file is not read, "" if it is or if it is the program's own.
func (d *Directory) notRead(rel string, states map[string]ingest.NoteState) string {
	switch {
	case rel == OwnerFile || states[rel].Hash != "":
		return ""
	case watcher.MatchesParent(d.o.Exclude, path.Dir(rel)):
		return watcher.Excluded
	}
	return cmp.Or(d.leftOut(rel), "not read yet, or a problem")
}
