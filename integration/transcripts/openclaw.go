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
	defer db.Close() //nolint:errcheck // it was only read
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

// openSession returns the events of a session in a database as lines in a temporary file. Of
// a session that is gone the error is [fs.ErrNotExist].
func openSession(ctx context.Context, path, session string) (io.ReadCloser, error) {
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	rows, err := db.QueryContext(ctx, "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq", session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	found, err := writeEvents(f, rows)
	if err == nil && !found {
		err = fs.ErrNotExist
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// writeEvents writes events as lines, and reports whether there were any.
func writeEvents(out io.Writer, rows *sql.Rows) (found bool, err error) {
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(transcript.MaxLine))
	if err != nil {
		return false, err
	}
	defer unpack.Close()
	for rows.Next() {
		found = true
		var line, packed []byte
		if err := rows.Scan(&line, &packed); err != nil {
			return found, err
		}
		if packed != nil {
			if line, err = unpack.DecodeAll(packed, nil); err != nil {
				return found, fmt.Errorf("unpack an event: %w", err)
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return found, err
		}
	}
	return found, rows.Err()
}
