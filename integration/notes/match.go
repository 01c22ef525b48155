package notes

import (
	"path"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/watcher"
)

const (
	knowledge   = "knowledge"
	transcripts = "transcripts"
)

// Match reports whether a path, relative to the notes directory and
// slash-separated, is that of a note.
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

// dayOf returns the date in the name of a daily note, "" for any other path. Below
// knowledge/ and transcripts/ there are none.
func dayOf(rel string) string {
	if strings.HasPrefix(rel, knowledge+"/") || strings.HasPrefix(rel, transcripts+"/") {
		return ""
	}
	return dayInName(rel)
}

// dayInName returns the date with which the name of a file begins, if it ends there or
// a hyphen and a text follow; else "".
func dayInName(rel string) string {
	name := path.Base(rel)
	stem := strings.TrimSuffix(name, path.Ext(name))
	day := moment.LeadingDay(stem)
	if slug := stem[len(day):]; slug != "" && (slug[0] != '-' || len(slug) == 1) {
		return ""
	}
	return day
}

// hasBadDate reports whether a file would be a daily note if the day in its name
// existed. An example is 2026-13-45.md.
func hasBadDate(rel string) bool {
	dated, _ := path.Match("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*", rel) // the pattern is valid
	return dated && dayOf(rel) == "" && dayOf("2026-01-01"+rel[len(time.DateOnly):]) != ""
}

// transcriptDay returns the date in the path of a transcript, "" for any other
// path.
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

// fileKind is the kind of a note, as the status counts it.
type fileKind string

// The kinds of notes.
const (
	dailyFile      fileKind = "daily"
	transcriptFile fileKind = "transcripts"
	knowledgeFile  fileKind = "knowledge"
	otherFile      fileKind = "other"
)

func kindOf(rel string) fileKind {
	switch {
	case dayOf(rel) != "":
		return dailyFile
	case transcriptDay(rel) != "":
		return transcriptFile
	case strings.HasPrefix(rel, knowledge+"/"):
		return knowledgeFile
	}
	return otherFile
}
