package year

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// Whatever is captured, used, merged, promoted, forgotten and undone, in any
// order and by runs with all their steps: every text that was captured is in a
// memory, or in the archive of what a person forgot.
func TestRunsLoseNothing(t *testing.T) {
	done := map[brain.ActionKind]int{}
	kinds := []brain.ActionKind{brain.ActPromote, brain.ActExpire, brain.ActMerge, review.ActCore, brain.ActForget}
	for range 3 { // a hundred random sequences may lack a kind
		rapid.Check(t, func(rt *rapid.T) { through(t, rt, embedded(t), 25, done) })
		if !slices.ContainsFunc(kinds, func(kind brain.ActionKind) bool { return done[kind] == 0 }) || testing.Short() {
			break
		}
	}
	total := 0
	for _, n := range done {
		total += n
	}
	testlab.Report(t, "SQLite", "%d promotions, expirations, merges and other actions in random sequences, nothing lost", total)
	if testing.Short() {
		return // too few sequences for every kind of action to occur
	}
	for _, kind := range kinds {
		if done[kind] == 0 {
			t.Errorf("no run did any %s, so that nothing is known of it", kind)
		}
	}
}

// The same on the other store.
func TestRunsLoseNothingOnNeo4j(t *testing.T) {
	uri := neo4jtest.Server(t)
	storetest.Some(t, storetest.LivedServed, func(rt *rapid.T) {
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: "law-" + brain.NewID()})
		if err != nil {
			t.Fatal(err)
		}
		through(t, rt, s, 12, map[brain.ActionKind]int{})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// through lives through one sequence of at most so many steps.
func through(t *testing.T, rt *rapid.T, s brain.Store, most int, done map[brain.ActionKind]int) {
	t.Helper()
	l := &law{T: rt, t: t, dir: t.TempDir(), store: s, now: start().Add(-time.Hour), done: done}
	for key, n := range map[string]float64{"core.uses": 1, "core.ageDays": 1, "forget.afterDays": 20} {
		l.must("set "+key, l.brain().Base.SetNumber(t.Context(), key, n))
	}
	l.now = start()
	l.capture()
	steps := []func(){l.capture, l.capture, l.use, l.wait, l.run, l.run, l.undo, l.correct, l.forget, l.unforget, l.join}
	for range rapid.IntRange(1, most).Draw(rt, "steps") {
		rapid.SampledFrom(steps).Draw(rt, "step")()
		l.whole()
	}
}

// law does things to a brain at random, and remembers what was captured.
type law struct {
	*rapid.T
	t      *testing.T
	dir    string
	store  brain.Store
	now    time.Time
	ids    []string // as captured
	texts  []string // as captured
	forgot []string
	gone   bool // something was forgotten, so that an id may lead nowhere
	done   map[brain.ActionKind]int
}

func (l *law) brain() *services.Services {
	return services.New(l.store, services.Options{
		Now: func() time.Time { return l.now }, Archive: backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {}),
	})
}

// runner makes runs with all their steps but those that need a file or a model.
func (l *law) runner() *consolidate.Runner {
	b := l.brain()
	return consolidate.New(b.Base, b.Journal, consolidate.Options{
		LogFile: filepath.Join(l.dir, "consolidation.log"), Archive: backups.NewArchive(filepath.Join(l.dir, "archive"), func(string) {}),
		Warn: func(err error) { l.Errorf("warned: %v", err) },
		Steps: []consolidate.Step{
			consolidate.NewDuplicates(b.Base, b.Recall, b.Review, consolidate.DuplicateOptions{}), consolidate.NewCore(b.Review, testlab.NoCoreFile{}),
			consolidate.NewForget(b.Journal, false), consolidate.NewRelations(b.Base),
		},
	})
}

func (l *law) must(what string, err error) {
	if err != nil {
		l.Fatalf("%s: %v", what, err)
	}
}

// found is must, but that an id may lead nowhere once something was forgotten.
func (l *law) found(what string, err error) {
	if !l.gone || !errors.Is(err, brain.ErrNotFound) {
		l.must(what, err)
	}
}

// some is a memory by its number: ids are others each time.
func (l *law) some() string { return l.ids[rapid.IntRange(0, len(l.ids)-1).Draw(l.T, "memory")] }

