package consolidate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

func newRunner(s *services.Services, o consolidate.Options) *consolidate.Runner {
	return consolidate.New(s.Base, s.Journal, o)
}

// seed captures memories that are due for promotion, or fade before a day is
// over, with a relation between neighbours.
func seed(t *testing.T, s brain.Store, n int) []string {
	t.Helper()
	b := testlab.At(s, testlab.Start())
	ids := make([]string, 0, n)
	for i := range n {
		c, err := b.Capture.New(brain.Source{Kind: brain.Learning, Concept: fmt.Sprintf("thing %d", i), Learned: "seeded"}, brain.Details{})
		if i%2 == 0 {
			c, err = b.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: fmt.Sprintf("thing %d", i), Insight: "seeded"}, brain.Details{})
		}
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			c.Relate = []brain.NewRelation{{Type: "follows", To: ids[i-1]}}
		}
		out, err := b.Capture.Capture(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, out.MemoryID)
	}
	return ids
}

// picture is what a person would see of the memories: by the id captured, the
// tier, the text, and which memory it is related to by text.
func picture(t *testing.T, s brain.Store, ids []string) string {
	t.Helper()
	b := testlab.At(s, testlab.Start().Add(24*time.Hour))
	var out strings.Builder
	for _, id := range ids {
		shown, err := b.Recall.Show(t.Context(), id, false)
		if err != nil {
			t.Fatal(err)
		}
		var rels []string
		for _, r := range shown.Relations {
			if r.Type != brain.PromotedTo {
				rels = append(rels, name(t, b, r.From)+" "+r.Type+" "+name(t, b, r.To))
			}
		}
		slices.Sort(rels)
		fmt.Fprintf(&out, "%s %s %q\n", shown.Memory.Name, *shown.Memory.Tier, rels)
	}
	return out.String()
}

func name(t *testing.T, b *services.Services, id string) string {
	t.Helper()
	shown, err := b.Recall.Show(t.Context(), id, true)
	if err != nil {
		return "source"
	}
	return shown.Memory.Name
}

func run(s brain.Store, now time.Time) (consolidate.Report, error) {
	r := newRunner(testlab.At(s, now), consolidate.Options{})
	return r.Run(context.Background(), consolidate.Request{Kind: brain.RunConsolidate})
}

// Each call of the store fails once, at every place of a run: what the run had
// written stays whole, and the next run ends as one that nothing disturbed.
func TestRunIsWholeWhateverFails(t *testing.T) {
	later := testlab.Start().Add(24 * time.Hour)
	calm := testlab.OpenStore(t)
	calmIDs := seed(t, calm, 6)
	if _, err := run(calm, later); err != nil {
		t.Fatal(err)
	}
	want := picture(t, calm, calmIDs)

	for n, failed := 1, true; failed; n++ {
		s := testlab.OpenStore(t)
		ids := seed(t, s, 6)
		broken := storetest.Failing(s, storetest.Plan{FailAt: n})
		_, err := run(broken, later)
		if failed = err != nil; failed && !errors.Is(err, storetest.ErrInjected) {
			t.Fatalf("call %d: %v", n, err)
		}
		consistent(t, s, n)
		if _, err := run(s, later); err != nil {
			t.Fatalf("run after call %d failed: %v", n, err)
		}
		if got := picture(t, s, ids); got != want {
			t.Fatalf("after call %d failed:\n%s\nwant:\n%s", n, got, want)
		}
	}
}

