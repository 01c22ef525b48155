package memorymd_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/memorymd"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// desk is a person's folder with notes, MEMORY.md and a brain.
type desk struct {
	testing.TB
	dir   string
	store *store
	brain *services.Services
	door  *notes.Directory
	s     memorymd.Settings
	now   time.Time
}

// store fails after a write that mends nothing: the process ended there.
type store struct {
	brain.Store
	ends  bool
	after func() // runs once, after a write
}

var errEnded = errors.New("the process ended here")

func (s *store) Update(ctx context.Context, fn func(brain.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if after := s.after; after != nil {
		s.after = nil
		after()
	}
	if s.ends && err == nil {
		return errEnded
	}
	return err
}

// onBoth runs a test on both stores.
func onBoth(t *testing.T, test func(*testing.T, *desk)) {
	t.Run("sqlite", func(t *testing.T) {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "default")
		if err != nil {
			t.Fatal(err)
		}
		test(t, newDesk(t, s))
	})
	t.Run("neo4j", func(t *testing.T) {
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: neo4jtest.Server(t), Brain: "memorymd-" + brain.NewID()})
		if err != nil {
			t.Fatal(err)
		}
		test(t, newDesk(t, s))
	})
}

func newDesk(t *testing.T, opened brain.Store) *desk {
	t.Helper()
	t.Cleanup(func() { _ = opened.Close() })
	d := &desk{TB: t, dir: t.TempDir(), store: &store{Store: opened}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.brain = services.New(d.store, services.Options{Now: func() time.Time { return d.now }, Session: "s"})
	memory := filepath.Join(d.dir, "memory")
	if err := os.Mkdir(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	d.door = notes.New(d.brain, notes.Options{
		Dir: memory, Location: time.UTC, Brain: opened.Info().Brain, Host: "here", MaxFile: 8 << 20, Include: []string{"**/*.md"}, Warn: func(string) {},
	})
	d.s = memorymd.Settings{
		Brain: d.brain, Host: "here", NotesDir: memory, Location: time.UTC, Own: d.door.Claim,
		File: memorymd.File{Path: filepath.Join(d.dir, "MEMORY.md"), Lock: filepath.Join(d.dir, "memory.lock")},
		Warn: func(s string) { t.Log("warned:", s) }, Options: memorymd.Options{Form: memorymd.Curated, Chars: 15_000, Lines: 200},
	}
	return d
}

func (d *desk) ok(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// day writes a note with outcomes and takes it in.
func (d *desk) day(date string, n int) {
	d.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "## [%02d:%02d] decision: Outcome %d of %s\n\nBody %d.\n\n", i/60, i%60, i, date, i)
	}
	d.ok(os.WriteFile(filepath.Join(d.s.NotesDir, date+".md"), []byte(b.String()), 0o600))
	_, err := d.door.Sync(d.Context(), nil)
	d.ok(err)
}

func (d *desk) write(text string) { d.ok(os.WriteFile(d.s.File.Path, []byte(text), 0o600)) }

func (d *desk) text() string {
	d.Helper()
	text, err := os.ReadFile(d.s.File.Path)
	d.ok(err)
	return string(text)
}

// curate is a whole run with the file as its step.
func (d *desk) curate(change ...func(*memorymd.Settings)) (memorymd.Result, bool, error) {
	s := d.s
	for _, c := range change {
		c(&s)
	}
	c := memorymd.New(s)
	_, err := d.runner(c).Run(d.Context(), consolidate.Request{Kind: brain.RunCurate})
	res, wrote := c.Last()
	return res, wrote, err
}

func (d *desk) runner(c *memorymd.Curator) *consolidate.Runner {
	return consolidate.New(d.brain.Base, d.brain.Journal, consolidate.Options{Holder: brain.Holder{Host: "here", PID: os.Getpid()}, Steps: []consolidate.Step{c}})
}

func TestFourHundredOutcomesFitAndTheRestIsPointedTo(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		above, below := "# Mine\r\n\tTabbed.\r\n\r\n", "\r\nno new line at the end"
		d.write(above + markdown.BlockBegin + "\r\n" + markdown.BlockEnd + below)
		for day := 1; day <= 20; day++ {
			d.day(fmt.Sprintf("2026-02-%02d", day), 20)
		}
		res, wrote, err := d.curate()
		d.ok(err)
		text := d.text()
		if n := utf8.RuneCountInString(text); !wrote || n > 15_000 || n != res.Chars {
			t.Errorf("%d characters, said %d, written %v", n, res.Chars, wrote)
		}
		if n := strings.Count(text, "\n") + 1; n > 200 || n != res.Lines {
			t.Errorf("%d lines, said %d", n, res.Lines)
		}
		if res.Entries+res.PointedTo != 400 || res.Entries < 100 {
			t.Errorf("%d entries and %d more", res.Entries, res.PointedTo)
		}
		if !strings.Contains(text, fmt.Sprintf("Not shown: %d more.", res.PointedTo)) {
			t.Error("the file does not count what did not fit")
		}
		if !strings.HasPrefix(text, above) || !strings.HasSuffix(text, below) {
			t.Errorf("own text changed:\n%q", text)
		}
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Error("the line ends are mixed")
		}
		if _, wrote, err := d.curate(); wrote || err != nil || d.text() != text {
			t.Errorf("a second run: written %v, %v", wrote, err)
		}
		d.recallsUnshown(text)
	})
}

