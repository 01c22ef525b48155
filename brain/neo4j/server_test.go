package neo4j

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"golang.org/x/sync/errgroup"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// These tests have a server of their own, which takes several seconds: one
// server serves all that can share it, in order.
func TestOwnServer(t *testing.T) {
	server := neo4jtest.Start(t, neo4jtest.Options{
		Password: "secret-12",
		// Stopping gives up at once on transactions that are open.
		Settings: map[string]string{"db.shutdown_transaction_end_timeout": "0s"},
	})
	cfg := Config{URI: server.URI(), User: "neo4j", Password: server.Password(), Brain: "b"}
	t.Run("several make the schema at once", func(t *testing.T) { schemaAtOnce(t, cfg) })
	t.Run("what has a name of the schema is made again", func(t *testing.T) { schemaOverLeftovers(t, cfg) })
	t.Run("a server killed while the schema is made", func(t *testing.T) { schemaKilled(t, cfg, server) })
	t.Run("damage is named and mended", func(t *testing.T) { damageMended(t, cfg) })
	t.Run("a schema of another version is left alone", func(t *testing.T) { schemaOfAnotherVersion(t, cfg) })
	t.Run("packed nodes of an earlier schema become plain", func(t *testing.T) { packedBecomesPlain(t, cfg) })
	t.Run("a commit that never was is not believed", func(t *testing.T) { lostCommit(t, cfg, server) })
	t.Run("nothing acknowledged is lost by a kill", func(t *testing.T) { killed(t, cfg, server) })
	t.Run("refusals are said at once", func(t *testing.T) { refusals(t, cfg) })
	t.Run("a server that is away is unavailable", func(t *testing.T) { away(t, cfg, server) })
}

func openOwn(t *testing.T, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func schemaAtOnce(t *testing.T, cfg Config) {
	var group errgroup.Group
	for range 6 {
		group.Go(func() error {
			s, err := Open(t.Context(), cfg)
			if err != nil {
				return err
			}
			return s.Close()
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	s := openOwn(t, cfg)
	rows := cypher(t, s, "SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'brainbridge_' AND state = 'ONLINE' RETURN count(*)", nil).Rows
	if rows[0][0] != int64(len(definitions())) {
		t.Errorf("%v indexes are online, want %d", rows[0][0], len(definitions()))
	}
}

func setVersion(t *testing.T, s *Store, version int) {
	t.Helper()
	_, err := s.run(t.Context(), driver.AccessModeWrite, "MATCH (s:BrainbridgeSchema) SET s.version = $version", map[string]any{"version": version})
	if err != nil {
		t.Fatal(err)
	}
}

func schemaOfAnotherVersion(t *testing.T, cfg Config) {
	s := openOwn(t, cfg)
	everything := func() string { return fmt.Sprint(cypher(t, s, "MATCH (n) RETURN count(n), sum(n.version)", nil).Rows) }
	write := func(s *Store) error {
		return s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("more")) })
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(write(s))
	setVersion(t, s, 12)
	if _, err := Open(t.Context(), cfg); !errors.Is(err, brain.ErrRefused) || !strings.Contains(err.Error(), "12") {
		t.Errorf("error is %v, want ErrRefused that names version 12", err)
	}
	for version, says := range map[int]string{schemaVersion - 1: "not upgraded", schemaVersion + 1: "install brainbridge v9.1.0"} {
		setVersion(t, s, version)
		cypher(t, s, "MERGE (m:BrainbridgeMigration {version: $version}) SET m.program = 'v9.1.0'", map[string]any{"version": version})
		before := everything()
		other := openOwn(t, cfg)
		if err := write(other); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), says) {
			t.Errorf("a write to schema %d: %v, want %q", version, err, says)
		}
		if version < schemaVersion {
			if err := other.View(t.Context(), func(brain.Reader) error { return nil }); !errors.Is(err, brain.ErrReadOnly) {
				t.Errorf("a read of schema %d: %v", version, err)
			}
			continue
		}
		must(other.View(t.Context(), func(r brain.Reader) error {
			if hits, err := r.Search(brain.SearchQuery{Words: words.Parse("more"), Limit: 9}); err != nil || len(hits) != 1 {
				t.Errorf("schema %d: found %v, %v", version, hits, err)
			}
			return nil
		}))
		if after := everything(); after != before {
			t.Errorf("nodes and version are %s, were %s", after, before)
		}
	}
	// The process that has opened it before.
	if err := write(s); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), "restart this session") {
		t.Errorf("a write after the upgrade: %v", err)
	}
	setVersion(t, s, schemaVersion)
}