// A commit whose outcome the run cannot know, or that is carried out twice,
// changes nothing in the end.
func TestRunSurvivesUncertainCommits(t *testing.T) {
	later := testlab.Start().Add(24 * time.Hour)
	calm := testlab.OpenStore(t)
	calmIDs := seed(t, calm, 6)
	if _, err := run(calm, later); err != nil {
		t.Fatal(err)
	}
	want := picture(t, calm, calmIDs)
	for n := 1; n <= 5; n++ {
		for name, plan := range map[string]storetest.Plan{
			"unknown": {UnknownCommit: n}, "repeated": {RepeatCommit: n}, "retried": {RetryCommit: n},
		} {
			s := testlab.OpenStore(t)
			ids := seed(t, s, 6)
			if _, err := run(storetest.Failing(s, plan), later); err != nil && name != "unknown" {
				t.Errorf("commit %d %s: %v", n, name, err)
			}
			consistent(t, s, n)
			if _, err := run(s, later); err != nil {
				t.Fatal(err)
			}
			if got := picture(t, s, ids); got != want {
				t.Errorf("commit %d %s:\n%s\nwant:\n%s", n, name, got, want)
			}
		}
	}
}

// consistent checks that every promotion has its journal and its relation.
func consistent(t *testing.T, s brain.Store, n int) {
	t.Helper()
	b := testlab.At(s, testlab.Start())
	all, err := b.Recall.List(t.Context(), lifecycle.ListQuery{All: true, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	archived, promoted := 0, 0
	for _, m := range all {
		if *m.Tier == tiers.ArchivedWorking {
			archived++
		}
	}
	runs, err := b.Journal.Runs(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		actions := actionsOf(t, b, r)
		if len(actions) != r.Actions {
			t.Errorf("after call %d: the run counts %d actions and has %d", n, r.Actions, len(actions))
		}
		for _, a := range actions {
			if a.Kind == brain.ActPromote {
				promoted++
			}
		}
	}
	if archived != promoted {
		t.Errorf("after call %d: %d archived originals, %d promotions in the journal", n, archived, promoted)
	}
}

func TestSecondRunIsBusy(t *testing.T) {
	s := testlab.OpenStore(t)
	l, err := s.Lease(t.Context(), consolidate.LeaseName, brain.Holder{Host: "elsewhere", PID: 7, Token: "x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = run(s, testlab.Start())
	var held *brain.HeldError
	if !errors.As(err, &held) || held.Holder.PID != 7 {
		t.Errorf("a second run: %v, want who holds the lock", err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := run(s, testlab.Start()); err != nil {
		t.Errorf("after the release: %v", err)
	}
}

// asking is a store in which somebody asks for a run while one lists memories.
type asking struct {
	brain.Store
	ask func()
}

func (a *asking) View(ctx context.Context, fn func(brain.Reader) error) error {
	due := listReader{}
	err := a.Store.View(ctx, func(r brain.Reader) error {
		due.Reader = r
		return fn(&due)
	})
	if due.asked && a.ask != nil {
		ask := a.ask
		a.ask = nil
		ask()
	}
	return err
}

type listReader struct {
	brain.Reader
	asked bool
}

func (d *listReader) ListMemories(fs ...brain.ListFilter) ([]brain.Memory, error) {
	d.asked = true
	return d.Reader.ListMemories(fs...)
}

func TestRunTakesUpARequest(t *testing.T) {
	s := testlab.OpenStore(t)
	now := testlab.Start()
	clock := func() time.Time { return now }
	b := services.New(&asking{Store: s, ask: func() {
		now = now.Add(time.Second)
		seed(t, s, 1) // due since the run began
		if err := newRunner(services.New(s, services.Options{Now: clock}), consolidate.Options{}).Ask(t.Context()); err != nil {
			t.Error(err)
		}
	}}, services.Options{Now: clock})
	if _, err := consolidate.New(b.Base, b.Journal, consolidate.Options{}).Run(t.Context(), consolidate.Request{Kind: brain.RunDecay}); err != nil {
		t.Fatal(err)
	}
	st, err := b.Recall.Status(t.Context())
	if err != nil || st.Tiers[tiers.ShortTerm] != 1 {
		t.Errorf("tiers %v, %v; want what was captured and asked for meanwhile promoted", st.Tiers, err)
	}
}

func TestDecayChangesNoMeaning(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := seed(t, s, 4)
	now := testlab.Start().Add(time.Hour)
	b := testlab.At(s, now)
	before := picture(t, s, ids)
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{})
	plan, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunDecay, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunDecay})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Decayed != 4 || plan.Decayed != 4 {
		t.Errorf("decayed %d, planned %d, want 4, of which 2 are due", rep.Decayed, plan.Decayed)
	}
	if due := testlab.Memory(t, s, ids[0]); due.Tier != tiers.Working || !due.LastDecay.Equal(now) || math.Abs(due.Energy-3*math.Exp(-0.05)) > 1e-9 {
		t.Errorf("a memory that was due is in %s with energy %v as of %v, want the energy of an hour in shortTerm", due.Tier, due.Energy, due.LastDecay)
	}
	if again, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunDecay}); err != nil || again.Decayed != 0 {
		t.Errorf("decayed %d again, %v", again.Decayed, err)
	}
	if got := picture(t, s, ids); got != before {
		t.Errorf("decay changed\n%s to\n%s", before, got)
	}
}

// A run of all steps stores the energy of each memory as of the run. Energies and tiers at later
// instants are the same with and without it, and a second run changes nothing.
func TestAFullRunStoresEnergiesAndChangesNone(t *testing.T) {
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 1))
		with, without := testlab.OpenStore(t), testlab.OpenStore(t)
		ids := seedLives(t, random, with, without)
		at := testlab.Start().Add(time.Duration(random.Int64N(int64(40 * time.Hour))))
		rep, err := run(with, at)
		if err != nil || rep.Decayed == 0 || rep.Decayed+rep.Expired != len(ids) {
			t.Fatalf("seed %d: stored %d energies and expired %d of %d, %v", seed, rep.Decayed, rep.Expired, len(ids), err)
		}
		if again, err := run(with, at); err != nil || again.Decayed+len(again.Actions) > 0 || again.RunID != "" {
			t.Fatalf("seed %d: a second run did %+v, %v", seed, again, err)
		}
		for range 3 {
			at = at.Add(time.Duration(random.Int64N(int64(30 * time.Hour))))
			sameLives(t, ids, at, with, without)
		}
		for _, s := range []brain.Store{with, without} {
			if _, err := run(s, at); err != nil {
				t.Fatal(err)
			}
		}
		sameLives(t, ids, at, with, without)
	}
}

