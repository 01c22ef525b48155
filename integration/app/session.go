package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
)

// NoteEvent records an event in a session.
func (u *UseCases) NoteEvent(ctx context.Context, e AgentEvent) error {
	_, err := u.noteEvent(ctx, e, func(*AgentSession) {})
	return err
}

func (u *UseCases) noteEvent(ctx context.Context, e AgentEvent, change func(*AgentSession)) (AgentSession, error) {
	return u.app.sessions().Note(ctx, e, brain.Instant(u.app.Now()), change)
}

// StartAnswer is the context for an agent at the start of a session.
type StartAnswer struct {
	Unreachable error // why the store cannot be read, nil if it can
	// Warnings names the indicators of health by which something does not work.
	Warnings []string
	// Reflection has the findings since the last session ended; nil if there are none.
	Reflection *health.Findings
	Context    recall.Context
	// Questions have the candidates of the last session in the project, those that it did not show.
	Questions Questions
}

// StartSession returns the context for an agent, and settles what is due in the remaining
// time, which is short on a cold server. Parts that fail are left out of the answer and are
// in the error. A session that continues gets only what is new since its last context. An
// agent whose conversation was compacted, cleared or forked gets everything, but nothing marked
// as new, because it may have written that itself.
func (u *UseCases) StartSession(ctx context.Context, e AgentEvent) (StartAnswer, error) {
	s, noted := u.app.sessions().Load(e.SessionID)
	var own []string
	if e.Resumed && noted == nil && s.ID != "" { // it reads all sessions
		var r Related
		r, noted = u.app.sessions().Related(s, u.app.Now())
		own = slices.Concat(r.Connections, []string{s.ID})
	}
	if noted == nil {
		noted = u.NoteEvent(ctx, e)
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return StartAnswer{Unreachable: err}, errors.Join(noted, err)
	}
	project := u.app.sessions().Project(e)
	var a StartAnswer
	var reflected, left error
	q := recall.ContextQuery{Project: project, NoNews: e.Again}
	if e.Resumed {
		q.Since, q.Told, q.Own = s.Context, slices.Concat(s.Pushed, s.InPrompts), own
	}
	a.Context, err = b.Recall.Context(ctx, q)
	if err == nil {
		at := brain.Instant(u.app.Now())
		_, err = u.noteEvent(ctx, e, func(now *AgentSession) {
			now.Context, now.Pushed, now.InPrompts = at, nil, nil
			if e.Resumed {
				now.Pushed, now.InPrompts = s.Pushed, s.InPrompts
			}
			for _, l := range a.Context.Lines {
				now.Pushed = append(now.Pushed, l.IDs()...)
			}
		})
		err = errors.Join(err, health.AddTokens(ctx, b, a.Context.Tokens))
	}
	if !e.Resumed {
		a.Questions.Left = true
		a.Questions.Candidates, left = u.leftCandidates(ctx, project, e.SessionID)
	}
	indicators, measured := u.indicators(ctx, b)
	a.Warnings = brain.Map(health.Urgent(indicators), func(i health.Indicator) string { return i.Name })
	a.Reflection, reflected = health.NewFindings(ctx, b, q.Since)
	var unasked error
	a.Questions.Pairs, unasked = u.openPairs(ctx, project, e.SessionID)
	return a, errors.Join(noted, err, left, measured, reflected, unasked, u.settleInBackground(ctx, b))
}

// PromptAnswer is the context for an agent with a prompt.
type PromptAnswer struct {
	Start     *StartAnswer // for an agent that reports no start; nil: the session already has its context
	Memories  string       // memories that match the prompt and were not pushed to this session yet
	Heartbeat bool         // whether to remind the agent to capture
	Questions Questions    // for the reminder
}

