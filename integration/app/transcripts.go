package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/lease"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// chunkTokens is the size of a chunk of a transcript.
const chunkTokens = 4000

func (u *UseCases) transcripts(ctx context.Context, b *services.Services) (*transcripts.Extractor, error) {
	l := u.app.Settings
	o := transcripts.Options{
		Sources: l.Config.Transcripts.Sources, ChunkTokens: chunkTokens, Dir: l.Paths.NotesDir,
		Lock: filepath.Join(l.Paths.State, "transcripts.lock"), Location: l.Zone, Host: lease.Host(),
		Notes: u.NotesDirectory(b),
		Project: func(folder, repository string) string {
			return u.app.sessions().ProjectOf(folder, repository, !u.caller.DryRun)
		},
	}
	if l.Config.LLM.On() {
		m, err := u.endpoint(ctx, b)
		if err != nil {
			return nil, err
		}
		o.Model = m
	}
	return transcripts.New(b, o), nil
}

func (u *UseCases) openTranscripts(ctx context.Context) (*transcripts.Extractor, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return nil, err
	}
	return u.transcripts(ctx, b)
}

// ExtractTranscripts extracts what agents and people said on a day into the notes; without
// a day, every past day that is not done yet.
func (u *UseCases) ExtractTranscripts(ctx context.Context, day string) (transcripts.Report, error) {
	if day != "" {
		var err error
		if day, err = u.parseDay(day); err == nil && day > u.today() {
			err = invalid("omit the date to extract all past days", "%s is in the future", day)
		}
		if err != nil {
			return transcripts.Report{}, err
		}
	}
	extractor, err := u.openTranscripts(ctx)
	if err != nil {
		return transcripts.Report{}, err
	}
	return extractor.Extract(ctx, transcripts.Request{Day: day, DryRun: u.caller.DryRun, Progress: func(day string, done, of int) {
		u.caller.Notices.Progress(cmp.Or(day, "transcripts")+": files", done, of)
	}})
}

// Candidate is a sentence of the person that may be worth keeping.
type Candidate = extract.Item

// leftCandidates returns the candidates that the last session that ended in a project did
// not show, at most five, the newest first. Each is returned once: no heartbeat and no later
// session shows it again.
func (u *UseCases) leftCandidates(ctx context.Context, project, session string) ([]Candidate, error) {
	last, err := u.app.sessions().Last(project)
	if err != nil || last.ID == "" || last.ID == session {
		return nil, err
	}
	return u.candidates(ctx, last)
}

// candidates returns the candidates of a session that were not returned before, at most five, the
// newest first.
func (u *UseCases) candidates(ctx context.Context, s AgentSession) ([]Candidate, error) {
	if s.Transcript == "" || u.caller.DryRun {
		return nil, nil
	}
	extractor, err := u.openTranscripts(ctx)
	if err != nil {
		return nil, err
	}
	items, next, err := extractor.Candidates(ctx, s.Transcript, s.Asked)
	if errors.Is(err, fs.ErrNotExist) { // agents name the file before they write it
		return nil, nil
	}
	if err == nil {
		_, err = u.app.sessions().Update(ctx, s.ID, brain.Instant(u.app.Now()), func(s *AgentSession) { s.Asked = next })
	}
	if err != nil {
		return nil, err // otherwise they would be returned again
	}
	return items, nil
}
