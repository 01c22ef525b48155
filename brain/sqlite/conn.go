package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
)

const (
	// patience is how long a write waits for writes of other processes.
	patience = 10 * time.Second
	// busyStep is how long SQLite waits for the write lock; after each step we check
	// the context.
	busyStep  = 200 * time.Millisecond
	busyPause = 2 * time.Millisecond
	// maxStatements limits the prepared statements of one connection.
	maxStatements = 200
)

// conn is one connection with its prepared statements. One goroutine at a time
// uses it.
type conn struct {
	db         *sql.DB
	c          *sql.Conn
	statements map[string]*sql.Stmt
	open       bool // in a transaction
	broken     bool // closed, after a rollback that failed

	trace func(query string) // for tests; nil: none
}

// uri is how SQLite calls a file.
func uri(path string) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

// connect opens a connection to an existing file, with a cache of this size in KiB. temp_store keeps
// sorters in memory; wal_autocheckpoint (pages) and journal_size_limit (bytes) allow a WAL of about
// 32 MB, for fewer checkpoints during runs.
func connect(ctx context.Context, path string, cache int) (*conn, error) {
	return connectTo(ctx, fmt.Sprintf("%s?_busy_timeout=%d&_pragma=synchronous(FULL)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-%d)"+
		"&_pragma=wal_autocheckpoint(8000)&_pragma=journal_size_limit(33554432)", uri(path), busyStep.Milliseconds(), cache))
}

func connectTo(ctx context.Context, dsn string) (*conn, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	c := &conn{db: sql.OpenDB(connector), statements: map[string]*sql.Stmt{}}
	err = retryWhileBusy(ctx, func() (err error) {
		c.c, err = c.db.Conn(ctx)
		return err
	})
	if err != nil {
		_ = c.db.Close()
		return nil, err
	}
	return c, nil
}

// retryWhileBusy repeats f while another connection has the file locked. Mostly SQLite has waited
// before it says so, but not for every kind of lock.
func retryWhileBusy(ctx context.Context, f func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := f()
		if !isBusy(err) || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(busyPause):
		case <-ctx.Done():
		}
	}
}

// prepare caches statements. SQLite plans a statement again whenever a parameter is
// bound that its plan depends on, such as LIMIT ?; LIMIT +? avoids that.
func (c *conn) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if c.trace != nil {
		c.trace(query)
	}
	if st := c.statements[query]; st != nil {
		return st, nil
	}
	if len(c.statements) >= maxStatements {
		c.forget()
	}
	st, err := c.c.PrepareContext(ctx, query)
	if err == nil {
		c.statements[query] = st
	}
	return st, err
}

func (c *conn) forget() {
	for _, st := range c.statements {
		_ = st.Close()
	}
	clear(c.statements)
}

// query runs a statement that returns rows; ctx interrupts it.
func (c *conn) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := c.prepare(ctx, query) //nolint:sqlclosecheck // kept for the next use, closed by forget
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

func (c *conn) one(ctx context.Context, query string, args []any, dest ...any) error {
	st, err := c.prepare(ctx, query) //nolint:sqlclosecheck // kept for the next use, closed by forget
	if err != nil {
		return err
	}
	return st.QueryRowContext(ctx, args...).Scan(dest...)
}

// exec runs a statement that writes, without interrupting it.
func (c *conn) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	background := context.WithoutCancel(ctx)
	st, err := c.prepare(background, query) //nolint:sqlclosecheck // kept for the next use, closed by forget
	if err != nil {
		return nil, err
	}
	return st.ExecContext(background, args...)
}

func (c *conn) start(ctx context.Context, how string) error {
	_, err := c.exec(ctx, how)
	c.open = err == nil
	return err
}

// beginRead takes a snapshot of the file. It waits only while another connection
// recovers the WAL, or closes the file as the last one.
func (c *conn) beginRead(ctx context.Context) error {
	if err := c.start(ctx, "BEGIN"); err != nil {
		return err
	}
	return retryWhileBusy(ctx, func() error {
		var some bool
		return c.one(ctx, `SELECT EXISTS (SELECT 1 FROM brain)`, nil, &some)
	})
}

// begin takes the write lock of the file.
func (c *conn) begin(ctx context.Context) error {
	return retryWhileBusy(ctx, func() error { return c.start(ctx, "BEGIN IMMEDIATE") })
}

func (c *conn) commit(ctx context.Context) error {
	_, err := c.exec(ctx, "COMMIT")
	if err == nil {
		c.open = false
	}
	return err
}

// rollback ends the open transaction, if any. If it fails, as after a severe error that
// made SQLite end the transaction, the connection is closed.
func (c *conn) rollback(ctx context.Context) {
	if !c.open {
		return
	}
	c.open = false
	if _, err := c.exec(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
		c.broken = true
		_ = c.close()
	}
}

func (c *conn) close() error {
	c.forget()
	return errors.Join(c.c.Close(), c.db.Close())
}
