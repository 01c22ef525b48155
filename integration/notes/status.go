package notes

import (
	"cmp"
	"context"
	"path"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/watcher"
)

// Status is the state of the notes.
type Status struct {
	Dir      string
	LastScan time.Time // end of the last complete sync; zero: never
	Files    int       // notes that were read
	Kinds    []KindCount
	LeftOut  []watcher.LeftOut // by number of files
	Problems []Problem         // by file and line
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
	counts := map[fileKind]KindCount{}
	for file, s := range states {
		out.Problems = append(out.Problems, s.Problems...)
		if s.Hash == "" {
			continue
		}
		out.Files++
		kind := kindOf(file)
		c := counts[kind]
		counts[kind] = KindCount{string(kind), c.Files + 1, c.Outcomes + s.Outcomes, c.Sections + s.Sections}
	}
	for _, kind := range []fileKind{dailyFile, transcriptFile, knowledgeFile, otherFile} {
		if c, ok := counts[kind]; ok {
			out.Kinds = append(out.Kinds, c)
		}
	}
	brain.SortProblems(out.Problems)
	out.LastScan, err = d.brain.Base.JobFinished(ctx, scanJob(dir))
	return out, err
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
