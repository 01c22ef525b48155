package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// An answer over MCP does not wait until what it returned is marked: that is
// done in the first pause between recalls, for all of them together, or after a
// second without one. Other calls, and the end, wait for it.
const (
	markPause = 4 * time.Millisecond
	markWait  = time.Second
)

// mcpMarks are recalls that were answered and have yet to be marked.
type mcpMarks struct {
	log *slog.Logger

	writing sync.Mutex // held while some are being marked

	mu    sync.Mutex
	open  []*sessionMarks // in the order of their first recalls
	since time.Time       // of the oldest
	timer *time.Timer     // until they are marked; nil: nothing is open
}

// sessionMarks are those of one session.
type sessionMarks struct {
	session string
	brain   *brain.Brain
	found   []brain.Found
}

// hold keeps from marking while a recall is under way.
func (m *mcpMarks) hold() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer != nil {
		m.timer.Stop()
	}
}

// later marks what a recall returned, in a while.
func (m *mcpMarks) later(b *brain.Brain, session string, found brain.Found) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer == nil {
		m.since = time.Now()
		m.timer = time.AfterFunc(markPause, m.write)
	} else {
		m.timer.Reset(min(markPause, markWait-time.Since(m.since)))
	}
	for _, s := range m.open {
		if s.session == session {
			s.found = append(s.found, found)
			return
		}
	}
	m.open = append(m.open, &sessionMarks{session, b, []brain.Found{found}})
}

// write marks all that is open, and waits for what is being marked.
func (m *mcpMarks) write() {
	m.writing.Lock()
	defer m.writing.Unlock()
	for _, s := range m.take() {
		if err := s.brain.Mark(context.Background(), s.found...); err != nil { // they outlive their calls
			m.log.Error(err.Error())
		}
	}
}

func (m *mcpMarks) take() []*sessionMarks {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.timer != nil {
		m.timer.Stop()
	}
	all := m.open
	m.open, m.timer = nil, nil
	return all
}