// SubmitPrompt counts a prompt, and finds memories that match it if hooks.recall is on.
func (u *UseCases) SubmitPrompt(ctx context.Context, e AgentEvent) (PromptAnswer, error) {
	var a PromptAnswer
	var failed error
	if e.PromptStarts {
		a.Start, failed = u.startIfNew(ctx, e)
	}
	s, err := u.noteEvent(ctx, e, func(s *AgentSession) { s.Prompts++ })
	if err != nil {
		return a, errors.Join(failed, err)
	}
	c, project := u.app.Settings.Config.Hooks, u.app.sessions().Project(e)
	if c.Heartbeat > 0 && s.Prompts > 0 && s.Prompts%c.Heartbeat == 0 {
		a.Heartbeat = true
		candidates, unread := u.candidates(ctx, s)
		open, unasked := u.openPairs(ctx, u.app.sessions().Project(e), e.SessionID)
		a.Questions, failed = Questions{Pairs: open, Candidates: candidates}, errors.Join(failed, unread, unasked)
	}
	if !c.Recall {
		return a, failed
	}
	q := recall.PromptQuery{Text: e.Prompt, Project: &project, Told: s.InPrompts, Context: s.Pushed}
	if a.Start != nil { // what the same answer has
		for _, l := range a.Start.Context.Lines {
			q.Told = append(q.Told, l.IDs()...)
		}
	}
	b := u.services(ctx)
	q.Vector = u.vectorOf(ctx, b, words.Parse(q.Text), promptPatience)
	text, ids, err := b.Recall.ForPrompt(ctx, q)
	if err != nil || len(ids) == 0 {
		return a, errors.Join(failed, err)
	}
	a.Memories = text
	_, err = u.noteEvent(ctx, e, func(s *AgentSession) { s.InPrompts = append(s.InPrompts, ids...) })
	return a, errors.Join(failed, err, health.AddTokens(ctx, b, plaintext.Tokens(text)))
}

// startIfNew returns the context for a session without one, or in another process, else nil.
func (u *UseCases) startIfNew(ctx context.Context, e AgentEvent) (*StartAnswer, error) {
	s, err := u.app.sessions().Load(e.SessionID)
	e.Resumed = !s.Context.IsZero()
	if err != nil || e.Resumed && !s.Elsewhere(AgentProcess()) {
		return nil, err
	}
	a, err := u.StartSession(ctx, e)
	return &a, err
}

// ReadTranscript brings what was explicitly said since the last reading into the notes of
// its days.
func (u *UseCases) ReadTranscript(ctx context.Context, e AgentEvent) error {
	s, err := u.app.sessions().Load(e.SessionID)
	if err != nil {
		return err
	}
	s.Transcript = e.Transcript
	b, err := u.Brain(ctx)
	if err != nil {
		return err
	}
	_, err = u.readSession(ctx, b, s, 10*time.Minute)
	return err
}

// readSession does that for a session, and returns how many outcomes were added. It waits
// that long for another process that extracts. A session without a transcript has none.
func (u *UseCases) readSession(ctx context.Context, b *services.Services, s AgentSession, wait time.Duration) (added int, err error) {
	if s.Transcript == "" || u.caller.DryRun {
		return 0, nil
	}
	extractor, err := u.transcripts(ctx, b)
	if err != nil {
		return 0, err
	}
	added, read, err := extractor.Tail(ctx, s.Transcript, s.Read, wait)
	if errors.Is(err, fs.ErrNotExist) { // agents may delete it
		return 0, nil
	}
	if err == nil {
		_, err = u.app.sessions().Update(ctx, s.ID, brain.Instant(u.app.Now()), func(s *AgentSession) { s.Read = read })
	}
	return added, err
}

func (a *App) sessions() *AgentSessions { return AgentSessionsIn(a.Settings.Paths.State) }

// currentSession returns the session with an id, or the current one; without an id if none is
// known. One that no hook reported is in the working directory.
func (u *UseCases) currentSession(id string, now time.Time) (s AgentSession, err error) {
	if id = cmp.Or(id, u.app.Env("BRAINBRIDGE_SESSION")); id == "" {
		s, err = u.app.sessions().Current(AgentProcess(), now)
	}
	if err == nil && s.ID == "" {
		s, err = u.app.sessions().Load(id)
	}
	if err == nil && !s.Known() {
		s.CWD, err = os.Getwd()
	}
	return s, err
}

// Connect stores that the agent that runs this process connected over MCP. The calls have
// the id of the connection, unless the session is named.
func (a *App) Connect(id string) error {
	if a.Env("BRAINBRIDGE_SESSION") != "" {
		return nil
	}
	return a.sessions().Connect(Connection{ID: id, Agent: AgentProcess()})
}
