package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// screen prints a line for each thing that happens while the daemon runs in a terminal.
type screen struct {
	*cli
	isOpen  atomic.Bool
	warning atomic.Value // string: the last one, which is not repeated
}

// screen returns the terminal of the daemon, nil if nobody watches it.
func (a *cli) screen() *screen {
	if !a.errTTY || a.quiet || a.json {
		return nil
	}
	a.startProgress()
	return &screen{cli: a}
}

// open begins to show warnings. Those of the start are printed by the command.
func (s *screen) open() {
	if s != nil {
		s.isOpen.Store(true)
	}
}

// line prints what happened, without the control characters of files and memories.
func (s *screen) line(kind, format string, args ...any) {
	s.say("%s  %-8s  %s", time.Now().Format(time.TimeOnly), kind, flat(fmt.Sprintf(format, args...), 300))
}

// NotesRead implements [app.Observer].
func (s *screen) NotesRead(r app.NotesResult) {
	const most = 3
	files := strings.Join(r.Read[:min(len(r.Read), most)], ", ")
	if more := len(r.Read) - most; more > 0 {
		files += fmt.Sprintf(" and %s", counted(more, "more note"))
	}
	var did []string
	for _, c := range []struct {
		n    int
		what string
	}{{r.New, "new"}, {r.Changed, "changed"}, {r.Gone, "gone"}} {
		if c.n > 0 {
			did = append(did, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(did) == 0 {
		did = []string{"no decision, lesson or task that is new; its text can be found"}
	}
	s.line("note", "%s: %s", files, strings.Join(did, ", "))
}

// Captured implements [app.Observer].
func (s *screen) Captured(ms []brain.Memory) {
	const most = 5
	if len(ms) > most {
		s.line("captured", "%s", counted(len(ms), "memory"))
		return
	}
	for _, m := range ms {
		text := m.Name
		switch {
		case strings.Contains(m.Content, m.Name): // a note repeats its title
			text = m.Content
		case m.Content != "":
			text += ": " + m.Content
		}
		s.line("captured", "%s: %s [%s]", m.MemoryType, flat(text, 100), brain.ShortID(m.ID))
	}
}

// Ran implements [app.Observer].
func (s *screen) Ran(r app.RunAnswer) {
	c := r.Report.Counts
	var did []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{c.Promoted, "promoted"},
		{c.Expired, "expired"},
		{c.Merged, "merged"},
		{c.PromotedToCore, "promoted to core"},
		{c.Forgotten, "forgotten"},
		{c.Related, "related"},
		{c.Flagged, "for you to decide"},
	} {
		if part.n > 0 {
			did = append(did, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	for _, act := range r.Actions {
		if act.Kind == brain.ActCurate {
			did = append(did, "wrote "+flat(act.Reason, 80))
		}
	}
	switch {
	case len(did) == 0 && r.Run.Actions == 0:
		did = []string{"done"}
	case len(did) == 0:
		did = []string{counted(r.Run.Actions, "action")}
	}
	s.line("run", "%s %s: %s", r.Run.Kind, brain.ShortID(r.Run.ID), strings.Join(did, ", "))
}

// Due implements [app.Observer].
func (s *screen) Due(reminder brain.Source) {
	s.line("due", "%s [%s]", flat(reminder.Text, 200), brain.ShortID(reminder.ID))
}

// Write implements [io.Writer]; a log calls WriteLevel.
func (s *screen) Write(event []byte) (int, error) { return len(event), nil }

// WriteLevel prints the warnings and errors of the log.
func (s *screen) WriteLevel(level zerolog.Level, event []byte) (int, error) {
	var e struct {
		Message, Error, Job, File, Problem string
		Line                               int
	}
	if !s.isOpen.Load() || level < zerolog.WarnLevel || json.Unmarshal(event, &e) != nil {
		return len(event), nil
	}
	place := e.File
	if e.File != "" && e.Line > 0 {
		place += fmt.Sprintf(":%d", e.Line)
	}
	var parts []string
	for _, part := range []string{e.Job, e.Message, place, e.Problem, e.Error} {
		if part != "" && part != "warning" { // the message of logNotices
			parts = append(parts, part)
		}
	}
	text := strings.Join(parts, ": ")
	if s.warning.Swap(text) != text {
		s.line("warning", "%s", text)
	}
	return len(event), nil
}

// daemonNotices logs what the daemon does.
type daemonNotices struct {
	logNotices
	*cli
}

// Progress shows on a terminal how many notes of a scan were read. Maintenance goes on in
// the background.
func (n daemonNotices) Progress(step string, done, total int) {
	if step == app.NotesStep && total > 0 { // otherwise nothing would end the display
		n.bar.tell(step, done, total)
	}
}
