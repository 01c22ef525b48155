package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
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
	Related      int    // maximum number of related memories to add
}

// Recall returns the memories and sections that match a query, best first. If only the
// touch fails, it warns and returns them.
func (u *UseCases) Recall(ctx context.Context, r RecallRequest) (recall.Recollection, error) {
	q, err := u.recallQuery(r)
	if err != nil {
		return recall.Recollection{}, err
	}
	b := u.services(ctx)
	if q.AsOf.IsZero() {
		q.Vector = u.vectorOf(ctx, b, q.Words, questionPatience)
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
		Words: words.Parse(r.Query), Limit: r.Limit, Budget: r.Budget, Types: typesLike(r.Types), Tiers: r.Tiers, Tags: brain.CleanTags(r.Tags), Project: r.Project, Prefer: u.caller.Project,
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
	if r.AsOf == "" {
		return q, nil
	}
	if q.AsOf, err = moment.ParseAsOf(r.AsOf, now); err != nil {
		return q, BadTime("as of", moment.Past, err)
	}
	return q, nil
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

// Query runs a Cypher query, which may change the graph if write is set. It returns
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
		err = invalid("correct the query, or add --write if it is to change something; `brainbridge remember`, `recall` and `list` need no query",
			"%s", plaintext.Shorten(plaintext.OneLine(err.Error()), queryFault))
	}
	return t, err
}

// queryFault is the maximum length of the error for a query, in characters.
const queryFault = 400

// Graph returns the use cases of the knowledge graph: entities, their observations
// and relations.
func (u *UseCases) Graph(ctx context.Context) *graph.Service { return u.services(ctx).Graph }

// GroupsAnswer lists types, projects or tags, those with the most memories first.
type GroupsAnswer struct {
	Groups []GroupCount `json:"groups"`
}

// GroupCount counts the live and expired memories of a type, project or tag.
type GroupCount struct {
	Name     string `json:"name"`
	Memories int    `json:"memories"`
}

// Groups returns the types, projects or tags of live and expired memories.
func (u *UseCases) Groups(ctx context.Context, by brain.Group) (GroupsAnswer, error) {
	counts, err := lifecycle.Read(ctx, u.services(ctx).Base, func(r brain.Reader) (map[string]int, error) { return r.CountBy(by) })
	groups := brain.Map(slices.Sorted(maps.Keys(counts)), func(name string) GroupCount { return GroupCount{name, counts[name]} })
	slices.SortStableFunc(groups, func(x, y GroupCount) int { return cmp.Compare(y.Memories, x.Memories) })
	return GroupsAnswer{groups}, err
}

// Kinds returns the kinds of memory that have names in several languages.
func Kinds() []string { return dailynote.Kinds() }

// suggestType returns a hint if no other memory has the given type and a similar type
// exists.
func (u *UseCases) suggestType(ctx context.Context, a *CaptureAnswer, typ string) {
	if typ == "" || dailynote.KindOf(typ) != "" || a.Spooled || a.EchoOf != "" {
		return
	}
	found, err := u.Groups(ctx, brain.ByType)
	names := dailynote.Kinds()
	for _, g := range found.Groups {
		if g.Name != typ {
			names = append(names, g.Name)
		} else if g.Memories > 1 {
			return
		}
	}
	if near := plaintext.Nearest(typ, names); err == nil && len(near) > 0 {
		a.Hint = "no other memory has the type " + typ + "; did you mean " + near[0] + "?"
		u.caller.Notices.Info(a.Hint)
	}
}

// suggest returns hints, one per line, for a search without results: types, tags or a
// project that no memory has, with similar names that exist.
func (u *UseCases) suggest(ctx context.Context, types, tags []string, project *string) string {
	if project == nil {
		project = new(string)
	}
	var hints []string
	for i, by := range []brain.Group{brain.ByType, brain.ByTag, brain.ByProject} {
		for _, name := range [][]string{types, tags, {*project}}[i] {
			if hint := u.suggestOne(ctx, by, name); hint != "" {
				u.caller.Notices.Info(hint)
				hints = append(hints, hint)
			}
		}
	}
	return strings.Join(hints, "\n")
}

func (u *UseCases) suggestOne(ctx context.Context, by brain.Group, asked string) string {
	const shown = 8
	if asked == "" {
		return ""
	}
	found, err := u.Groups(ctx, by)
	if err != nil {
		return "" // it is only a hint
	}
	names := brain.Map(found.Groups, func(g GroupCount) string { return g.Name })
	meant := []string{asked}
	if by == brain.ByType {
		meant = dailynote.TypesLike(asked)
	}
	if asked == brain.SectionType || len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(meant, n) }) {
		return ""
	}
	hint := "no memory has the " + string(by) + " " + asked
	if near := plaintext.Nearest(asked, names); len(near) > 0 {
		return hint + "; did you mean " + near[0] + "?"
	}
	return hint + "; there are: " + strings.Join(names[:min(len(names), shown)], ", ")
}

// typesLike returns the types that match the requested ones.
func typesLike(asked []string) (all []string) {
	for _, typ := range asked {
		if typ != "" {
			all = append(all, dailynote.TypesLike(typ)...)
		}
	}
	return all
}