// seedLives stores the same memories of any tier, energy and age in two stores.
func seedLives(t *testing.T, random *rand.Rand, stores ...brain.Store) []string {
	t.Helper()
	policy := new(tiers.DefaultPolicy())
	var ms []brain.Memory
	for i := range 30 {
		m := storetest.Memory(fmt.Sprintf("life %d", i))
		tier := []tiers.Tier{tiers.Working, tiers.ShortTerm, tiers.LongTerm}[i%3]
		began := testlab.Start().Add(-time.Duration(random.Int64N(int64(20 * time.Hour))))
		m.State = policy.Start(tier, 12*random.Float64(), random.IntN(4), began)
		ms = append(ms, m)
	}
	for _, s := range stores {
		if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			t.Fatal(err)
		}
	}
	return brain.IDs(ms)
}

func sameLives(t *testing.T, ids []string, at time.Time, a, b brain.Store) {
	t.Helper()
	for _, id := range ids {
		x, err := testlab.At(a, at).Recall.Show(t.Context(), id, false)
		y, err2 := testlab.At(b, at).Recall.Show(t.Context(), id, false)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		_, settled := new(tiers.DefaultPolicy()).Settle(testlab.Memory(t, a, x.Memory.ID).State, at)
		_, want := new(tiers.DefaultPolicy()).Settle(testlab.Memory(t, b, y.Memory.ID).State, at)
		if math.Abs(*x.Memory.Energy-*y.Memory.Energy) > 1e-9 || settled.Tier != want.Tier {
			t.Errorf("%s at %v: %v in %s with a run in between, %v in %s without", id, at, *x.Memory.Energy, settled.Tier, *y.Memory.Energy, want.Tier)
		}
	}
}

