package transcripts

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the databases of OpenClaw

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// file is the current state of a session file, or of a session in a database of OpenClaw.
type file struct {
	path string // of a session in a database: PATH#SESSION; of a packed file: before it was packed
	version
}

// version identifies a state of a file. Of a session in a database, Size is the number of its
// events and ModTime the time of the last one.
type version struct {
	Size    int64  `json:"size"`
	ModTime int64  `json:"modTime"` // nanoseconds since 1970
	Inode   uint64 `json:"inode,omitempty"`
}

// packedExt is the extension that a session of Codex gets when Codex packs it.
const packedExt = ".zst"

// versionOf returns the version of a regular file, which may be packed.
func versionOf(path string) (version, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(path + packedExt)
	}
	if err != nil {
		return version{}, err
	}
	if !info.Mode().IsRegular() {
		return version{}, errors.New("it is not a regular file")
	}
	return version{info.Size(), info.ModTime().UnixNano(), durable.Inode(info)}, nil
}

// find returns the transcripts in the sources by path, and records those that cannot be read.
func (r *run) find(ctx context.Context) (all []file) {
	var paths, leftOut []string
	for _, glob := range r.o.Sources {
		if pattern, out := strings.CutPrefix(glob, "!"); out {
			leftOut = append(leftOut, pattern)
			continue
		}
		found, err := doublestar.FilepathGlob(glob, doublestar.WithFilesOnly())
		if err != nil {
			r.problems = append(r.problems, Problem{File: glob, Message: "cannot be searched: " + durable.Cause(err).Error()})
		}
		for _, path := range found {
			paths = append(paths, strings.TrimSuffix(path, packedExt))
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if slices.ContainsFunc(leftOut, func(pattern string) bool { return doublestar.PathMatchUnvalidated(pattern, path) }) {
			continue
		}
		if strings.HasSuffix(path, databaseExt) {
			found, err := sessionsIn(ctx, path)
			r.unreadable(path, err)
			all = append(all, found...)
		} else if now, err := versionOf(path); err != nil {
			r.unreadable(path, err)
		} else {
			all = append(all, file{path, now})
		}
	}
	r.found = len(all)
	return all
}

// open opens a transcript as lines.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if database, session, found := strings.Cut(path, databaseExt+"#"); found {
		return openSession(ctx, database+databaseExt, session)
	}
	f, err := os.Open(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = os.Open(path + packedExt); err != nil {
		return nil, err
	}
	unpack, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1)) // without goroutines to end
	return struct {
		io.Reader
		io.Closer
	}{unpack, f}, err
}

func (x *Extractor) readOptions(path string, modTime int64) transcript.Options {
	o := transcript.Options{File: path, FileTime: time.Unix(0, modTime), Now: x.brain.Base.Now()}
	if i := strings.LastIndex(path, "/chats/"); i >= 0 { // Gemini CLI stores the folder next to the sessions
		root, _ := os.ReadFile(filepath.Join(path[:i], ".project_root"))
		o.Folder = strings.TrimSpace(string(root))
	}
	return o
}

// databaseExt is the extension of OpenClaw's database, whose events are lines of session files.
const databaseExt = ".sqlite"

// query calls each with the rows of a query of another program's database, which it only reads.
func query(ctx context.Context, path string, each func(*sql.Rows) error, text string, args ...any) error {
	db, err := sql.Open("sqlite", durable.ForeignDatabase(path, "_busy_timeout=5000"))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() && err == nil {
		err = each(rows)
	}
	return errors.Join(err, rows.Err())
}

// sessionsIn returns the sessions in a database, by the index of the events and the last of each,
// and its archive, which is a table that OpenClaw makes when it first needs it.
func sessionsIn(ctx context.Context, path string) (all []file, err error) {
	add := func(row *sql.Rows) error {
		var session string
		var v version
		err := row.Scan(&session, &v.Size, &v.ModTime)
		v.ModTime *= int64(time.Millisecond)
		all = append(all, file{path + "#" + session, v})
		return err
	}
	err = query(ctx, path, add, `SELECT s.session_id, s.n, e.created_at
		FROM (SELECT session_id, count(*) AS n, max(seq) AS last FROM transcript_events GROUP BY session_id) s
		JOIN transcript_events e ON e.session_id = s.session_id AND e.seq = s.last ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	hasArchive := false
	err = query(ctx, path, func(row *sql.Rows) error { return row.Scan(&hasArchive) },
		"SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'session_transcript_archives'")
	if err == nil && hasArchive {
		err = query(ctx, path, add, `SELECT session_id || '/' || generation, length(archive_blob), created_at
			FROM session_transcript_archives ORDER BY created_at, 1`)
	}
	return all, err
}

// openSession returns the events of a session in a database as lines in a temporary file, of an
// archived one those of SESSION/GENERATION. If the session no longer exists, the error is
// [fs.ErrNotExist].
func openSession(ctx context.Context, path, session string) (io.ReadCloser, error) {
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(transcript.MaxLine))
	if err != nil {
		return nil, err
	}
	defer unpack.Close()
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	gone, events, args := true, "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq", []any{session}
	if id, generation, archived := strings.Cut(session, "/"); archived {
		args = []any{id, generation}
		events = `SELECT iif(encoding = 'zstd', NULL, archive_blob), iif(encoding = 'zstd', archive_blob, NULL)
			FROM session_transcript_archives WHERE session_id = ? AND generation = ?`
	}
	err = query(ctx, path, func(row *sql.Rows) error {
		gone = false
		var line, packed []byte
		err := row.Scan(&line, &packed)
		if err == nil && packed != nil {
			if err = unpack.Reset(bytes.NewReader(packed)); err == nil {
				_, err = io.Copy(f, unpack)
			}
		}
		if err != nil {
			return fmt.Errorf("read an event: %w", err)
		}
		_, err = f.Write(append(line, '\n'))
		return err
	}, events, args...)
	if err == nil && gone {
		err = fs.ErrNotExist
	}
	if _, failed := f.Seek(0, io.SeekStart); err != nil || failed != nil {
		return nil, errors.Join(err, failed, f.Close())
	}
	return f, nil
}
