package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// redrawAfter is the minimum time between two redraws.
const redrawAfter = 100 * time.Millisecond

// progress shows the work of a command, from its second second on. A nil progress shows nothing. It is
// safe for concurrent use.
type progress struct {
	out     io.Writer
	mu      sync.Mutex
	started time.Time
	step    string    // that is shown
	drawn   time.Time // when it was shown last; zero if nothing is shown
}

// startProgress starts the progress display of a command at a terminal.
func (a *cli) startProgress() {
	if a.errTTY && !a.quiet && !a.json && a.bar == nil {
		a.bar = &progress{out: a.err, started: time.Now()}
		a.onClose(func() error {
			a.bar.clear()
			return nil
		})
	}
}

// tell shows the progress of a step; if total is 0 or less, only the count.
func (p *progress) tell(step string, done, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.started) < time.Second {
		return
	}
	if total > 0 && done >= total {
		p.wipe()
		return
	}
	if p.step == step && now.Sub(p.drawn) < redrawAfter {
		return
	}
	fmt.Fprint(p.out, clearLine+shown(progressLine(step, done, total)))
	p.drawn, p.step = now, step
}

// clear removes the progress line, so that other text can be written.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

func (p *progress) wipe() {
	if !p.drawn.IsZero() {
		fmt.Fprint(p.out, clearLine)
	}
	p.drawn = time.Time{}
}

// clearLine moves to the start of the line of the terminal and clears it.
const clearLine = "\r\x1b[K"

func progressLine(step string, done, total int) string {
	switch {
	case total <= 0 && done == 0:
		return step + " …"
	case total <= 0:
		return fmt.Sprintf("%s … %d found", step, done)
	}
	const width = 30
	full := min(done, total) * width / total
	return fmt.Sprintf("%s [%s%s] %d/%d", step, strings.Repeat("█", full), strings.Repeat("·", width-full), done, total)
}
