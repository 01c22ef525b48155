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

// progress shows work that takes longer than a second. It is safe for concurrent use.
type progress struct {
	out     io.Writer
	mu      sync.Mutex
	started time.Time
	drawn   time.Time // when it was shown last
	step    string    // the text shown last
	shown   bool
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

// tell shows the progress of a step; if total is 0 or less, only the count. Without a
// display it does nothing, nor does clear.
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
	if p.shown && p.step == step && now.Sub(p.drawn) < redrawAfter {
		return
	}
	fmt.Fprint(p.out, clearLine+shown(progressLine(step, done, total)))
	p.shown, p.drawn, p.step = true, now, step
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
	if p.shown {
		fmt.Fprint(p.out, clearLine)
	}
	p.shown = false
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
