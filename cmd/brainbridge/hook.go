package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/agents"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/hooks"
)

// How long a hook may take before the agent goes on without an answer. The start of a
// session may take longer than a prompt, and a detached process much longer.
const (
	startPatience    = 5 * time.Second
	hookPatience     = 2 * time.Second
	detachedPatience = 5 * time.Minute
)

func (a *cli) hookCommand() *cobra.Command {
	h := hooks.Hook{Hint: hintOf, Detach: a.detach}
	c := &cobra.Command{
		Use: "hook EVENT", Short: "Answer a hook of an agent, from the JSON on standard input",
		Long: "Answer a hook of an agent, from the JSON on standard input: SessionStart, UserPromptSubmit,\nPostToolUse, PreCompact, Stop or SessionEnd. It never holds the agent up: whatever fails is a\nline in hooks.log, and the exit code is 0. `install` sets hooks up.",
	}
	c.Flags().StringVar(&h.Agent, "agent", agents.ClaudeCode, "`AGENT` whose form the answer takes: claude-code, codex, gemini or openclaw")
	c.Flags().BoolVar(&h.Detached, "detached", false, "do here what the hook hands over")
	if err := c.Flags().MarkHidden("detached"); err != nil {
		panic(err) // it was defined above
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		a.logHook(flagError(c, err)) // the agent would take exit code 2 for a veto
		return nil
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		h.Event = strings.Join(args, " ")
		patience := hookPatience
		switch event, _ := hooks.ParseEvent(h.Event); {
		case h.Detached:
			patience = detachedPatience
		case event == hooks.SessionStart:
			patience = startPatience
		}
		a.runHook(c.Context(), h, patience)
		return nil
	}
	return c
}

// runHook prints the answer, and logs what fails.
func (a *cli) runHook(ctx context.Context, h hooks.Hook, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	h.EnvFile = a.env("CLAUDE_ENV_FILE")
	h.Use = func() (*app.UseCases, error) {
		core, err := a.app()
		if err != nil {
			return nil, err
		}
		return core.As(app.Caller{Notices: hookNotices{notices{cli: a}}}), nil
	}
	text, err := h.Run(ctx, a.in)
	_, failed := fmt.Fprint(unwatched(a.out), text)
	a.quiet = true // notices are for people
	if err = errors.Join(err, failed, a.close()); err != nil {
		a.logHook(err)
	}
}

// hookNotices logs warnings, and nothing else.
type hookNotices struct{ notices }

func (n hookNotices) Warn(err error) { n.logHook(err) }
func (n hookNotices) Info(string)    {}

// maxHandedOver is the least capacity of a pipe on any system: 64 KiB on Linux, at
// least 16 KiB on others.
const maxHandedOver = 16 << 10

// detach starts this program again in a session of its own, on the same brain, and
// does not wait for it. The input waits in a pipe.
func (a *cli) detach(input []byte, args ...string) error {
	if len(input) > maxHandedOver {
		return fmt.Errorf("hand over: %d bytes are too many", len(input))
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	u, err := a.use()
	if err != nil {
		return err
	}
	c := exec.Command(self, append(args, u.Flags()...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // it outlives the agent
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("hand over: %w", err)
	}
	defer r.Close() //nolint:errcheck // the other process has its own
	c.Stdin = r
	_, err = w.Write(input)
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("hand over: %w", err)
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", args[0], err)
	}
	return c.Process.Release()
}

// logHook writes an error to hooks.log, or to standard error if it cannot.
func (a *cli) logHook(err error) {
	line := hooks.LogLine(err)
	l, failed := a.settings()
	if failed == nil {
		failed = hooks.Log(l.Paths.State, line)
	}
	if failed != nil {
		fmt.Fprint(a.err, "brainbridge: "+line)
	}
}
