package app

import (
	"context"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// transcripts is the way of the sessions of agents into a brain.
func (u *UseCases) transcripts(ctx context.Context, b *services.Services, log zerolog.Logger) (*transcripts.Extractor, error) {
	l := u.app.o.Settings
	own, err := extract.ParsePatterns(l.Config.Notes.Patterns)
	if err != nil {
		return nil, invalid("correct notes.patterns: kind: phrase, or kind: /regular expression/", "%v", err)
	}
	o := transcripts.Options{
		Sources: l.Config.Transcripts.Sources, SideChains: l.Config.Transcripts.SideChains,
		ChunkTokens: l.Config.Transcripts.ChunkTokens, Patterns: own, Dir: l.Paths.NotesDir,
		Lock: filepath.Join(l.Paths.State, "transcripts.lock"), Location: l.Zone, Host: hostName(),
		Notes: transcriptNotes{u.NotesDirectory(b, log)},
		Project: func(folder, repository string) string {
			return u.app.sessions().ProjectOf(folder, repository, !u.caller.DryRun)
		},
	}
	if l.Config.LLM.On() {
		if o.Model, err = u.endpoint(ctx, b); err != nil {
			return nil, err
		}
	}
	return transcripts.New(b, o), nil
}

// transcriptNotes is the notes directory as transcripts need it.
type transcriptNotes struct{ *notes.Directory }

// Check refuses another brain's directory.
func (n transcriptNotes) Check(ctx context.Context) error {
	_, err := n.OwnerID(ctx)
	return err
}

// Own claims the directory, made where it is missing.
func (n transcriptNotes) Own(ctx context.Context) error {
	_, err := n.ClaimOrCreate(ctx)
	return err
}

// Take stores files that were written.
func (n transcriptNotes) Take(ctx context.Context, paths []string) error {
	_, err := n.SyncPaths(ctx, paths)
	return err
}
