package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// RecallRequest is a search. Since, Until and AsOf are times as a person types them.
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
	Related      int    // maximum number of related memories to add
	ForAgent     bool   // see [recall.Query]
}

// Recall returns what matches a query, best first. If the query names a period, such as last
// week, it is the filter, unless the request has one or nothing in it matches. If the query asks
// for hardly more than the period ("what happened yesterday"), and no text of the period has a word
// of it, the answer is the most salient memories of the period. A touch that fails is only a warning.
func (u *UseCases) Recall(ctx context.Context, r RecallRequest) (recall.Recollection, error) {
	q, err := u.recallQuery(r)
	if err != nil {
		return recall.Recollection{}, err
	}
	b := u.services(ctx)
	q.NoTouch = q.NoTouch || writable(b.Base.Store) != nil
	period, rest, named := moment.PeriodIn(r.Query, u.localNow())
	named = named && len(q.Words.Phrases) == 0 && r.Since+r.Until+r.AsOf == ""
	then := q
	then.Words, then.Since, then.Until = words.Parse(rest), period.Since, period.Until
	if q.AsOf.IsZero() {
		about := q.Words
		if named && !then.Words.Empty() {
			about = then.Words // a time is near to every text about a time
		}
		q.Vector = u.vectorOf(ctx, b, about, questionPatience)
		if vector := u.textVector(b); q.Related > 0 {
			q.Embed = func(text string) brain.Vector { return vector(ctx, text) }
		}
	}
	var answer recall.Recollection
	if then.Vector, then.Embed = q.Vector, q.Embed; named {
		answer, err = recallThen(ctx, b, then, len(words.Asked(rest)))
		answer.Query, answer.Period = r.Query, &period
	}
	if err == nil && len(answer.Results) == 0 {
		if answer, err = b.Recall.Recall(ctx, q); named {
			answer.NothingFrom = &period
		}
	}
	none := len(answer.Results) == 0
	switch {
	case err != nil && (none || ctx.Err() != nil):
		return recall.Recollection{}, err
	case err != nil:
		u.caller.Notices.Warn(err)
	case none:
		answer.Hint = u.suggest(ctx, b, r.Types, q.Tags, q.Project)
	}
	return answer, nil
}

// recallThen returns what matches in the period of a query with a number of other words.
func recallThen(ctx context.Context, b *services.Services, q recall.Query, others int) (answer recall.Recollection, err error) {
	if others > 0 {
		answer, err = b.Recall.Recall(ctx, q)
	}
	byWord := slices.ContainsFunc(answer.Results, func(r recall.Recalled) bool { return r.Score > 0 && !r.Why.Meaning })
	if err != nil || byWord || others > 1 {
		return answer, err
	}
	return b.Recall.Salient(ctx, q)
}

// MostSalient returns what a request without a query asks for: the most salient memories
// that pass its filters. They do not count as recalled.
func (u *UseCases) MostSalient(ctx context.Context, r RecallRequest) (recall.Recollection, error) {
	if r.AsOf != "" {
		return recall.Recollection{}, invalid("add a query", "asOf needs a query")
	}
	since, until, err := parseRange(r.Since, r.Until, u.localNow())
	if err != nil {
		return recall.Recollection{}, err
	}
	b := u.services(ctx)
	q := recall.Query{
		Limit: r.Limit, Budget: r.Budget, Types: dailynote.TypesLike(r.Types...), Tiers: r.Tiers, ActiveOnly: r.ActiveOnly,
		Tags: brain.CleanTags(r.Tags), Project: r.Project, Since: since, Until: until,
	}
	answer, err := b.Recall.Salient(ctx, q)
	if err == nil && len(answer.Results) == 0 {
		answer.Hint = u.suggest(ctx, b, r.Types, q.Tags, q.Project)
	}
	return answer, err
}

func (u *UseCases) recallQuery(r RecallRequest) (recall.Query, error) {
	q := recall.Query{
		Words: words.Parse(r.Query), Limit: r.Limit, Budget: r.Budget, Types: dailynote.TypesLike(r.Types...), Tiers: r.Tiers, Tags: brain.CleanTags(r.Tags), Project: r.Project, Prefer: u.caller.Project,
		ActiveOnly: r.ActiveOnly, NoTouch: r.NoTouch, Transcripts: r.Transcripts, Related: r.Related, ForAgent: r.ForAgent,
	}
	now := u.localNow()
	err := brain.CheckText("the question", r.Query)
	if err != nil {
		return q, err
	}
	if q.Since, q.Until, err = parseRange(r.Since, r.Until, now); err != nil {
		return q, err
	}
	if r.AsOf == "" {
		return q, nil
	}
	if q.AsOf, err = moment.ParseEnd(r.AsOf, now, time.Millisecond); err != nil {
		return q, BadTime("as of", moment.Past, err)
	}
	return q, nil
}

// ContextRequest asks for the context of a new session.
type ContextRequest struct {
	Budget  int     // tokens; 0: 2000
	Project *string // nil: the caller's
}

// Context returns the context of a new session, and counts its tokens as pushed. If they cannot be
// counted, that is only a warning.
func (u *UseCases) Context(ctx context.Context, r ContextRequest) (recall.Context, error) {
	b := u.services(ctx)
	c, err := b.Recall.Context(ctx, recall.ContextQuery{Budget: r.Budget, Project: or(r.Project, u.caller.Project)})
	if err == nil && c.Tokens > 0 && !u.caller.DryRun && writable(b.Base.Store) == nil {
		if err := health.AddTokens(ctx, b, c.Tokens); err != nil {
			u.caller.Notices.Warn(err)
		}
	}
	return c, err
}

// QueryAnswer has the rows that a query returned.
type QueryAnswer = neo4j.Table

// Query runs a Cypher query. Unless write is set, it may only read the graph. It returns
// [brain.ErrInvalid] if the store does not support Cypher.
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
	if errors.Is(err, brain.ErrInvalid) { // the server marks the place of a syntax error below the query
		err = invalid("correct the query, or add --write if it is to change or load something; `brainbridge remember`, `recall` and `list` need no query",
			"%s", plaintext.Shorten(plaintext.OneLine(err.Error()), 400))
	}
	return t, err
}

// Graph returns the use cases of entities, their observations and relations.
func (u *UseCases) Graph(ctx context.Context) *graph.Service { return u.services(ctx).Graph }

// GroupsAnswer lists types, projects or tags, those with the most memories first.
type GroupsAnswer struct {
	Groups []recall.GroupCount `json:"groups"`
}

// Groups returns the types, projects or tags of live and expired memories.
func (u *UseCases) Groups(ctx context.Context, by recall.Group) (GroupsAnswer, error) {
	groups, err := u.services(ctx).Recall.Groups(ctx, by)
	return GroupsAnswer{groups}, err
}

func (u *UseCases) suggest(ctx context.Context, b *services.Services, types, tags []string, project *string) string {
	hints := b.Recall.Suggest(ctx, types, tags, project)
	for _, hint := range hints {
		u.caller.Notices.Info(hint)
	}
	return strings.Join(hints, "\n")
}