// recallsUnshown finds an outcome that did not fit by its words.
func (d *desk) recallsUnshown(text string) {
	d.Helper()
	for i := range 20 {
		title := fmt.Sprintf("Outcome %d of 2026-02-10", i)
		if strings.Contains(text, title+" (") {
			continue
		}
		got, err := d.brain.Recall.Recall(d.Context(), recall.Query{Words: words.Parse(`"` + title + `"`), NoTouch: true, Limit: 5})
		d.ok(err)
		if len(got.Results) == 0 || got.Results[0].Memory.Name != title {
			d.Errorf("%s is neither shown nor recalled", title)
		}
	}
}

func TestCrashBetweenStoreAndFileMovesNothingBelow(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.write("mine\n")
		d.day("2026-02-01", 3)
		_, _, err := d.curate()
		d.ok(err)
		first := d.text()
		d.day("2026-02-02", 2)
		c := memorymd.New(d.s)
		d.store.ends = true
		if _, _, err := c.Apply(t.Context(), consolidate.Scope{}, brain.Run{ID: brain.NewID(), Kind: brain.RunCurate, Started: d.now}); !errors.Is(err, errEnded) {
			t.Fatalf("%v", err)
		}
		d.store.ends = false
		if d.text() != first {
			t.Fatal("the file was written")
		}
		res, wrote, err := d.curate()
		d.ok(err)
		if !wrote || len(res.Moved) > 0 || len(res.Barred) > 0 || len(res.Corrections) > 0 || res.Entries != 5 {
			t.Errorf("after the crash: %+v", res)
		}
		if !strings.HasPrefix(d.text(), "mine\n") {
			t.Error("own text changed")
		}
	})
}

func TestSaveDuringTheWriteIsInTheState(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.write(strings.Repeat("My own text.\n", 1_000))
		d.day("2026-02-01", 40)
		c := memorymd.New(d.s)
		d.store.after = func() { d.write("short\n") } // there is space for all entries now
		scope, run := consolidate.Scope{}, brain.Run{ID: brain.NewID(), Kind: brain.RunCurate, Started: d.now}
		out, _, err := c.Apply(t.Context(), scope, run)
		d.ok(err)
		if res, _ := c.Last(); res.Entries != 40 || len(out.Actions) != 1 {
			t.Fatalf("%d entries, %d actions", res.Entries, len(out.Actions))
		}
		if res, wrote, err := d.curate(); wrote || err != nil {
			t.Errorf("written again, %v; moved below the block: %q", err, res.Moved)
		}
		reason, err := c.Undo(t.Context(), out.Actions[0])
		d.ok(err)
		if d.text() != "short\n" {
			t.Errorf("undone: %s %q", reason, d.text())
		}
	})
}

