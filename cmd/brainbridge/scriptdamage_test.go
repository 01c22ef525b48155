package main

import (
	"context"
	"database/sql"
	"path/filepath"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/rogpeppe/go-internal/testscript"
)

// damage makes a memory or a learning unreadable in the store: damage ID
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage ID")
	}
	uri := ts.Getenv("BRAINBRIDGE_STORE")
	if uri == "" {
		db, err := sql.Open("sqlite", filepath.Join(ts.Getenv("BRAINBRIDGE_HOME"), "data", ts.Getenv("BRAIN"), "brain.db"))
		ts.Check(err)
		defer db.Close()
		_, err = db.Exec("UPDATE memory SET tags = '{' WHERE id = ?1; UPDATE source SET learned = 'flipped' WHERE id = ?1", args[0])
		ts.Check(err)
		return
	}
	ctx := context.Background()
	d, err := driver.NewDriverWithContext(uri, driver.NoAuth())
	ts.Check(err)
	defer d.Close(ctx)
	_, err = driver.ExecuteQuery(ctx, d, "MATCH (n:Memory|Learning {brain: $brain, id: $id}) SET n.energy = 'x', n.learned = 7",
		map[string]any{"brain": ts.Getenv("BRAIN"), "id": args[0]}, driver.EagerResultTransformer)
	ts.Check(err)
}