func TestRunLeavesALineInTheLog(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 10)
	log := filepath.Join(t.TempDir(), "not", "there", "consolidation.log")
	r := newRunner(testlab.At(s, testlab.Start().Add(time.Minute)), consolidate.Options{LogFile: log})
	for _, dry := range []bool{true, false} {
		if _, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate, DryRun: dry}); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Operation string
		Brain     string
		Result    struct {
			RecordCount int
			Results     []any
		}
	}
	if err := json.Unmarshal(raw, &line); err != nil {
		t.Fatalf("the log is not one line: %v\n%s", err, raw)
	}
	if line.Operation != "consolidateAll" || line.Brain != "runs" || line.Result.RecordCount != 5 || len(line.Result.Results) != 3 {
		t.Errorf("logged %+v", line)
	}
}

func TestRunThatChangedNothingHasNoIDInTheLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "consolidation.log")
	r := newRunner(testlab.At(testlab.OpenStore(t), testlab.Start()), consolidate.Options{LogFile: log})
	if _, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunPromote}); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(log); err != nil || !strings.Contains(string(raw), `"runId":null`) {
		t.Errorf("logged %s, %v", raw, err)
	}
}

func TestLogThatCannotBeWrittenIsAWarning(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 2)
	var warned error
	r := newRunner(testlab.At(s, testlab.Start()), consolidate.Options{LogFile: t.TempDir(), Warn: func(err error) { warned = err }})
	rep, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate})
	if err != nil || len(rep.Promoted) != 1 || warned == nil {
		t.Errorf("%+v, %v, warned %v", rep, err, warned)
	}
}

func TestOldRunsMoveToTheArchive(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 4)
	dir := t.TempDir()
	if _, err := run(s, testlab.Start()); err != nil {
		t.Fatal(err)
	}
	late := testlab.Start().Add(100 * 24 * time.Hour)
	b := testlab.At(s, late)
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{Archive: backups.NewArchive(dir, func(string) {}), JournalKeep: 90 * 24 * time.Hour})
	if _, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate}); err != nil {
		t.Fatal(err)
	}
	runs, err := b.Journal.Runs(t.Context(), 10)
	if err != nil || len(runs) != 1 || runs[0].Started.Before(late) {
		t.Errorf("runs in the store: %+v, %v; want the new one alone", runs, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal-2026-02.jsonl.zst")); err != nil {
		t.Error(err)
	}
}

// februaryFails is an archive whose month of February cannot be written.
type februaryFails struct{ months *[]time.Month }

func (a februaryFails) AppendJournal(_ context.Context, month time.Time, _ iter.Seq2[json.RawMessage, error]) error {
	*a.months = append(*a.months, month.Month())
	if month.Month() == time.February {
		return errors.New("the disk is full")
	}
	return nil
}

// A month that cannot be archived keeps its runs in the store; the others leave it, once.
func TestAMonthThatCannotBeArchivedKeepsNoOther(t *testing.T) {
	s := testlab.OpenStore(t)
	seed(t, s, 4)
	for _, days := range []time.Duration{0, 40} { // in February, and in March
		if _, err := run(s, testlab.Start().Add(days*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	var months []time.Month
	for i := range 2 {
		b := testlab.At(s, testlab.Start().Add(time.Duration(200+i)*24*time.Hour))
		r := consolidate.New(b.Base, b.Journal, consolidate.Options{Archive: februaryFails{&months}, JournalKeep: 90 * 24 * time.Hour})
		if _, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []time.Month{time.February, time.March, time.February}; !slices.Equal(months, want) {
		t.Errorf("archived %v, want %v", months, want)
	}
}

func actionsOf(t *testing.T, b *services.Services, run brain.Run) []brain.Action {
	t.Helper()
	var all []brain.Action
	for a, err := range b.Journal.Actions(t.Context(), run) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}