// capture writes down something new, or in another form what was written
// before, or says something else of the same subject.
func (l *law) capture() {
	subject := rapid.SampledFrom([]string{"importer", "scheduler", "parser"}).Draw(l.T, "subject")
	value := rapid.SampledFrom([]string{"Turku", "Oulu"}).Draw(l.T, "value")
	text := fmt.Sprintf("The %s of the billing service takes its configuration from %s and from nowhere else", subject, value)
	form := rapid.SampledFrom([]string{"%s", "%s.", "%s!", "  %s", "%s, as agreed."}).Draw(l.T, "form")
	text = strings.TrimSpace(fmt.Sprintf(form, text))
	b := l.brain()
	c, err := b.Capture.NewMemory(brain.Memory{Name: subject, Content: text, MemoryType: "fact"}, brain.Details{Project: "billing"})
	l.must("make a memory", err)
	stored, err := b.Capture.Capture(l.t.Context(), c)
	l.must("capture", err)
	l.ids, l.texts = append(l.ids, stored.MemoryID), append(l.texts, text)
}

func (l *law) wait() {
	hours := rapid.SampledFrom([]int{1, 30, 300, 1500}).Draw(l.T, "hours")
	l.now = l.now.Add(time.Duration(hours) * time.Hour)
}

// use says that a memory helped, which may earn it core memory.
func (l *law) use() {
	l.now = l.now.Add(2 * time.Hour) // another session
	_, err := l.brain().Capture.Used(l.t.Context(), l.some(), brain.Helpful, "")
	l.found("use", err)
}

// run is a run that a person starts and, perhaps, lets forget.
func (l *law) run() {
	req := consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true, Forget: rapid.Bool().Draw(l.T, "forget")}
	rep, err := l.runner().Run(l.t.Context(), req)
	l.must("run", err)
	l.gone = l.gone || rep.Forgotten > 0
	for _, a := range rep.Actions {
		if !a.OnRequest {
			l.done[brain.ActionKind(a.Kind)]++
		}
	}
}

// undo takes the last run back, or an older one.
func (l *law) undo() {
	runs, err := l.brain().Journal.Runs(l.t.Context(), 10)
	l.must("list the runs", err)
	runs = slices.DeleteFunc(runs, func(r brain.Run) bool { return r.Actions == 0 || !r.Undone.IsZero() })
	if len(runs) == 0 {
		return
	}
	n := rapid.SampledFrom([]int{0, 0, 0, len(runs) - 1}).Draw(l.T, "run")
	_, err = l.runner().Undo(l.t.Context(), runs[n].ID)
	l.must("undo", err)
}

// correct replaces a text. The new one is not captured: an undo takes it back.
func (l *law) correct() {
	text := fmt.Sprintf("Correction %d: it is agreed with the people who run it", len(l.texts))
	_, _, err := l.brain().Capture.Correct(l.t.Context(), l.some(), "", text)
	l.found("correct", err)
}

func (l *law) forget() {
	m, _, err := l.brain().Journal.Forget(l.t.Context(), l.some(), "asked for")
	if l.found("forget", err); err == nil {
		l.gone, l.forgot = true, append(l.forgot, m.ID)
	}
}

// unforget brings back what was forgotten by hand; an undo may have done so
// before.
func (l *law) unforget() {
	if len(l.forgot) == 0 {
		return
	}
	_, _, err := l.brain().Journal.Unforget(l.t.Context(), l.forgot[0])
	if l.forgot = l.forgot[1:]; !isHere(err) {
		l.must("unforget", err)
	}
}

func isHere(err error) bool {
	return errors.Is(err, brain.ErrInvalid) && strings.Contains(err.Error(), "is not forgotten")
}

// join relates two memories, which may have become one.
func (l *law) join() {
	_, _, err := l.brain().Capture.Relate(l.t.Context(), l.some(), "related_to", l.some())
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "itself") {
		l.found("relate", err)
	}
}

// said returns the same for texts that say the same in the same words: the second is known.
func said(text string) string { return (&brain.Memory{Content: text}).TextKey() }

// whole checks that every text is somewhere.
func (l *law) whole() {
	held := l.archived()
	for w, err := range l.brain().Recall.AllMemories(l.t.Context()) {
		l.must("read all", err)
		held[said(w.Memory.Content)] = true
	}
	for _, text := range l.texts {
		if !held[said(text)] {
			l.Fatalf("lost: %q", text)
		}
	}
}

// archived are the texts in the files of what was forgotten.
func (l *law) archived() map[string]bool {
	files, err := filepath.Glob(filepath.Join(l.dir, "archive", "*-forgotten.json"))
	l.must("find the archive", err)
	held := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		l.must("read the archive", err)
		var all []brain.Forgotten
		l.must("decode the archive", json.Unmarshal(data, &all))
		for _, f := range all {
			held[said(f.Memory.Content)] = true
		}
	}
	return held
}
