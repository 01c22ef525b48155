package main

import (
	"sync"
	"time"
)

// mcpIdle is how long an MCP server has nothing to do before it gives back
// memory. Of those on a machine nearly all wait for their agents.
const mcpIdle = 2 * time.Second

// idle calls a function each time that nothing was done for a while. A nil one
// never does.
type idle struct {
	after time.Duration
	rest  func()

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

func newIdle(after time.Duration, rest func()) *idle { return &idle{after: after, rest: rest} }

// busy says that something is being done.
func (i *idle) busy() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.ended:
	case i.timer == nil:
		i.timer = time.AfterFunc(i.after, i.rests)
	default:
		i.timer.Reset(i.after)
	}
}

func (i *idle) rests() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.ended {
		i.rest()
	}
}

// stop waits for a rest that is under way, and lets no other follow.
func (i *idle) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	if i.timer != nil {
		i.timer.Stop()
	}
}
