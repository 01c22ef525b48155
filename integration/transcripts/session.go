package transcripts

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// Tail extracts, without a model, the items in a session's file beyond an offset, and
// writes those that are not known yet into the notes of their days. It returns how many
// outcomes were added and the offset to continue from; after an error the old one. The ids
// of items are those of a later [Extractor.Extract]. It waits that long for another process
// that extracts.
func (x *Extractor) Tail(ctx context.Context, path string, from int64, wait time.Duration) (added int, next int64, err error) {
	unlock, err := x.lock(ctx, wait)
	if err != nil {
		return 0, from, err
	}
	defer unlock()
	l := x.reader()
	if next, err = l.file(path, from, 0); err == nil {
		added, err = l.keep(ctx)
	}
	if err != nil {
		next = from
	}
	return added, next, err
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
	text, unread := io.ReadAll(io.LimitReader(f, 1<<20))
	if unread != nil {
		return 0, unread, nil
	}
	l := x.reader()
	l.projects[session] = x.o.Project(folder, "")
	l.add(xxh3.Uint128{}, extract.Turn{Session: session, At: at, Speaker: extract.Note, Text: strings.ToValidUTF8(progressText(file, text), "\ufffd"), Location: file})
	added, err = l.keep(ctx)
	return added, nil, err
}

// progressText returns the text of a file of progress. Of JSON, as in a prd.json, it is the
// strings, each a paragraph.
func progressText(file string, text []byte) string {
	if !strings.HasSuffix(file, ".json") || !json.Valid(text) {
		return string(text)
	}
	var all []string
	var visit func(v gjson.Result)
	visit = func(v gjson.Result) {
		if v.Type == gjson.String {
			all = append(all, v.Str)
		} else if v.IsObject() || v.IsArray() {
			v.ForEach(func(_, value gjson.Result) bool { visit(value); return true })
		}
	}
	visit(gjson.ParseBytes(text))
	return strings.Join(all, "\n\n")
}

// Missing finds, without a model, the items of an instant or later in the files of sessions
// and in other turns, which may be in no file, that no memory says. It writes nothing.
// Files that no longer exist are skipped.
func (x *Extractor) Missing(ctx context.Context, paths []string, others []extract.Turn, since time.Time) ([]extract.Item, error) {
	l := x.reader()
	for _, path := range paths {
		if _, err := l.file(path, 0, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, t := range others {
		l.add(xxh3.Uint128{}, t)
	}
	recent := slices.DeleteFunc(l.items(), func(i extract.Item) bool { return i.At.Before(since) })
	fresh, err := l.newItems(ctx, recent, l.projects)
	return brain.Map(fresh, func(s said) extract.Item { return s.item }), err
}

// sessionReader finds explicit statements and candidates in turns.
type sessionReader struct {
	*Extractor
	explicit extract.Reader
	turns    []turnItems
	projects map[string]string // of the sessions
}

// turnItems is what was found in a turn. The person may take it back later.
type turnItems struct {
	key               xxh3.Uint128 // of the message
	items, candidates []extract.Item
}

func (x *Extractor) reader() *sessionReader {
	return &sessionReader{Extractor: x, projects: map[string]string{}}
}

// file reads a file of a session beyond an offset, at most its last bytes, and returns the new
// offset. Only regular files have an end.
func (l *sessionReader) file(path string, from, most int64) (next int64, err error) {
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
		if m.TakenBack {
			l.turns = slices.DeleteFunc(l.turns, func(t turnItems) bool { return t.key == m.Key() })
			return nil
		}
		if _, known := l.projects[m.Session]; !known {
			l.projects[m.Session] = l.o.Project(m.Folder, m.Repository)
		}
		l.add(m.Key(), turnOf(m.Session, m.At, m.Kind, m.Role, m.Text))
		return nil
	})
}

// add finds the items and the candidates of a turn. Tools say nothing that is kept.
func (l *sessionReader) add(key xxh3.Uint128, t extract.Turn) {
	if t.Speaker != extract.Tool {
		t.Text, _ = redact.Text(t.Text)
		l.turns = append(l.turns, turnItems{key, l.explicit.Items([]extract.Turn{t}), extract.Candidates(t)})
	}
}

func (l *sessionReader) items() (all []extract.Item) {
	for _, t := range l.turns {
		all = append(all, t.items...)
	}
	return all
}

func (l *sessionReader) candidates() (all []extract.Item) {
	for _, t := range l.turns {
		all = append(all, t.candidates...)
	}
	return all
}

// keep writes the items that are not known yet into the notes of their days.
func (l *sessionReader) keep(ctx context.Context) (added int, err error) {
	fresh, err := l.newItems(ctx, l.items(), l.projects)
	if err != nil {
		return 0, err
	}
	return l.append(ctx, fresh)
}

const (
	maxCandidates = 5       // that an agent is shown at once
	maxNews       = 4 << 20 // bytes of a session that are read for candidates: a resumed one may be large
)

// Candidates returns what the person said in a session's file beyond an offset that an agent
// may want to keep and that no memory says: at most five sentences of the last 4 MiB, the
// newest first, with local times. It also returns the offset to continue from. It writes
// nothing: what is explicit is kept in any case, whether it was shown or not.
func (x *Extractor) Candidates(ctx context.Context, path string, from int64) ([]extract.Item, int64, error) {
	l := x.reader()
	next, err := l.file(path, from, maxNews)
	candidates := l.candidates()
	if err != nil || len(candidates) == 0 {
		return nil, next, err
	}
	fresh, err := l.newItems(ctx, candidates[max(0, len(candidates)-3*maxCandidates):], l.projects) // some are known
	slices.Reverse(fresh)
	return brain.Map(fresh[:min(len(fresh), maxCandidates)], func(s said) extract.Item {
		s.item.At = s.item.At.In(x.o.Location)
		return s.item
	}), next, err
}
