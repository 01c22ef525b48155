package app

import (
	"context"
	"errors"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// QueryRequest is a query in Cypher.
type QueryRequest struct {
	Cypher string
	Write  bool // it may write
}

// Query asks the graph itself. A store that does not understand Cypher is
// [brain.ErrInvalid].
func (u *UseCases) Query(ctx context.Context, r QueryRequest) (neo4j.Table, error) {
	if err := brain.CheckText("the query", r.Cypher); err != nil {
		return neo4j.Table{}, err
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return neo4j.Table{}, err
	}
	s, ok := b.Base.Store.(*neo4j.Store)
	if !ok {
		return neo4j.Table{}, invalid("use `brainbridge recall`, `list`, `show` and `history`, or a store with --store neo4j://HOST:7687",
			"the store is %s, which does not understand Cypher", b.Base.Store.Info().Kind)
	}
	t, err := s.Query(ctx, r.Cypher, nil, r.Write)
	if t.Rows == nil {
		t.Rows = [][]any{}
	}
	if errors.Is(err, brain.ErrInvalid) { // the server draws the place of a fault below the query
		err = invalid("correct the query, or add --write if it is to change something; `brainbridge remember`, `recall` and `list` need no query",
			"%s", plaintext.Shorten(plaintext.OneLine(err.Error()), queryFault))
	}
	return t, err
}

// queryFault is how long the fault of a query may be, in characters.
const queryFault = 400