func TestAWriteThatIsGivenUpLeavesTheJournalAsItWas(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.day("2026-02-01", 3)
		first := brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: d.now}
		_, later, err := d.brain.Base.Act(t.Context(), first, d.now, func(brain.Tx) ([]brain.Action, error) {
			return []brain.Action{{Kind: brain.ActKeep, IDs: []string{"m"}, Reason: "of an earlier step", At: d.now}}, nil
		})
		d.ok(err)
		want := d.runs()
		for _, run := range []brain.Run{{ID: brain.NewID(), Kind: brain.RunCurate, Started: d.now}, later} {
			saves := 0
			d.store.after = func() { d.saveAgain(&saves) }
			_, _, err := memorymd.New(d.s).Apply(t.Context(), consolidate.Scope{}, run)
			d.store.after = nil
			if !errors.Is(err, brain.ErrBusy) || saves < 5 {
				t.Fatalf("after %d saves: %v", saves, err)
			}
			if got := d.runs(); got != want {
				t.Errorf("runs %s, want %s", got, want)
			}
		}
	})
}

// saveAgain saves another text, now and after the next write to the store.
func (d *desk) saveAgain(saves *int) {
	*saves++
	d.write(fmt.Sprintf("save %d\n", *saves))
	d.store.after = func() { d.saveAgain(saves) }
}

// runs returns the runs in the journal with the numbers of their actions.
func (d *desk) runs() string {
	d.Helper()
	runs, err := d.brain.Journal.Runs(d.Context(), 9)
	d.ok(err)
	return fmt.Sprint(brain.Map(runs, func(r brain.Run) string { return fmt.Sprint(r.ID, " ", r.Actions) }))
}

// A file that was checked out, restored or copied has the block of another run. What differs
// there is not an edit.
func TestTheBlockOfAnotherRunIsReplaced(t *testing.T) {
	for _, form := range []memorymd.Form{memorymd.Curated, memorymd.Full} {
		t.Run(string(form), func(t *testing.T) {
			onBoth(t, func(t *testing.T, d *desk) {
				d.s.Form = form
				d.write("mine\n")
				d.day("2026-02-01", 2)
				_, _, err := d.curate()
				d.ok(err)
				run, err := d.brain.Journal.LastRun(t.Context())
				d.ok(err)
				first := d.text()
				if !strings.Contains(first, "\n<!-- brainbridge:begin "+brain.ShortID(run.ID)+" -->\n") {
					t.Fatalf("the marker does not name run %s:\n%s", run.ID, first)
				}
				d.day("2026-02-02", 3)
				d.now = d.now.AddDate(0, 0, 1)
				_, _, err = d.curate()
				d.ok(err)
				second := d.text()

				d.write(strings.Replace(first, "Outcome 0 of 2026-02-01", "Something else", 1) + "typed below\n")
				res, wrote, err := d.curate()
				d.ok(err)
				if !wrote || len(res.Barred)+len(res.Corrections)+len(res.Moved) > 0 {
					t.Errorf("barred %v, corrected %v, moved %q", res.Barred, res.Corrections, res.Moved)
				}
				if got, want := withoutRun(d.text()), withoutRun(second)+"typed below\n"; got != want {
					t.Error(cmp.Diff(want, got))
				}
				if _, wrote, err = d.curate(); wrote || err != nil {
					t.Errorf("written again: %v, %v", wrote, err)
				}
			})
		})
	}
}

func withoutRun(text string) string {
	return regexp.MustCompile("brainbridge:begin [0-9a-f]{8} ").ReplaceAllString(text, "brainbridge:begin ")
}

// Blocks that were written before markers named their run are the last ones where the state
// names none either.
func TestABlockThatNamesNoRunIsRead(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.day("2026-02-01", 3)
		_, _, err := d.curate()
		d.ok(err)
		d.ok(d.store.Update(t.Context(), func(tx brain.Tx) error {
			recs, err := tx.ListRecords(brain.MemoryFileRecord, brain.RecordFilter{Limit: 9})
			for _, rec := range recs {
				rec.Body = []byte(regexp.MustCompile(`"run":"[^"]*",?`).ReplaceAllString(string(rec.Body), ""))
				err = errors.Join(err, tx.PutRecords(rec))
			}
			return err
		}))
		d.write(withoutRun(d.text()))
		if _, wrote, err := d.curate(); wrote || err != nil {
			t.Errorf("written again: %v, %v", wrote, err)
		}
		d.unline("Outcome 1 of")
		d.day("2026-02-02", 1)
		if res, _, err := d.curate(); err != nil || len(res.Barred) != 1 || withoutRun(d.text()) == d.text() {
			t.Errorf("barred %v, %v:\n%s", res.Barred, err, d.text())
		}
	})
}

