// Package neo4j stores brains in a Neo4j 5.26 database. It is the second implementation of
// [brain.Store], and allows several machines to share a brain.
//
// Everything is a node or a relationship that people can explore in Neo4j's own
// browser, with the names of the model: (:Memory), (:Outcome:Source), (:Section),
// (:Action) and HAS_MEMORY, PROMOTED_TO, SUPERSEDES, RELATED. Every node has
// the property brain, and every query names a label of ours and the brain, so that
// several brains and other data can share one database. (:BrainbridgeSchema) and
// (:BrainbridgeMigration) say which format it has, (:BrainbridgeBrain) which brains.
//
// These properties are the truth: what a person sets there counts at the next read. A node
// with a property of the wrong type, or without an id, is left out, and a dump names it. A
// read outside of Update may see two commits of another process in one answer; Update locks a
// node before it reads it by id.
//
// Some properties follow from others. words has the terms of package words for the full-text
// index: the name twice for its weight of 2, the content and the tags; scope says whose they
// are, length how many. lastsUntil is expiresAt or the year 9999. freshGroup and freshAt are the
// place of a memory in lists by freshness, written and the id its place in the order of Written.
// nameKey, entityKey, titleKey, textKey and key are hashes to look nodes up by.
package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lease"
)

const (
	defaultTimeout  = 30 * time.Second
	defaultDatabase = "neo4j"
	// connectTimeout limits the wait for a connection.
	connectTimeout = 2 * time.Second
	// answerTimeout limits the wait for the first answer on a connection; then
	// captures go to the spool.
	answerTimeout = 10 * time.Second
	// liveness is how long a connection may be idle before the driver checks it:
	// after a laptop was closed, connections are dead.
	liveness = time.Minute
	poolSize = 32
)

// Config says which brain to open, and where.
type Config struct {
	URI      string // neo4j://, neo4j+s://, bolt://, …, without a user or a password
	User     string // empty: no authentication
	Password string
	Database string // empty: "neo4j"
	Brain    string
	// Requires names a brain without which Brain is not created, "" for none; the
	// error is [brain.ErrNotFound].
	Requires string
	Patience Patience // with a server that is starting
	// Program is the version of the program, for the record of schemas.
	Program string
	Watch   brain.Watch
}

// Store is one brain in a Neo4j database.
type Store struct {
	driver   driver.DriverWithContext
	database string
	brain    string
	requires string        // see [Config]
	patience Patience      // see [Config]
	program  string        // see [Config]
	watch    brain.Watch   // see [Config]
	schema   int           // of the database when it was opened
	newer    string        // version of the program that made a newer schema, "" if not known
	uri      string        // without a secret
	timeout  time.Duration // of each transaction, and of the repetitions of one that meets deadlocks
	leases   *lease.Keeper
	wrote    atomic.Bool // something was committed
	replaced atomic.Bool // see [Store.Replaced]
	number   int         // of the brain on the server
	loading  atomic.Bool // a load of this process keeps writers out
	// dimensions are those of the vectors of the brain, 0 if it has none.
	dimensions atomic.Int64
	stale      atomic.Bool        // a write has found another schema
	trace      func(query string) // for tests; nil: none

	bookmarks driver.BookmarkManager // of the latest writes, for reads from another member of a cluster; nil: there is none

	mu     sync.Mutex
	closed bool
	busy   sync.WaitGroup
}

// Open connects to the server, creates the schema if it has none and returns the
// store of one brain. A database of an earlier schema opens for a
// dump only, one of a newer for reading, see [brain.Migrator]. If the server refuses access (wrong password, no such database, an
// unknown earlier schema), the error is [brain.ErrRefused] and nothing is changed. If it does
// not answer, the error is [brain.ErrUnavailable], after about two seconds, or ten if
// something accepts the connection and is silent, or as [Patience] says. Opening an existing
// brain takes one read.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	s, err := connect(cfg)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// connect creates a store without contacting the server.
func connect(cfg Config) (*Store, error) {
	if cfg.Brain == "" || len(cfg.Brain) > maxBrain {
		return nil, brain.Errorf(brain.ErrInvalid, "", "a brain has a name of 1 to %d bytes, not %d", maxBrain, len(cfg.Brain))
	}
	s := &Store{
		database: cmp.Or(cfg.Database, defaultDatabase), brain: cfg.Brain, requires: cfg.Requires, uri: cfg.URI, patience: cfg.Patience,
		program: cfg.Program, watch: cfg.Watch, schema: schemaVersion, timeout: defaultTimeout,
	}
	s.leases = lease.NewKeeper(func(ctx context.Context, fn func(lease.Tx) error) error {
		if s.schema > schemaVersion {
			return s.Writable()
		}
		return s.repeat(ctx, driver.AccessModeWrite, func(t *tx) error { return fn(t) })
	})
	if strings.HasPrefix(cfg.URI, "neo4j") { // reads may go to another member of a cluster
		s.bookmarks = driver.NewBookmarkManager(driver.BookmarkManagerConfig{})
	}
	auth := driver.NoAuth()
	if cfg.User != "" {
		auth = driver.BasicAuth(cfg.User, cfg.Password, "")
	}
	var err error
	if s.driver, err = driver.NewDriverWithContext(cfg.URI, auth, s.configure); err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "write it as neo4j://HOST:7687, or neo4j+s://HOST for one with a certificate",
			"the Neo4j URI cannot be used: %v", err)
	}
	return s, nil
}

func (s *Store) configure(c *config.Config) {
	c.SocketConnectTimeout = connectTimeout
	c.ConnectionLivenessCheckTimeout = liveness
	c.MaxConnectionPoolSize = poolSize
	c.ConnectionAcquisitionTimeout = s.timeout
	// The store repeats transactions itself: the driver would try as long for a
	// server that is away as after a deadlock, and hide the reason.
	c.MaxTransactionRetryTime = 0
	c.FetchSize = driver.FetchAll
	c.TelemetryDisabled = true
	c.NotificationsMinSeverity = notifications.DisabledLevel
}

// Info describes the store.
func (s *Store) Info() brain.StoreInfo {
	return brain.StoreInfo{Kind: "neo4j", URI: s.uri, Brain: s.brain, Editable: true}
}

// Close releases the leases that are still held, waits for calls in progress and
// closes all connections.
func (s *Store) Close() error {
	s.leases.ReleaseAll()
	s.countAtClose()
	s.mu.Lock()
	already := s.closed
	s.closed = true
	s.mu.Unlock()
	if already {
		return nil
	}
	s.busy.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	return brain.Wrap(s.driver.Close(ctx), "close the connections to %s", s.uri)
}

// enter makes Close wait until the returned function is called.
func (s *Store) enter() (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("the store of brain %s is closed", s.brain)
	}
	s.busy.Add(1)
	return s.busy.Done, nil
}

// Lease takes a lease by the clock of the server.
func (s *Store) Lease(ctx context.Context, name string, h brain.Holder, dead func(brain.Holder) bool) (brain.Lease, error) {
	return s.leases.Lease(ctx, name, h, dead)
}

// Clock is that of the server.
func (t *tx) Clock() (time.Time, error) {
	rows, err := t.query("RETURN datetime.realtime().epochMillis", nil)
	if err != nil || len(rows) == 0 {
		return time.Time{}, err
	}
	return time.UnixMilli(value[int64](rows[0], 0)).UTC(), nil
}
