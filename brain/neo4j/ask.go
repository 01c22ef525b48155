package neo4j

import (
	"context"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Ask runs queries that only read a database, which need not be one of brainbridge: nothing
// is created in it, and the server refuses writes. The values are those of [Store.Query]. The
// errors are those of [Open].
func Ask(ctx context.Context, cfg Config, queries ...string) (answers []Table, err error) {
	s, err := connect(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // it was only read
	for _, cypher := range queries {
		rows, err := s.run(ctx, driver.AccessModeRead, cypher, nil)
		if err != nil {
			return nil, err
		}
		answers = append(answers, tableOf(rows))
	}
	return answers, nil
}
