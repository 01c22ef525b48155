package recall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

const (
	goneFactor      = 0.5 // on what no note says any more
	collectedFactor = 0.8 // on what lies in a folder of collected material
)

// Standing returns the memories without those that no note says any more, which are not pushed.
// Core memories stay, and so does what was merged from several.
func Standing(r brain.NodeReader, ms []brain.Memory) ([]brain.Memory, error) {
	found, err := r.Sources(brain.Unique(lifecycle.SourceIDs(ms))...)
	sources := map[string]brain.Source{}
	for _, s := range found {
		sources[s.ID] = s
	}
	return slices.DeleteFunc(ms, func(m brain.Memory) bool { return isGone(&m, sources[m.SourceNodeID]) }), err
}

// isGone reports whether no note says a memory any more, its source being s.
func isGone(m *brain.Memory, s brain.Source) bool {
	return !s.Removed.IsZero() && !m.IsCore() && !m.Merged()
}

// belowStanding lowers the scores of what no note says any more, and sorts again.
func belowStanding(found []Recalled) {
	best := 0.0
	for i := range found {
		f := &found[i]
		if s := f.Memory.Source; s != nil && s.Removed {
			f.Why.Gone = goneFactor
			f.Score *= goneFactor
		}
		best = max(best, f.Score)
	}
	for i := range found {
		found[i].Score /= best
	}
	slices.SortStableFunc(found, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
}

// isCollected reports whether a group, which is a directory and the path of a file in it, is
// below a folder of skills or of material that was collected rather than written.
func isCollected(group string) bool {
	_, file, _ := strings.Cut(group, "/")
	return dailynote.IsForeign(file) || dailynote.IsBelow(file, "knowledge", "deliverables", "archive", "archives", "archived", "references", "reference",
		"webclips", "web-clips", "resources", "sources", "library", "articles", "papers", "books",
		"attachments", "assets", "examples", "samples", "vendor", "third_party", "downloads")
}
