package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/app"
)

// linesOf returns what a screen shows, without the times.
func linesOf(show func(s *screen)) string {
	var out bytes.Buffer
	s := (&cli{err: &out, errTTY: true}).screen()
	show(s)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, line[len("15:04:05  "):])
	}
	return strings.Join(lines, "")
}

func TestScreenShowsWarningsOfTheLog(t *testing.T) {
	got := linesOf(func(s *screen) {
		log := zerolog.New(zerolog.MultiLevelWriter(&bytes.Buffer{}, s)).Level(zerolog.InfoLevel)
		log.Warn().Msg("before the start, printed by the command")
		s.open()
		log.Info().Msg("settled")
		for range 2 { // each half minute
			log.Warn().Err(errors.New("store\x1b[2J away")).Str("job", "spool").Msg("job failed, will be retried")
		}
		log.Warn().Str("file", "a.md").Int("line", 3).Str("problem", "no time").Msg("note")
		logNotices{log}.Warn(errors.New("kept"))
	})
	want := "warning   spool: job failed, will be retried: store [2J away\n" +
		"warning   note: a.md:3: no time\n" +
		"warning   kept\n"
	if got != want {
		t.Errorf("it shows\n%swant\n%s", got, want)
	}
}

func TestScreenLines(t *testing.T) {
	many := []brain.Memory{{ID: "0123456789", MemoryType: "fact", Name: "a", Content: "a"}}
	for len(many) < 6 {
		many = append(many, many[0])
	}
	got := linesOf(func(s *screen) {
		s.NotesRead(app.NotesResult{Read: []string{"a\x07.md", "b.md", "c.md", "d.md"}, New: 2, Gone: 1})
		s.NotesRead(app.NotesResult{Read: []string{"a.md"}})
		s.Captured(many[:1])
		s.Captured(many)
		counts := app.RunAnswer{Run: app.RunLine{ID: "0123456789", Kind: "consolidate", Actions: 4}}
		counts.Report = &consolidate.RunReport{Counts: consolidate.Counts{Expired: 3, Merged: 1}}
		s.Ran(counts)
		counts.Report = &consolidate.RunReport{}
		s.Ran(counts)
	})
	want := "note      a .md, b.md, c.md and 1 more note: 2 new, 1 gone\n" +
		"note      a.md: no decision, lesson or task that is new; its text can be found\n" +
		"captured  fact: a [01234567]\n" +
		"captured  6 memories\n" +
		"run       consolidate 01234567: 3 expired, 1 merged\n" +
		"run       consolidate 01234567: 4 actions\n"
	if got != want {
		t.Errorf("it shows\n%swant\n%s", got, want)
	}
}

// Nobody watches a daemon that is quiet, prints JSON or writes to a journal.
func TestNoScreen(t *testing.T) {
	for name, a := range map[string]*cli{"journal": {}, "-q": {errTTY: true, quiet: true}, "--json": {errTTY: true, json: true}} {
		if a.screen() != nil {
			t.Errorf("%s: there is one", name)
		}
	}
}
