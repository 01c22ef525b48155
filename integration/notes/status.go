package notes

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher"
)

// Status is the state of the notes.
type Status struct {
	Dir      string
	LastScan time.Time // end of the last complete sync; zero: never
	Files    int       // notes that were read
	Kinds    []KindCount
	LeftOut  []LeftOut // by number of files
	Problems []Problem // by file and line
}

// KindCount counts the notes of one kind that were read.
type KindCount struct {
	Kind     string `json:"kind"` // daily, transcripts, knowledge or other
	Files    int    `json:"files"`
	Outcomes int    `json:"outcomes"` // and bullets
	Sections int    `json:"sections"` // those of daily notes are not counted
}

// LeftOut counts files that are not read for the same reason.
type LeftOut struct {
	Reason string   `json:"reason"`
	Files  int      `json:"files"` // or folders, if the reason excludes whole folders
	Paths  []string `json:"paths"` // the first three
}

// maxExamples is the number of paths that a [LeftOut] names.
const maxExamples = 3

// Status returns the stored state of the notes, and the files in the directory that
// are not read. A directory that was never synced has no state; for another brain's
// directory it returns the error of Claim.
func (d *Directory) Status(ctx context.Context) (Status, error) {
	out := Status{Dir: d.o.Dir, Problems: []Problem{}, Kinds: []KindCount{}, LeftOut: []LeftOut{}}
	dir, err := d.OwnerID(ctx)
	if err != nil {
		return out, err
	}
	out.LeftOut = d.scanLeftOut(ctx)
	if dir == "" {
		return out, ctx.Err()
	}
	states, err := d.brain.Ingest.NoteStates(ctx, dir)
	if err != nil {
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

// scanLeftOut returns the files below the directory that are not read, none if it cannot
// be scanned. Hidden and temporary files are not mentioned.
func (d *Directory) scanLeftOut(ctx context.Context) []LeftOut {
	all := []LeftOut{}
	add := func(reason, rel string) {
		i := 0
		for i < len(all) && all[i].Reason != reason {
			i++
		}
		if i == len(all) {
			all = append(all, LeftOut{Reason: reason})
		}
		if all[i].Files++; len(all[i].Paths) < maxExamples {
			all[i].Paths = append(all[i].Paths, rel)
		}
	}
	files, _, err := watcher.Scan(ctx, watcher.Config{Dir: d.o.Dir, Match: func(rel string) bool { return !d.Match(rel) }, SkipDir: func(rel string) bool {
		skip := d.SkipDir(rel)
		if skip {
			add(excluded, rel+"/")
		}
		return skip
	}})
	if err != nil {
		return []LeftOut{}
	}
	for _, f := range files {
		reason := d.leftOut(f.Path)
		if reason == notIncluded {
			ext := strings.ToLower(path.Ext(f.Path))
			reason = cmp.Or(ext, "no extension") + ": " + notIncluded
		}
		add(reason, f.Path)
	}
	slices.SortStableFunc(all, func(a, b LeftOut) int { return cmp.Compare(b.Files, a.Files) })
	return all
}
