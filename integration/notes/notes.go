// Package notes is the door from a person's files to the brain: it reads what
// changed in a notes directory, hands it to the parser of daily notes, and
// takes the outcome in. What a person wrote is read, never rewritten; the
// program adds captured outcomes at the end of a day's note and nothing else.
package notes

import (
	"path"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher"
)

// Options of a [Door].
type Options struct {
	Dir      string
	Location *time.Location // that the days of notes are in; nil: the machine's
	MaxFile  int64          // bytes; a larger file is reported and skipped
	Brain    string         // name of the brain that the notes feed
	Now      func() time.Time
	Log      zerolog.Logger
}

// Door takes notes in. It is safe for concurrent use, also by several
// processes on one directory.
type Door struct {
	brain *brain.Brain
	o     Options
}

// New returns a door. It starts nothing and touches no file.
func New(b *brain.Brain, o Options) *Door {
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Door{b, o}
}

// Result counts the files that were looked at, and the outcomes and bullets in
// them that were new, changed, unchanged or gone.
type Result struct {
	Files     int       `json:"files"`
	New       int       `json:"new"`
	Changed   int       `json:"changed"`
	Unchanged int       `json:"unchanged"`
	Gone      int       `json:"gone"`
	Problems  []Problem `json:"problems"`
}

// Problem is something in the notes that could not be read as it was meant.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 0 when it is about the whole file
	Message string `json:"message"`
}

// Match says which files of a notes directory are read: daily notes at the top
// and Markdown below knowledge/. rel is slash-separated.
func Match(rel string) bool {
	dir, name := path.Split(rel)
	if !strings.EqualFold(path.Ext(name), ".md") {
		return false
	}
	return isKnowledge(rel) || dir == "" && dayOf(name) != ""
}

// SkipDir says which folders hold nothing that is read.
func SkipDir(rel string) bool { return rel != "." && rel != "knowledge" && !isKnowledge(rel) }

func isKnowledge(rel string) bool { return strings.HasPrefix(rel, "knowledge/") }

// dayOf is the date of YYYY-MM-DD.md or YYYY-MM-DD-slug.md, "" if there is none.
func dayOf(name string) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	if len(stem) < len(time.DateOnly) || len(stem) > len(time.DateOnly) && stem[len(time.DateOnly)] != '-' {
		return ""
	}
	day := stem[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

func (d *Door) scanConfig() watcher.Config {
	return watcher.Config{Dir: d.o.Dir, Match: Match, SkipDir: SkipDir, Log: d.o.Log}
}
