package services_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/tiers"
)

// lab is a brain on the embedded store with a clock of its own.
type lab struct {
	*services.Services
	t   testing.TB
	now time.Time
	run *consolidate.Runner
	dir string
}

func newLab(t testing.TB) *lab {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "brain.db"), "lab")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	l := &lab{t: t, dir: dir, now: time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC)}
	l.serve(s, "")
	return l
}

// newTestLab returns a lab with a brain of test memories.
func newTestLab(t testing.TB) *lab {
	t.Helper()
	l := newLab(t)
	l.serve(l.Base.Store, brain.TestPrefix)
	return l
}

func (l *lab) serve(s brain.Store, idPrefix string) {
	l.Services = services.New(s, services.Options{
		Now: func() time.Time { return l.now }, Archive: backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {}), IDPrefix: idPrefix,
	})
	l.run = consolidate.New(l.Base, l.Journal, consolidate.Options{LogFile: filepath.Join(l.dir, "state", "consolidation.log")})
}

func (l *lab) ctx() context.Context { return l.t.Context() }

func (l *lab) later(d time.Duration) { l.now = l.now.Add(d) }

// must fails the test on an error.
func must[T any](l *lab) func(T, error) T {
	return func(v T, err error) T {
		l.t.Helper()
		if err != nil {
			l.t.Fatal(err)
		}
		return v
	}
}

// ran is must for a change that is a run.
func ran[T any](l *lab) func(T, brain.Run, error) T {
	return func(v T, _ brain.Run, err error) T {
		l.t.Helper()
		return must[T](l)(v, err)
	}
}

func (l *lab) learn(concept, text string) string {
	l.t.Helper()
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Learning, Concept: concept, Learned: text}, brain.Details{}))
	return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
}

func (l *lab) crystallize(trigger, insight string) string {
	l.t.Helper()
	c := must[brain.Capture](l)(l.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: trigger, Insight: insight}, brain.Details{}))
	return must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).MemoryID
}

func (l *lab) show(id string) recall.Shown {
	l.t.Helper()
	return must[recall.Shown](l)(l.Recall.Show(l.ctx(), id, false))
}

func (l *lab) tier(id string) tiers.Tier { l.t.Helper(); return *l.show(id).Memory.Tier }

func (l *lab) energy(id string) float64 { l.t.Helper(); return *l.show(id).Memory.Energy }

func (l *lab) consolidate() consolidate.Report {
	l.t.Helper()
	return must[consolidate.Report](l)(l.run.Run(l.ctx(), consolidate.Request{Kind: brain.RunConsolidate}))
}

func (l *lab) recall(q recall.Query) []string {
	l.t.Helper()
	var ids []string
	for _, r := range must[recall.Recollection](l)(l.Recall.Recall(l.ctx(), q)).Results {
		ids = append(ids, r.Memory.ID)
	}
	return ids
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(b)) }

// node is a memory as stored, under this very id.
func (l *lab) node(id string) brain.Memory {
	l.t.Helper()
	var ms []brain.Memory
	err := l.Base.Store.View(l.ctx(), func(r brain.Reader) (err error) {
		ms, err = r.Memories(id)
		return err
	})
	if err != nil || len(ms) != 1 {
		l.t.Fatalf("memory %s: %v, %v", id, ms, err)
	}
	return ms[0]
}

// tallied is how often something was counted.
func (l *lab) tallied(t lifecycle.Tally) int {
	l.t.Helper()
	n := 0
	err := l.Base.Store.View(l.ctx(), func(r brain.Reader) error {
		recs, err := r.Records(brain.TallyRecord, string(t))
		for _, rec := range recs {
			var body struct{ Count int }
			err = errors.Join(err, json.Unmarshal(rec.Body, &body))
			n += body.Count
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}
