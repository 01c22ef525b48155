// Package neo4jtest gives tests a real Neo4j server: the one that `make test` has started, or one of their own that
// they may kill and restart.
//
// On a developer's machine these tests are skipped unless the whole suite runs, because the first one fetches a
// server of 130 MB. Under CI=true there is no way to skip them: what cannot be tested there fails.
package neo4jtest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// EnvURI names the environment variable with the Bolt URI of a server without a password that tests may share.
const EnvURI = "BRAINBRIDGE_TEST_NEO4J"

// reachable is how long a server that is up may take to answer on a machine with no core free.
const reachable = 30 * time.Second

// Server returns the Bolt URI of a server without a password that all tests share: use a brain with a name of its own,
// and clean up by that name. The URI is that of EnvURI; if no server answers there, the test fails. If it is not set,
// the test is skipped, or under CI=true fails. With -short the test is always skipped.
func Server(tb testing.TB) string {
	tb.Helper()
	needNeo4j(tb)
	uri := os.Getenv(EnvURI)
	if err := answers(tb.Context(), uri, neo4j.NoAuth()); err != nil {
		tb.Fatalf("%s is set to %s, but no server without a password answers there: %v", EnvURI, uri, err)
	}
	return uri
}

// needNeo4j skips or fails the test where the suite is not run with Neo4j.
func needNeo4j(tb testing.TB) {
	tb.Helper()
	switch {
	case testing.Short():
		tb.Skip("needs Neo4j, left out by -short")
	case os.Getenv(EnvURI) != "":
	case os.Getenv("CI") == "true":
		tb.Fatalf("%s is not set: under CI=true every test of the Neo4j store must run; use make test", EnvURI)
	default:
		tb.Skipf("needs Neo4j; `make test` brings one (or set %s to the bolt:// URI of a server without a password)", EnvURI)
	}
}

// answers asks a server for one connection.
func answers(ctx context.Context, uri string, auth neo4j.AuthToken) (err error) {
	ctx, cancel := context.WithTimeout(ctx, reachable)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(uri, auth)
	if err != nil {
		return fmt.Errorf("open a driver for %s: %w", uri, err)
	}
	defer func() {
		if closed := driver.Close(ctx); err == nil {
			err = closed
		}
	}()
	return driver.VerifyConnectivity(ctx)
}
