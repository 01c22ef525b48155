package main

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// quietFor is how long work may take before its progress is shown.
const quietFor = time.Second

// progressBar is how wide a full bar is.
const progressBar = 30

// progress tells a person how far a step has come, once the work has taken
// over a second; nil where nobody looks.
func (a *app) progress() func(step string, done, total int) {
	if !a.errTTY || a.quiet || a.json {
		return nil
	}
	var mu sync.Mutex
	started := time.Now()
	return func(step string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(started) < quietFor {
			return
		}
		fmt.Fprintf(a.err, "\r\x1b[K%s", progressLine(step, done, total))
		if done >= total {
			fmt.Fprint(a.err, "\r\x1b[K")
		}
	}
}

func progressLine(step string, done, total int) string {
	if total <= 0 {
		return fmt.Sprintf("%s %d", step, done)
	}
	full := min(done, total) * progressBar / total
	return fmt.Sprintf("%s [%s%s] %d/%d", step, strings.Repeat("█", full), strings.Repeat("·", progressBar-full), done, total)
}
