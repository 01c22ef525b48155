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

// databaseExt is the extension of OpenClaw's database, whose events are lines of session files.
const databaseExt = ".sqlite"

func cutSession(path string) (database, session string, found bool) {
	database, session, found = strings.Cut(path, databaseExt+"#")
	return database + databaseExt, session, found
}

// query calls each with the rows of a query of another program's database, which it only reads.
func query(ctx context.Context, path string, each func(*sql.Rows) error, text string, args ...any) error {
	connector, err := sqlite.NewConnector(durable.ForeignDatabase(path, "_busy_timeout=5000"))
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close() //nolint:errcheck // it was only read
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// sessionsIn returns the sessions in a database, by the index of the events and the last of each.
func sessionsIn(ctx context.Context, path string) (all []file, err error) {
	err = query(ctx, path, func(row *sql.Rows) error {
		var session string
		var v version
		err := row.Scan(&session, &v.Size, &v.ModTime)
		v.ModTime *= int64(time.Millisecond)
		all = append(all, file{path + "#" + session, v})
		return err
	}, `SELECT s.session_id, s.n, e.created_at
		FROM (SELECT session_id, count(*) AS n, max(seq) AS last FROM transcript_events GROUP BY session_id) s
		JOIN transcript_events e ON e.session_id = s.session_id AND e.seq = s.last ORDER BY 1`)
	return all, err
}

// openSession returns the events of a session in a database as lines in a temporary file.
// If the session no longer exists, the error is [fs.ErrNotExist].
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
	gone := true
	err = query(ctx, path, func(row *sql.Rows) error {
		gone = false
		var line, packed []byte
		err := row.Scan(&line, &packed)
		if err == nil && packed != nil {
			line, err = unpack.DecodeAll(packed, nil)
		}
		if err != nil {
			return fmt.Errorf("read an event: %w", err)
		}
		_, err = f.Write(append(line, '\n'))
		return err
	}, "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq", session)
	if err == nil && gone {
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
