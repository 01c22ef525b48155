package transcripts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"modernc.org/sqlite"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// databaseExt is the extension of OpenClaw's database of sessions. Its events are the
// lines of the session files of earlier versions.
const databaseExt = ".sqlite"

// cutSession splits the path of a session in a database.
func cutSession(path string) (database, session string, found bool) {
	database, session, found = strings.Cut(path, databaseExt+"#")
	return database + databaseExt, session, found
}

// openDatabase opens a database of another program for reading only.
func openDatabase(path string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(durable.ForeignDatabase(path, "_busy_timeout=5000"))
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// sessionsIn returns the sessions in a database. It reads the index of the events and one
// event of each session.
func sessionsIn(ctx context.Context, path string) (all []file, err error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, `SELECT s.session_id, s.n, e.created_at
		FROM (SELECT session_id, count(*) AS n, max(seq) AS last FROM transcript_events GROUP BY session_id) s
		JOIN transcript_events e ON e.session_id = s.session_id AND e.seq = s.last ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var session string
		var v version
		if err := rows.Scan(&session, &v.Size, &v.ModTime); err != nil {
			return nil, err
		}
		v.ModTime *= int64(time.Millisecond)
		all = append(all, file{path + "#" + session, v})
	}
	return all, rows.Err()
}

// openSession opens a session of a database as the lines of its events, and counts those.
func openSession(ctx context.Context, path, session string, count func(int)) (_ io.ReadCloser, err error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(transcript.MaxLine))
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq", session) //nolint:rowserrcheck // Read does
	return &events{db: db, rows: rows, unpack: unpack, count: count}, err
}

// events reads the events of a session, one a line.
type events struct {
	db     *sql.DB
	rows   *sql.Rows
	unpack *zstd.Decoder
	count  func(int)
	found  bool
	line   []byte // what was not read yet
}

// Read reads the next lines. Of a session that is gone the error is [fs.ErrNotExist].
func (e *events) Read(p []byte) (int, error) {
	for len(e.line) == 0 {
		if !e.rows.Next() {
			switch err := e.rows.Err(); {
			case err != nil:
				return 0, err
			case !e.found:
				return 0, fs.ErrNotExist
			}
			return 0, io.EOF
		}
		e.found = true
		e.count(1)
		var packed []byte
		if err := e.rows.Scan(&e.line, &packed); err != nil {
			return 0, err
		}
		if packed != nil {
			var err error
			if e.line, err = e.unpack.DecodeAll(packed, nil); err != nil {
				return 0, fmt.Errorf("unpack an event: %w", err)
			}
		}
		e.line = append(e.line, '\n')
	}
	n := copy(p, e.line)
	e.line = e.line[n:]
	return n, nil
}

// Close closes the database.
func (e *events) Close() error {
	e.unpack.Close()
	return errors.Join(e.rows.Close(), e.db.Close())
}
