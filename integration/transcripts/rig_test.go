package transcripts_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/integration/transcripts"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a notes directory, a home with sessions, and a brain.
type rig struct {
	*testing.T
	home, dir string
	zone      *time.Location
	now       time.Time
	store     *breaking
	brain     *services.Services
	notes     *noteSide
	o         transcripts.Options
	// another opens an empty brain of the same kind of store.
	another func(t *testing.T) brain.Store
}

// onBoth runs a test on each store.
func onBoth(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, newRig(t)) })
	t.Run("neo4j", func(t *testing.T) {
		uri := neo4jtest.Server(t)
		test(t, rigOn(t, func(t *testing.T) brain.Store {
			s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: "transcripts-" + brain.NewID()})
			return opened(t, s, err)
		}))
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return rigOn(t, func(t *testing.T) brain.Store {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "mine")
		return opened(t, s, err)
	})
}

func opened(t *testing.T, s brain.Store, err error) brain.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func rigOn(t *testing.T, open func(t *testing.T) brain.Store) *rig {
	t.Helper()
	s := open(t)
	r := &rig{T: t, another: open, home: t.TempDir(), dir: filepath.Join(t.TempDir(), "memory"), zone: time.UTC}
	r.now = time.Date(2026, 2, 8, 9, 0, 0, 0, time.UTC)
	r.store = &breaking{Store: s, left: -1}
	r.brain = services.New(r.store, services.Options{Now: func() time.Time { return r.now }})
	r.o = transcripts.Options{
		Sources: []string{r.home + "/.claude/projects/**/*.jsonl", r.home + "/.openclaw/agents/*/sessions/*.jsonl", r.home + "/.codex/sessions/**/*.jsonl"},
		Dir:     r.dir, Lock: filepath.Join(t.TempDir(), "state", "transcripts.lock"), Host: "here", ChunkTokens: 4000,
		Project: func(string, string) string { return "" },
	}
	return r
}

func (r *rig) door() *transcripts.Extractor {
	door := notes.New(r.brain, notes.Options{
		Dir: r.dir, Location: r.zone, Brain: "mine", Host: "here", MaxFile: 8 << 20, Include: []string{"**/*.md"}, Warn: func(string) {},
	})
	r.notes = &noteSide{Directory: door, before: r.store.step}
	r.o.Notes, r.o.Location = r.notes, r.zone
	return transcripts.New(r.brain, r.o)
}

func (r *rig) extract(day string) transcripts.Report {
	r.Helper()
	rep, err := r.door().Extract(r.Context(), transcripts.Request{Day: day})
	if err != nil {
		r.Fatal(err)
	}
	return rep
}

// one extracts a single day and returns its report.
func (r *rig) one(day string) transcripts.Day {
	r.Helper()
	rep := r.extract(day)
	if len(rep.Days) != 1 || rep.Days[0].Date != day {
		r.Fatalf("asked for %s, got %+v", day, rep.Days)
	}
	d := rep.Days[0]
	d.Problems = rep.Problems
	items := 0
	for _, n := range d.Types {
		items += n
	}
	if yielding := d.Chunks - d.Nothings - d.Failures - d.Unasked; yielding < 0 || items != d.Items || (d.Items > 0) != (yielding > 0) {
		r.Errorf("%s does not add up: %+v", day, d)
	}
	return d
}

func (r *rig) text(rel string) string {
	r.Helper()
	raw, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(rel)))
	if err != nil {
		r.Fatal(err)
	}
	return string(raw)
}

// session writes lines of a session of Claude Code.
func (r *rig) session(name string, lines ...string) string {
	r.Helper()
	path := filepath.Join(r.home, ".claude", "projects", "p", name+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		r.Fatal(err)
	}
	return path
}

func (r *rig) add(path string, lines ...string) {
	r.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// say is a line of a session.
func say(session, at, role, text string) string {
	id := sha256.Sum256([]byte(session + at + role + text))
	if role == "user" {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":%q,"timestamp":%q,"message":{"role":"user","content":%q}}`,
			hex.EncodeToString(id[:16]), session, at, text)
	}
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"sessionId":%q,"timestamp":%q,"message":{"id":%q,"role":"assistant","content":[{"type":"text","text":%q}]}}`,
		hex.EncodeToString(id[:16]), session, at, "msg_"+hex.EncodeToString(id[16:]), text)
}

// snapshot is every file of the notes directory.
func (r *rig) snapshot() map[string]string {
	r.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[path] = string(raw)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Fatal(err)
	}
	return all
}

// quotes are the quotes in the notes of these days, without their marks.
func (r *rig) quotes(days ...string) string {
	r.Helper()
	var all strings.Builder
	for _, day := range days {
		for line := range strings.Lines(r.text(day + ".md")) {
			if q, ok := strings.CutPrefix(line, "> "); ok {
				all.WriteString(strings.TrimRight(q, "\n") + "\n")
			}
		}
	}
	return all.String()
}

func messages(all []transcripts.Problem) string {
	var lines []string
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", filepath.Base(p.File), p.Line, p.Message))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// breaking is a store that a process dies at: after a number of steps,
// nothing works any more.
type breaking struct {
	brain.Store
	left    int64 // steps that still work; below zero: all
	updates atomic.Int64
}

var errDied = errors.New("the process died")

// step counts one, and fails when none is left.
func (s *breaking) step() error {
	if s.left < 0 {
		return nil
	}
	if s.left == 0 {
		return errDied
	}
	s.left--
	return nil
}

// Update counts as a step before it, and as one after it: its outcome may not
// be seen any more.
func (s *breaking) Update(ctx context.Context, fn func(brain.Tx) error) error {
	s.updates.Add(1)
	if err := s.step(); err != nil {
		return err
	}
	if err := s.Store.Update(ctx, fn); err != nil {
		return err
	}
	return s.step()
}

// noteSide is the notes directory, where each write is a step.
type noteSide struct {
	*notes.Directory
	before func() error
}

func (n *noteSide) AppendAll(ctx context.Context, day string, all []dailynote.Captured) (string, int, error) {
	if err := n.before(); err != nil {
		return "", 0, err
	}
	return n.Directory.AppendAll(ctx, day, all)
}

func (n *noteSide) Take(ctx context.Context, paths []string) error {
	if err := n.before(); err != nil {
		return err
	}
	return n.Directory.Take(ctx, paths)
}