func TestManyLostMemoriesNeedForce(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.day("2026-02-01", 8)
		res, _, err := d.curate()
		d.ok(err)
		before := d.text()
		d.ok(d.store.Update(t.Context(), func(tx brain.Tx) error {
			for _, r := range res.Added[:4] {
				if err := tx.DeleteNodes(r.ID); err != nil {
					return err
				}
			}
			return nil
		}))
		if _, _, err := d.curate(); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "4 of 8 entries") {
			t.Fatalf("%v", err)
		}
		if d.text() != before {
			t.Error("it was written all the same")
		}
		res, _, err = d.curate(func(s *memorymd.Settings) { s.Force = true })
		d.ok(err)
		if res.Entries != 4 {
			t.Errorf("%d entries with --force", res.Entries)
		}
	})
}

func TestFullFormAddsDaysThatAreOver(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		full := func(s *memorymd.Settings) { s.Form = memorymd.Full }
		d.day("2026-02-28", 2)
		d.day("2026-03-01", 1) // today
		res, _, err := d.curate(full)
		d.ok(err)
		if res.Entries != 2 || strings.Contains(d.text(), "[2026-03-01]") {
			t.Fatalf("%d entries\n%s", res.Entries, d.text())
		}
		d.now = d.now.AddDate(0, 0, 1)
		d.day("2026-02-28", 3) // one more, two days later
		res, _, err = d.curate(full)
		d.ok(err)
		if res.Entries != 4 || len(res.Added) != 2 {
			t.Errorf("%d entries, %d added", res.Entries, len(res.Added))
		}
		if strings.Index(d.text(), "[2026-03-01]") < strings.LastIndex(d.text(), "[2026-02-28]") {
			t.Error("the days are not in order")
		}
		if _, wrote, err := d.curate(full); wrote || err != nil {
			t.Errorf("again: written %v, %v", wrote, err)
		}
	})
}

func TestUndoOfARunPutsTheFileBack(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.write("mine, without a new line")
		d.day("2026-02-01", 3)
		c := memorymd.New(d.s)
		rep, err := d.runner(c).Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate})
		d.ok(err)
		done, err := d.runner(c).Undo(t.Context(), rep.RunID)
		d.ok(err)
		if done.Undone != len(rep.Actions) || d.text() != "mine, without a new line" {
			t.Errorf("undone %d, skipped %v, text %q", done.Undone, done.Skipped, d.text())
		}
		if _, wrote, err := d.curate(); !wrote || err != nil { // nothing was barred by that
			t.Errorf("curated again: %v, %v", wrote, err)
		}
		if n := strings.Count(d.text(), "\n- "); n != 3 {
			t.Errorf("%d entries\n%s", n, d.text())
		}
	})
}

// unline deletes the lines of the file that hold a text.
func (d *desk) unline(text string) {
	d.Helper()
	var left strings.Builder
	for line := range strings.Lines(d.text()) {
		if !strings.Contains(line, text) {
			left.WriteString(line)
		}
	}
	d.write(left.String())
}

func TestADeletionIsARunThatCanBeUndone(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.day("2026-02-01", 5)
		_, _, err := d.curate()
		d.ok(err)
		d.unline("Outcome 3 of")
		res, _, err := d.curate()
		d.ok(err)
		if len(res.Barred) != 1 || strings.Contains(d.text(), "Outcome 3 of") {
			t.Fatalf("barred %v", res.Barred)
		}
		last, err := d.brain.Journal.LastRun(t.Context())
		d.ok(err)
		done, err := d.runner(memorymd.New(d.s)).Undo(t.Context(), last.ID)
		d.ok(err)
		if last.Kind != brain.RunCurate || done.Undone != 1 {
			t.Errorf("undid %d of a %s, left %v", done.Undone, last.Kind, done.Skipped)
		}
		_, _, err = d.curate()
		d.ok(err)
		if !strings.Contains(d.text(), "Outcome 3 of") {
			t.Error("the entry did not come back")
		}
	})
}

