package app

import (
	"context"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

// RecallRequest is a question. The times are as people write them.
type RecallRequest struct {
	Query              string
	Limit, Budget      int // 0: 10 answers, any number of tokens
	Types, Tags        []string
	Tiers              []tiers.Tier
	Project            *string // nil: all; "": those with none
	Since, Until, AsOf string
	ActiveOnly         bool // no expired ones
	NoTouch            bool // does not count as use
	Transcripts        bool // transcripts as well
}

// Recall returns the memories and sections that match a question, best first.
func (u *UseCases) Recall(ctx context.Context, r RecallRequest) (recall.Recollection, error) {
	q, err := u.recallQuery(r)
	if err != nil {
		return recall.Recollection{}, err
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return recall.Recollection{}, err
	}
	found, err := b.Recall.Recall(ctx, q)
	if err != nil && (len(found.Results) == 0 || ctx.Err() != nil) {
		return recall.Recollection{}, err
	}
	if err != nil { // the answer is worth more than counting it as use
		u.caller.Notices.Warn(err)
	}
	return found, nil
}

func (u *UseCases) recallQuery(r RecallRequest) (recall.Query, error) {
	q := recall.Query{
		Text: r.Query, Limit: r.Limit, Budget: r.Budget, Types: r.Types, Tiers: r.Tiers, Tags: brain.CleanTags(r.Tags), Project: r.Project,
		ActiveOnly: r.ActiveOnly, NoTouch: r.NoTouch, Transcripts: r.Transcripts,
	}
	now := sync.OnceValues(u.LocalNow)
	err := brain.CheckText("the question", r.Query)
	if err == nil {
		q.Since, q.Until, err = parseRange(r.Since, r.Until, now)
	}
	if err == nil {
		q.AsOf, err = parseUntil("as of", r.AsOf, now)
	}
	return q, err
}

// ContextRequest asks for what an agent should know at the start of a session.
type ContextRequest struct {
	Budget  int     // tokens; 0: 2000
	Project *string // nil: the caller's
}

// ContextAnswer is what an agent should know.
type ContextAnswer struct {
	Context string `json:"context"`
	Project string `json:"project"`
	Tokens  int    `json:"tokens"`
}

// contextBudget is how many tokens a context fills if nobody says otherwise.
const contextBudget = 2000

// Context returns what an agent should know at the start of a session.
func (u *UseCases) Context(ctx context.Context, r ContextRequest) (ContextAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return ContextAnswer{}, err
	}
	project := u.caller.Project
	if r.Project != nil {
		project = *r.Project
	}
	if r.Budget <= 0 {
		r.Budget = contextBudget
	}
	text, err := b.Recall.Context(ctx, recall.ContextQuery{Budget: r.Budget, Project: &project})
	return ContextAnswer{text, project, plaintext.Tokens(text)}, err
}
