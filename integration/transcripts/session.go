package transcripts

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// tailWait is how long to wait for another process that extracts.
const tailWait = 10 * time.Minute

// Tail extracts, without a model, the items in a session's file beyond an offset, and
// writes those that are not known yet into the notes of their days. It returns how many
// outcomes were added and the offset to continue from; after an error the old one. The ids
// of items are those of a later [Extractor.Extract].
func (x *Extractor) Tail(ctx context.Context, path string, from int64) (added int, next int64, err error) {
	unlock, err := x.lock(ctx, tailWait)
	if err != nil {
		return 0, from, err
	}
	defer unlock()
	l := x.ruleReader()
	if next, err = l.file(path, from, 0); err != nil {
		return 0, from, err
	}
	if added, err = l.keep(ctx); err != nil {
		return added, from, err
	}
	return added, next, nil
}

// Progress extracts the statements in a file in the folder of a session, in which an agent
// keeps its progress, and writes those that are not known yet into the note of the day of
// at. Of the file it reads the first MiB. It returns how many outcomes were added, or why
// the file could not be read.
func (x *Extractor) Progress(ctx context.Context, session, folder, file string, at time.Time) (added int, unread, err error) {
	f, unread := os.Open(filepath.Join(folder, file))
	if unread != nil {
		return 0, unread, nil
	}
	defer f.Close() //nolint:errcheck // it was only read
	const most = 1 << 20
	text, unread := io.ReadAll(io.LimitReader(f, most))
	if unread != nil {
		return 0, unread, nil
	}
	l := x.ruleReader()
	l.projects[session] = x.o.Project(folder, "")
	l.add(extract.Turn{Session: session, At: at, Speaker: extract.Note, Text: strings.ToValidUTF8(string(text), "\ufffd"), Place: file})
	added, err = l.keep(ctx)
	return added, nil, err
}

// Missing finds, without a model, the items of an instant or later in the files of sessions
// and in other turns, which may be in no file, that no memory says. It writes nothing.
// Files that no longer exist are skipped.
func (x *Extractor) Missing(ctx context.Context, paths []string, others []extract.Turn, since time.Time) ([]extract.Item, error) {
	l := x.ruleReader()
	for _, path := range paths {
		if _, err := l.file(path, 0, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, t := range others {
		l.add(t)
	}
	return l.unknown(ctx, slices.DeleteFunc(l.items, func(i extract.Item) bool { return i.At.Before(since) }))
}

// unknown returns the items that no memory says, in the order in which they were said.
func (l *ruleReader) unknown(ctx context.Context, items []extract.Item) (all []extract.Item, err error) {
	err = l.eachDay(ctx, items, func(_ string, fresh []extract.Item) error {
		all = append(all, fresh...)
		return nil
	})
	slices.SortStableFunc(all, byTime)
	return all, err
}

// ruleReader extracts items by rules from turns.
type ruleReader struct {
	*Extractor
	rules    *extract.Rules
	items    []extract.Item
	projects map[string]string // of the sessions
}

func (x *Extractor) ruleReader() *ruleReader {
	return &ruleReader{Extractor: x, rules: extract.NewRules(x.o.Patterns), projects: map[string]string{}}
}

// file reads a file of a session beyond an offset, at most its last bytes, and returns the new
// offset. Only regular files have an end.
func (l *ruleReader) file(path string, from, most int64) (next int64, err error) {
	defer func() { err = brain.Wrap(err, "read the session %s", path) }()
	now, err := versionOf(path)
	if err != nil {
		return from, err
	}
	f, err := os.Open(path)
	if err != nil {
		return from, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return transcript.Tail(f, now.Size, from, most, l.readOptions(path, now.ModTime), func(m transcript.Message) error {
		if _, known := l.projects[m.Session]; !known {
			l.projects[m.Session] = l.o.Project(m.Folder, m.Repository)
		}
		l.add(extract.Turn{Session: m.Session, At: m.At, Speaker: speakerOf(m.Kind, m.Role), Text: m.Text})
		return nil
	})
}

// add finds the items of a turn. Tools say nothing that is kept.
func (l *ruleReader) add(t extract.Turn) {
	if t.Speaker != extract.Tool {
		t.Text, _ = redact.Text(t.Text)
		l.items = append(l.items, l.rules.Items([]extract.Turn{t})...)
	}
}

// keep writes the items that are not known yet into the notes of their days.
func (l *ruleReader) keep(ctx context.Context) (added int, err error) {
	err = l.eachDay(ctx, l.items, func(day string, fresh []extract.Item) error {
		n, err := l.append(ctx, day, fresh, l.projects)
		added += n
		return err
	})
	return added, err
}

// eachDay calls fn with the items of each day, in order, that are not known yet.
func (l *ruleReader) eachDay(ctx context.Context, items []extract.Item, fn func(day string, fresh []extract.Item) error) error {
	days := map[string][]extract.Item{}
	for _, i := range items {
		day := l.dayOf(i.At)
		days[day] = append(days[day], i)
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		fresh, _, err := l.newItems(ctx, day, days[day], l.projects)
		if err == nil {
			err = fn(day, fresh)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	// maxCandidates is how many statements an agent is asked about at once.
	maxCandidates = 5
	// lookedUp is how many candidates are looked up among the memories, because some of
	// them are known already.
	lookedUp = 3 * maxCandidates
	// maxNews is how much of a session is read to ask about it, in bytes: a resumed session
	// may be large. The rules extract from the part before that.
	maxNews = 4 << 20
)

type sessionState struct {
	Shown []string `json:"shown"` // statements that its agent was asked about
}

// Candidates returns the statements in a session's file beyond an offset that an agent may
// want to keep and that no memory says: at most five of the last 4 MiB, those with the most
// evidence, in the order in which they were said and with local times. It also returns the
// offset to continue from. None of them is extracted later: the agent judges better than
// any rule.
func (x *Extractor) Candidates(ctx context.Context, path string, from int64) ([]extract.Item, int64, error) {
	l := x.ruleReader()
	next, err := l.file(path, from, maxNews)
	if err != nil || len(l.items) == 0 {
		return nil, next, err
	}
	all, err := l.unknown(ctx, strongest(l.items, lookedUp))
	if err != nil || len(all) == 0 {
		return nil, next, err
	}
	all = strongest(all, maxCandidates)
	states, err := loadStates[sessionState](ctx, x, brain.TranscriptSessionRecord, sessionsOf(all)...)
	if err != nil {
		return nil, next, err
	}
	for n, i := range all {
		all[n].At = i.At.In(x.o.Location)
		s := states[i.Session]
		s.Shown = append(s.Shown, i.Quote)
		states[i.Session] = s
	}
	if err := putStates(ctx, x, brain.TranscriptSessionRecord, states); err != nil {
		return nil, next, err // otherwise they would be returned again
	}
	return all, next, nil
}

func sessionsOf(items []extract.Item) []string {
	return brain.Unique(brain.Map(items, func(i extract.Item) string { return i.Session }))
}

// strongest returns the n items with the most evidence, in their order.
func strongest(all []extract.Item, n int) []extract.Item {
	ranked := slices.SortedStableFunc(slices.Values(all), func(a, b extract.Item) int { return cmp.Compare(b.Strength, a.Strength) })
	ranked = ranked[:min(len(ranked), n)]
	slices.SortStableFunc(ranked, func(a, b extract.Item) int { return a.At.Compare(b.At) })
	return ranked
}
