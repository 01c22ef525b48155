package notes

import (
	"path"
	"strings"
	"time"
)

const (
	knowledge   = "knowledge"
	transcripts = "transcripts"
)

// Match reports whether a path, relative to the notes directory and
// slash-separated, is that of a note.
func Match(rel string) bool {
	dir, name := path.Split(rel)
	if !strings.EqualFold(path.Ext(name), ".md") {
		return false
	}
	switch dir {
	case "":
		return dayOf(name) != ""
	case transcripts + "/":
		return transcriptDay(rel) != ""
	}
	return strings.HasPrefix(rel, knowledge+"/")
}

// SkipDir reports whether no notes can be below a directory. A directory with the
// name of a note is not skipped, so that a scan reports it.
func SkipDir(rel string) bool {
	return rel != "." && rel != knowledge && rel != transcripts && !strings.HasPrefix(rel, knowledge+"/") && !Match(rel)
}

// dayOf returns the date in the name of a daily note, "" for any other path.
func dayOf(rel string) string {
	if strings.Contains(rel, "/") {
		return ""
	}
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	if len(stem) < len(time.DateOnly) {
		return ""
	}
	day, slug := stem[:len(time.DateOnly)], stem[len(time.DateOnly):]
	if slug != "" && (slug[0] != '-' || len(slug) == 1) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// hasBadDate reports whether a path would be that of a daily note or a transcript
// if the day in its name existed. An example is 2026-13-45.md.
func hasBadDate(rel string) bool {
	name := strings.TrimPrefix(rel, transcripts+"/")
	dated, _ := path.Match("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*", name) // the pattern is valid
	return dated && !Match(rel) && Match(strings.TrimSuffix(rel, name)+"2026-01-01"+name[len(time.DateOnly):])
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
