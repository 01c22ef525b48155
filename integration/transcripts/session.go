package transcripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// tailWait is how long to wait for another process that extracts.
const tailWait = 10 * time.Minute

// Tail extracts, without a model, the items in a session's file beyond a position,
// and writes those that are not known yet into the notes of their days. It
// returns how many outcomes were added and the new position, to go on from the
// next time; the zero position is the beginning. After an error the old position
// is returned, and the same items come again: their ids follow from their
// content, and are those that [Extractor.Extract] gives the day later.
func (x *Extractor) Tail(ctx context.Context, path string, pos transcript.Position) (int, transcript.Position, error) {
	unlock, err := x.lock(ctx, tailWait)
	if err != nil {
		return 0, pos, err
	}
	defer unlock()
	var next transcript.Position
	items, err := x.listen(func(l *listener) (err error) {
		next, err = l.file(path, pos)
		return err
	})
	if err != nil {
		return 0, pos, err
	}
	added, err := x.keep(ctx, items)
	if err != nil {
		return added, pos, err
	}
	return added, next, nil
}

// Text extracts the statements in a text that was written during a session, such as a
// report of its progress, and writes those that are not known yet into the
// note of the day of at. The folder is that of the session. It returns how many outcomes
// were added.
func (x *Extractor) Text(ctx context.Context, session, folder, file, text string, at time.Time) (int, error) {
	items, err := x.listen(func(l *listener) error {
		l.folders[session] = folder
		return l.add(extract.Turn{Session: session, At: at, Speaker: extract.Note, Text: text})
	})
	if err != nil {
		return 0, err
	}
	for i := range items {
		items[i].File = file
	}
	return x.keep(ctx, items)
}

// Remark is something that was said and may be in no file.
type Remark struct {
	Session string
	At      time.Time
	Text    string
}

// Missing finds, without a model, the items of an instant or later in the files of
// sessions and in other texts that no memory says. It writes nothing. A file
// that is not there any more is passed over.
func (x *Extractor) Missing(ctx context.Context, paths []string, remarks []Remark, since time.Time) ([]extract.Item, error) {
	items, err := x.listen(func(l *listener) error {
		for _, path := range paths {
			if _, err := l.file(path, transcript.Position{}); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		for _, r := range remarks {
			if err := l.add(extract.Turn{Session: r.Session, At: r.At, Speaker: extract.User, Text: r.Text}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return x.unknown(ctx, slices.DeleteFunc(items, func(i storedItem) bool { return i.At.Before(since) }))
}

// unknown returns the items that no memory says, in the order in which they were said.
func (x *Extractor) unknown(ctx context.Context, items []storedItem) (all []extract.Item, err error) {
	err = x.eachDay(items, func(_ string, items []itemOutcome) error {
		fresh, _, err := x.newItems(ctx, items)
		for _, f := range fresh {
			all = append(all, f.item())
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b extract.Item) int { return a.At.Compare(b.At) })
	return all, err
}

// listener extracts items without a model from what it is given.
type listener struct {
	*Extractor
	chunks  *extract.Chunker
	items   []storedItem
	folders map[string]string // working directories of the sessions
}

// listen returns the items that a listener finds in what read gives it.
func (x *Extractor) listen(read func(*listener) error) ([]storedItem, error) {
	l, day := &listener{Extractor: x, folders: map[string]string{}}, extract.NewDay(x.o.Patterns)
	l.chunks = extract.NewChunker(extract.Cut{Tokens: x.o.ChunkTokens}, func(c extract.Chunk) error {
		l.items = append(l.items, stored(day.Extract(c))...)
		return nil
	})
	err := read(l)
	if err == nil {
		err = l.chunks.Flush()
	}
	x.setProjects(l.items, l.folders)
	return l.items, err
}

// file listens to a file of a session from a position on. Only regular files
// have an end.
func (l *listener) file(path string, pos transcript.Position) (transcript.Position, error) {
	if _, err := statRegular(path); err != nil {
		return pos, fmt.Errorf("read the session %s: %w", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return pos, fmt.Errorf("read the session: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	next, _, _, err := transcript.Follow(f, pos, l.reading(path), l.message)
	if err != nil {
		return pos, fmt.Errorf("read the session %s: %w", path, err)
	}
	return next, nil
}

// message adds what a person or an assistant said. Tools say nothing that is
// kept.
func (l *listener) message(m transcript.Message) error {
	if m.Kind != transcript.Said {
		return nil
	}
	l.folders[m.Session] = m.Folder
	speaker := extract.Assistant
	if m.Role == transcript.User {
		speaker = extract.User
	}
	return l.add(extract.Turn{Session: m.Session, At: m.At, Speaker: speaker, Text: m.Text})
}

// add adds a turn without the secrets in it.
func (l *listener) add(t extract.Turn) error {
	t.Text, _ = redact.Text(t.Text)
	return l.chunks.Add(t)
}

// keep writes items that are not known yet into the notes of their days.
func (x *Extractor) keep(ctx context.Context, items []storedItem) (added int, err error) {
	err = x.eachDay(items, func(day string, items []itemOutcome) error {
		fresh, _, err := x.newItems(ctx, items)
		if err != nil {
			return err
		}
		n, err := x.append(ctx, day, fresh)
		added += n
		return err
	})
	return added, err
}

// eachDay calls fn with the outcomes of each day, in the order in which the days
// come first.
func (x *Extractor) eachDay(items []storedItem, fn func(day string, items []itemOutcome) error) error {
	days := map[string][]storedItem{}
	var order []string
	for _, i := range items {
		day := transcript.Day(i.At, x.o.Location)
		if days[day] == nil {
			order = append(order, day)
		}
		days[day] = append(days[day], i)
	}
	for _, day := range order {
		if err := fn(day, toOutcomes(day, days[day], x.o.Location)); err != nil {
			return err
		}
	}
	return nil
}
