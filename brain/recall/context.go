package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// ContextQuery asks for what a session should know when it starts.
type ContextQuery struct {
	Budget  int    // tokens; 0: 2000
	Project string // of the session, "" for none
	// Since leaves out memories from before, because the session was told about them,
	// except reminders that have become due. Zero leaves out none.
	Since time.Time
	// Told has the ids of memories that the session knows, Own its session ids. Both are left
	// out.
	Told, Own []string
	// NoNews leaves out the part with news. Other parts show those memories.
	NoNews bool
}

// Context is what a session should know when it starts.
type Context struct {
	Text   string        `json:"text"`
	Tokens int           `json:"tokens"`
	Lines  []ContextLine `json:"lines"`
}

// ContextLine is one line of a context.
type ContextLine struct {
	ID       string  `json:"id"`
	Older    string  `json:"older,omitempty"` // id of the older memory of an open pair
	Part     string  `json:"part"`
	Kind     string  `json:"kind"`
	Date     string  `json:"date"` // YYYY-MM-DD
	Salience float64 `json:"salience"`
}

// IDs returns the ids of the memories on the line: two for an open pair.
func (l ContextLine) IDs() []string {
	if l.Older == "" {
		return []string{l.ID}
	}
	return []string{l.ID, l.Older}
}

const (
	defaultBudget = 2000      // tokens
	maxBudget     = 1_000_000 // tokens, so that multiples of a budget are in range
	// tokensPerLine, about the shortest line, decides how many memories are read.
	tokensPerLine = 25
)

// Context returns what an agent should know now of its project and of memories without a
// project: core memory, open reminders, news since its last session in this project, and
// the most salient memories. It stays within a token budget and touches nothing. On the
// same day, the same state gives the same text.
func (s *Service) Context(ctx context.Context, q ContextQuery) (Context, error) {
	q.Budget = cmp.Or(min(max(q.Budget, 0), maxBudget), defaultBudget)
	now := s.base.Now().In(s.base.Zone)
	c, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) (Context, error) {
		facts, err := readContext(r, q, now)
		if err != nil {
			return Context{}, err
		}
		chosen := chooseLines(facts, q, now)
		if err := shortenIDs(r, chosen); err != nil {
			return Context{}, err
		}
		return renderContext(chosen, q), nil
	})
	return c, brain.Wrap(err, "put the context together")
}

// contextFacts are the memories and reminders that a context chooses from.
type contextFacts struct {
	memories  []Salient         // most salient first
	reminders []brain.Source    // open ones, due first
	memoryOf  map[string]string // ids of the memories of reminders
	more      map[string]string // of the last task of a heading: what others are not shown
	since     map[string]int    // place of those since the last session, newest first
}

func readContext(r brain.Reader, q ContextQuery, now time.Time) (contextFacts, error) {
	f := contextFacts{since: map[string]int{}}
	fresh, err := sinceLastSession(r, q)
	if err != nil {
		return f, err
	}
	for i, m := range fresh {
		f.since[m.ID] = i
	}
	ms, err := candidates(r, &q.Project, q.Budget/tokensPerLine+1, now)
	if err == nil {
		f.memories, err = withPairs(r, &q.Project, append(ms, fresh...), now)
	}
	if err == nil {
		f.reminders, f.more, err = PushedReminders(r, &q.Project, now)
	}
	if err != nil {
		return f, err
	}
	f.memoryOf, err = lifecycle.MemoriesOf(r, brain.Map(f.reminders, func(s brain.Source) string { return s.ID })...)
	return f.newSince(q, now), err
}

// withPairs returns memories most salient first, with the other memory of each open pair of a
// project, nil for all, that one of them is in, joined to one.
func withPairs(r brain.Reader, project *string, ms []brain.Memory, now time.Time) ([]Salient, error) {
	open, err := lifecycle.OpenPairs(r)
	open = slices.DeleteFunc(open, func(p lifecycle.OpenPair) bool {
		return project != nil && (!isAbout(p.Newer.Project, *project) || !isAbout(p.Older.Project, *project))
	})
	if err != nil {
		return nil, err
	}
	read := brain.ByID(ms)
	for _, p := range open {
		_, newer := read[p.Newer.ID]
		_, older := read[p.Older.ID]
		if newer || older {
			ms = append(ms, p.Newer, p.Older)
		}
	}
	if ms, err = Standing(r, ms); err != nil {
		return nil, err
	}
	all, err := salient(r, ms, now)
	return paired(all, open), err
}

// newSince returns the facts that a continued session was not told about.
func (f contextFacts) newSince(q ContextQuery, now time.Time) contextFacts {
	known := map[string]bool{} // sources of memories
	f.memories = slices.DeleteFunc(f.memories, func(m Salient) bool {
		if slices.Contains(q.Own, m.SessionID) || slices.Contains(q.Told, m.ID) {
			known[m.SourceNodeID] = true
			return true
		}
		return m.Created.Before(q.Since)
	})
	f.reminders = slices.DeleteFunc(f.reminders, func(s brain.Source) bool {
		due := s.Due.After(q.Since) && !s.Due.After(now)
		return !due && (known[s.ID] || !s.Created.After(q.Since))
	})
	return f
}

// isAbout reports whether a memory of one project is for sessions in another one.
func isAbout(project, session string) bool { return project == "" || project == session }

const (
	maxReminders = 10_000 // that are read
	newestLimit  = 500    // texts since the last session that a context reads
)

// sinceLastSession returns the memories that were captured or changed after the last
// session in a project ended, newest first. Without such a session there are none.
func sinceLastSession(r brain.Reader, q ContextQuery) ([]brain.Memory, error) {
	var mark lifecycle.SessionMark
	if err := lifecycle.ReadCheckpoint(r, lifecycle.SessionJob, &mark); err != nil {
		return nil, err
	}
	last, ok := mark.Projects[q.Project]
	if !ok || q.NoNews {
		return nil, nil
	}
	ms, _, err := r.Written(last.Written, newestLimit)
	ms = slices.DeleteFunc(ms, func(m brain.Memory) bool {
		return m.Created.Before(brain.Instant(last.Finished)) || !m.Current() || m.Undated() || !isAbout(m.Project, q.Project)
	})
	slices.Reverse(ms)
	return ms, err
}

// shortenIDs gives each line the shortest unique id of at least six characters.
func shortenIDs(r brain.MemoryReader, parts []contextPart) error {
	var shown []*contextEntry
	for _, p := range parts {
		shown = append(shown, p.shown...)
	}
	var ids []string
	for _, e := range shown {
		ids = append(ids, e.line.IDs()...)
	}
	short, err := lifecycle.ShortIDs(r, ids...)
	for _, e := range shown {
		e.short = short[e.line.ID]
		if e.older != nil {
			e.older.short = short[e.line.Older]
		}
	}
	return err
}
