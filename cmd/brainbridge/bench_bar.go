package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// benchBar shows how far a measurement has come, on a terminal only.
type benchBar struct {
	out io.Writer // nil: nothing is shown
	bar *progressbar.ProgressBar
}

func (a *app) benchBar() *benchBar {
	if !a.errTTY || a.quiet {
		return &benchBar{}
	}
	return &benchBar{out: a.err}
}

// start begins a part of the work with a known total.
func (p *benchBar) start(what string, total int) {
	p.clear()
	if p.out == nil {
		return
	}
	p.bar = progressbar.NewOptions(total,
		progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetRenderBlankState(true))
}

// add counts n more as done. What a terminal cannot show is no error.
func (p *benchBar) add(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n)
	}
}

// set says how many are done.
func (p *benchBar) set(done, total int) {
	if p.bar != nil && done < total {
		_ = p.bar.Set(done)
	}
}

func (p *benchBar) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
