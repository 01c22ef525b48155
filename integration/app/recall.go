package app

import (
	"context"
	"errors"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

// RecallRequest is a search. Since, Until and AsOf are dates or times as a person
// types them.
type RecallRequest struct {
	Query        string
	Limit        int // maximum number of results; 0: 10
	Budget       int // maximum number of tokens; 0: no limit
	Types, Tags  []string
	Tiers        []tiers.Tier
	Project      *string // nil: all projects; "": memories without a project
	Since, Until string
	AsOf         string // recall the memories as they were then
	ActiveOnly   bool   // leave out expired memories
	NoTouch      bool   // do not count the results as recalled
	Transcripts  bool   // also search transcripts
	Related      int    // maximum number of memories to add that relations lead to
}

// Recall returns the memories and sections that match a query, best first. If only
// counting the results as recalled fails, it warns and returns them.
func (u *UseCases) Recall(ctx context.Context, r RecallRequest) (recall.Recollection, error) {
	q, err := u.recallQuery(r)
	if err != nil {
		return recall.Recollection{}, err
	}
	b := u.services(ctx)
	if q.AsOf.IsZero() {
		q.Vector = u.vectorOf(ctx, b, q.Text)
	}
	answer, err := b.Recall.Recall(ctx, q)
	if err == nil {
		if len(answer.Results) == 0 {
			answer.Hint = u.suggest(ctx, r.Types, q.Tags, q.Project)
		}
		return answer, nil
	}
	if len(answer.Results) == 0 || ctx.Err() != nil {
		return recall.Recollection{}, err
	}
	u.caller.Notices.Warn(err)
	return answer, nil
}

func (u *UseCases) recallQuery(r RecallRequest) (recall.Query, error) {
	q := recall.Query{
		Text: r.Query, Limit: r.Limit, Budget: r.Budget, Types: typesLike(r.Types), Tiers: r.Tiers, Tags: brain.CleanTags(r.Tags), Project: r.Project, Prefer: u.caller.Project,
		ActiveOnly: r.ActiveOnly, NoTouch: r.NoTouch, Transcripts: r.Transcripts, Related: r.Related,
	}
	now := u.localNow()
	err := brain.CheckText("the question", r.Query)
	if err != nil {
		return q, err
	}
	if q.Since, q.Until, err = parseRange(r.Since, r.Until, now); err != nil {
		return q, err
	}
	q.AsOf, err = parseUntil("as of", r.AsOf, now)
	return q, err
}

// ContextRequest asks for the context of a new session.
type ContextRequest struct {
	Budget  int     // tokens; 0: 2000
	Project *string // nil: the caller's
}

// Context returns the context of a new session.
func (u *UseCases) Context(ctx context.Context, r ContextRequest) (recall.Context, error) {
	project := u.caller.Project
	if r.Project != nil {
		project = *r.Project
	}
	return u.services(ctx).Recall.Context(ctx, recall.ContextQuery{Budget: r.Budget, Project: project})
}

// QueryAnswer has the rows that a query returned.
type QueryAnswer = neo4j.Table

// Query asks the graph itself in Cypher, which may change it if write is set. A store that does not understand Cypher is
// [brain.ErrInvalid].
func (u *UseCases) Query(ctx context.Context, cypher string, write bool) (QueryAnswer, error) {
	if err := brain.CheckText("the query", cypher); err != nil {
		return QueryAnswer{}, err
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return QueryAnswer{}, err
	}
	s, ok := b.Base.Store.(*neo4j.Store)
	if !ok {
		return QueryAnswer{}, invalid("use `brainbridge recall`, `list`, `show` and `history`, or a store with --store neo4j://HOST:7687",
			"the store is %s, which does not understand Cypher", b.Base.Store.Info().Kind)
	}
	t, err := s.Query(ctx, cypher, nil, write)
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

// Graph returns the use cases of the knowledge graph: entities, their observations
// and relations.
func (u *UseCases) Graph(ctx context.Context) *graph.Service { return u.services(ctx).Graph }
