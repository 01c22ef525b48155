package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/hooks"
	"github.com/brainbridge/brainbridge/integration/sessions"
	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// sessionBytes is how many bytes of a transcript PreCompact reads.
const sessionBytes = 256 << 10

// hookCase is a hook to be measured.
type hookCase struct {
	event hooks.Event
	times int
	// finished reports whether the process that the hook left behind has done its
	// work; nil if it leaves none.
	finished func(sessions.Session) bool
}

// hooks measures the hooks of agents, as whole processes, on a brain with
// memories. The work that a hook leaves to another process is waited for, and not
// part of its time.
func (b *bench) hooks(ctx context.Context) error {
	h, err := b.loaded(ctx, b.Small)
	if err == nil {
		err = h.shut()
	}
	if err != nil {
		return err
	}
	for _, hook := range []hookCase{
		{hooks.SessionStart, b.Processes, nil},
		{hooks.UserPromptSubmit, b.Processes, nil},
		{hooks.PostToolUse, b.Processes, nil},
		{hooks.Stop, b.Processes, nil},
		{hooks.PreCompact, b.Detached, func(s sessions.Session) bool { return s.Read > 0 }},
		{hooks.SessionEnd, b.Detached, func(s sessions.Session) bool { return !s.Recorded.IsZero() }},
	} {
		took, err := b.hook(ctx, h, hook)
		if err != nil {
			return fmt.Errorf("%s: %w", hook.event, err)
		}
		b.spread("hook"+string(hook.event), b.Small, took)
	}
	return nil
}

// sessionStart measures the start of a session, which must not depend on how much is
// stored.
func (b *bench) sessionStart(ctx context.Context, n int) error {
	h, err := b.loaded(ctx, n)
	if err == nil {
		err = h.shut()
	}
	if err != nil {
		return err
	}
	took, err := b.hook(ctx, h, hookCase{event: hooks.SessionStart, times: b.Processes})
	if err == nil {
		b.spread("hookSessionStart", n, took)
	}
	return err
}

// hook measures one hook, each time in a session of its own that had a prompt.
func (b *bench) hook(ctx context.Context, h *home, hook hookCase) ([]time.Duration, error) {
	b.progress.start("hook "+string(hook.event), warmups+hook.times)
	kept := sessions.In(h.settings.Paths.State)
	said := filepath.Join(h.dir, "tmp", "transcript.jsonl")
	text, err := io.ReadAll(fixture.Stream(seed, sessionBytes, time.Now()))
	if err == nil {
		err = os.WriteFile(said, text, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("write a transcript: %w", err)
	}
	var took []time.Duration
	for i := range warmups + hook.times {
		id := brain.NewID()
		if _, err := kept.Update(ctx, id, time.Now(), func(s *sessions.Session) { s.Prompts++ }); err != nil {
			return nil, err
		}
		input, err := json.Marshal(map[string]string{
			"session_id": id, "transcript_path": said, "cwd": h.dir, "hook_event_name": string(hook.event), "prompt": h.text.question(4),
		})
		if err != nil {
			return nil, fmt.Errorf("write the input of a hook: %w", err)
		}
		d, err := h.timedOn(ctx, input, "hook", string(hook.event))
		if err != nil {
			return nil, err
		}
		if i >= warmups {
			took = append(took, d)
		}
		if err := waitFinished(ctx, kept, id, hook.finished); err != nil {
			return nil, err
		}
		b.progress.add(1)
	}
	return took, nil
}

// exitDelay is how long a process that has done its work may take to end.
const exitDelay = 50 * time.Millisecond

// waitFinished waits until the process that a hook left behind has done its work.
func waitFinished(ctx context.Context, kept *sessions.Store, id string, done func(sessions.Session) bool) error {
	if done == nil {
		return nil
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		s, err := kept.Load(id)
		if err != nil {
			return err
		}
		if done(s) {
			return pause(ctx, exitDelay)
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("the process that it left behind did not finish")
}