func TestFullFormRefusesAnotherStore(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		full := func(s *memorymd.Settings) { s.Form = memorymd.Full }
		d.day("2026-02-27", 6)
		_, _, err := d.curate(full)
		d.ok(err)
		before := d.text()
		other, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "other.db"), d.store.Info().Brain)
		d.ok(err)
		t.Cleanup(func() { _ = other.Close() })
		wrong := newDesk(t, other)
		wrong.s.File, wrong.dir = d.s.File, d.dir
		if _, _, err := wrong.curate(full); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "no state of this block") {
			t.Errorf("the wrong store: %v", err)
		}
		if d.text() != before {
			t.Error("it was written all the same")
		}
		if _, wrote, err := d.curate(full); wrote || err != nil {
			t.Errorf("the right store again: %v, %v", wrote, err)
		}
	})
}

func TestSwitchingFormsThereAndBackKeepsTheEntries(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		full := func(s *memorymd.Settings) { s.Form = memorymd.Full }
		d.day("2026-02-27", 6)
		d.now = d.now.Add(time.Hour)
		_, _, err := d.curate(full)
		d.ok(err)
		before := d.text()
		d.now = d.now.Add(time.Hour)
		_, _, err = d.curate()
		d.ok(err)
		d.now = d.now.Add(time.Hour)
		res, _, err := d.curate(full)
		d.ok(err)
		if res.Entries != 6 {
			t.Errorf("%d of 6 entries are left", res.Entries)
		}
		if was, is := strings.Count(before, "### [2026-02-27]"), strings.Count(d.text(), "### [2026-02-27]"); was != is {
			t.Errorf("%d entries stand in the file, not %d", is, was)
		}
	})
}

// The two statements of an open pair are two lines behind each other, each with its own id,
// that name each other; edits of one correct that one.
func TestAnOpenPairIsTwoLines(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		add := func(text string) brain.Memory {
			c, err := d.brain.Capture.New(brain.Source{Kind: brain.Learning, Concept: text, Learned: text}, brain.Details{})
			d.ok(err)
			done, err := d.brain.Capture.Capture(t.Context(), c)
			d.ok(err)
			ms, err := d.brain.Base.Memories(t.Context(), done.MemoryID)
			d.ok(err)
			d.now = d.now.AddDate(0, 0, 1)
			return ms[0]
		}
		older := add("Staging listens on port 5433")
		add("Backups run at night")
		newer := add("Staging moves to port 5500")
		_, err := d.brain.Review.Flag(t.Context(), brain.ReviewItem{Kind: brain.ReviewPair, Reason: "perhaps one holds", Memories: []string{newer.ID, older.ID}})
		d.ok(err)
		_, _, err = d.curate()
		d.ok(err)
		newRef, oldRef := newer.ID[:8], older.ID[:8]
		want := "- 2026-03-03 Staging moves to port 5500 (or still, of 2026-03-01: " + oldRef + "?) (`brainbridge show " + newRef + "`)\n" +
			"- 2026-03-01 Staging listens on port 5433 (or by now, of 2026-03-03: " + newRef + "?) (`brainbridge show " + oldRef + "`)\n"
		if !strings.Contains(d.text(), want) {
			t.Fatalf("want\n%s in\n%s", want, d.text())
		}
		d.write(strings.Replace(d.text(), "port 5433", "port 5434", 1))
		for range 2 { // the first one reads the correction, which ends the pair
			_, _, err = d.curate()
			d.ok(err)
		}
		if text := d.text(); strings.Contains(text, "(or ") || !strings.Contains(text, "port 5434") || !strings.Contains(text, "port 5500 (`") {
			t.Errorf("after a correction of the older one:\n%s", text)
		}
		found, err := lifecycle.Read(t.Context(), d.brain.Base, func(r brain.Reader) (lifecycle.Resolved, error) { return lifecycle.Resolve(r, older.ID) })
		if err != nil || !strings.Contains(found.Memory.Content, "5434") || strings.Contains(found.Memory.Content, "by now") {
			t.Errorf("it was corrected to %q, %v", found.Memory.Content, err)
		}
	})
}