// lostCommit stops the server, in the ordinary way, while a transaction is
// open: the driver then reports its commit as done, and nothing is stored.
func lostCommit(t *testing.T, cfg Config, server *neo4jtest.Instance) {
	s := openOwn(t, cfg)
	var stop sync.Once
	err := s.Update(t.Context(), func(tx brain.Tx) error {
		if ms, err := tx.Memories("lost"); err != nil || len(ms) > 0 {
			return err
		}
		m := some(1, "lost")[0]
		m.ID = "lost"
		if err := tx.PutMemories(m); err != nil {
			return err
		}
		if _, err := tx.Memories("lost"); err != nil {
			return err
		}
		stop.Do(server.Stop)
		return nil
	})
	if !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("error is %v, want ErrUnavailable", err)
	}
	server.Restart()
	var found []brain.Memory
	err = s.View(t.Context(), func(r brain.Reader) (err error) {
		found, err = r.Memories("lost")
		return err
	})
	if err != nil || len(found) != 0 {
		t.Errorf("the same store after the restart: %d memories, error %v; want none", len(found), err)
	}
}

// killed has writers capture until the server is killed, and looks for what
// they were told is stored.
func killed(t *testing.T, cfg Config, server *neo4jtest.Instance) {
	s := openOwn(t, cfg)
	var mu sync.Mutex
	var stored []string
	enough := make(chan struct{})
	var group errgroup.Group
	for w := range 4 {
		group.Go(func() error {
			for i := 0; ; i++ {
				id := fmt.Sprintf("killed-%d-%d", w, i)
				if err := s.Update(t.Context(), captured(id)); err != nil {
					return ignore(err, brain.ErrUnavailable)
				}
				mu.Lock()
				if stored = append(stored, id); len(stored) == 60 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	<-enough
	server.Kill()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	server.Restart()
	rows := cypher(t, s, "UNWIND $ids AS id RETURN id, COUNT {(:Memory {brain: $brain, id: id})<-[:HAS_MEMORY]-(:Learning)} AS n", map[string]any{"ids": stored}).Rows
	for _, r := range rows {
		if r[1] != int64(1) {
			t.Errorf("%v was acknowledged and is there %v times", r[0], r[1])
		}
	}
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

func captured(id string) func(brain.Tx) error {
	return func(tx brain.Tx) error {
		if ms, err := tx.Memories(id); err != nil || len(ms) > 0 {
			return err
		}
		m := brain.Memory{ID: id, Name: "n"}
		m.Tier = tiers.Working
		return errors.Join(tx.PutMemories(m), tx.PutSources(brain.Source{ID: "s" + id, Kind: brain.Learning}),
			tx.PutRelations(brain.Relation{From: "s" + id, Type: brain.HasMemory, To: id}))
	}
}

func refusals(t *testing.T, cfg Config) {
	noDatabase, noUser, wrong := cfg, cfg, cfg
	noDatabase.Database, noUser.User, wrong.Password = "nowhere", "", "not-it-12"
	for name, c := range map[string]Config{"no such database": noDatabase, "no user": noUser, "a wrong password": wrong} {
		_, err := Open(t.Context(), c)
		var told *brain.Error
		if !errors.Is(err, brain.ErrRefused) || !errors.As(err, &told) || told.Hint == "" {
			t.Errorf("%s: error is %v, want ErrRefused with a hint", name, err)
		}
	}
	for range 3 { // until the server does not even look at the password
		if _, err := Open(t.Context(), wrong); !errors.Is(err, brain.ErrRefused) {
			t.Errorf("a wrong password again: error is %v, want ErrRefused", err)
		}
	}
}

func away(t *testing.T, cfg Config, server *neo4jtest.Instance) {
	s, err := connect(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	server.Stop()
	if _, err := Open(t.Context(), cfg); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("open: error is %v, want ErrUnavailable", err)
	}
	if err := s.Update(t.Context(), captured("x")); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("update: error is %v, want ErrUnavailable", err)
	}
	if _, err := s.Query(t.Context(), "RETURN 1", nil, false); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("query: error is %v, want ErrUnavailable", err)
	}
}

// A server that takes the connection and never says a word must not hold
// anybody longer than the deadline.
func TestASilentServerIsUnavailable(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	s, err := connect(Config{URI: "bolt://" + silent.Addr().String(), Brain: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	s.timeout = 50 * time.Millisecond
	if err := s.prepare(t.Context()); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("error is %v, want ErrUnavailable", err)
	}
}

// The port of the browser answers HTTP: that is no reason to wait for it.
func TestAPortThatSpeaksHTTPIsRefused(t *testing.T) {
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = web.Close() }()
	go func() {
		for c, err := web.Accept(); err == nil; c, err = web.Accept() {
			_, _ = io.ReadFull(c, make([]byte, 20)) // the greeting of Bolt
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			_ = c.Close()
		}
	}()
	// While routing, the driver hides the kind of the error.
	for scheme, want := range map[string]error{"bolt://": brain.ErrRefused, "neo4j://": brain.ErrUnavailable} {
		_, err = Open(t.Context(), Config{URI: scheme + web.Addr().String(), Brain: "b"})
		var told *brain.Error
		if !errors.As(err, &told) || !errors.Is(err, want) || !strings.Contains(told.Hint, "7687") {
			t.Errorf("%s: error is %v, want %v and the right port", scheme, err, want)
		}
	}
}
