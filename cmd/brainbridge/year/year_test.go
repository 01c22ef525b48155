package year

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// year is a person's year with a store, by the person's own clock.
type year struct {
	t      testing.TB
	store  brain.Store
	now    time.Time
	who    *person
	merges bool
	back   int             // after so many days a run is undone
	texts  map[string]bool // everything that was ever written down
	figures
}

// figures are what the docs quote.
type figures struct {
	captured, live, mostLive, kept, merged int
	flagged, strange                       int // pairs put before a person; those of two subjects
	undone                                 int
	asked, first, three, ten               int // questions for what was used, and where the answer stood
}

func (y *year) brain() *services.Services {
	return services.New(y.store, services.Options{Now: func() time.Time { return y.now }})
}

func (y *year) run() consolidate.Report {
	y.t.Helper()
	b := y.brain()
	steps := []consolidate.Step{consolidate.NewForget(b.Journal, false), consolidate.NewRelations(b.Base)}
	if y.merges {
		steps = append([]consolidate.Step{consolidate.NewDuplicates(b.Base, b.Recall, b.Review, consolidate.DuplicateOptions{})}, steps...)
	}
	rep, err := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: steps, Warn: func(err error) { y.t.Error(err) }}).
		Run(y.t.Context(), consolidate.Request{Kind: brain.RunConsolidate})
	if err != nil {
		y.t.Fatal(err)
	}
	return rep
}

// day is one day: what is due is used, new things are written down, and at
// night a run tidies up.
func (y *year) day(n int) {
	y.now = start().AddDate(0, 0, n)
	for _, i := range y.who.due(y.now) {
		y.use(&y.who.facts[i])
	}
	for _, f := range y.who.day(y.now) {
		y.now = y.now.Add(20 * time.Minute)
		y.capture(f)
	}
	y.now = start().AddDate(0, 0, n).Add(18 * time.Hour)
	rep := y.run()
	y.asks(rep.Flagged)
	if n%y.back == y.back-1 {
		y.takeBack(rep)
	}
	y.count()
}

// asks notes what a run put before a person.
func (y *year) asks(n int) {
	y.t.Helper()
	if n == 0 {
		return
	}
	items, err := y.brain().Review.Reviews(y.t.Context(), brain.ReviewPending)
	if err != nil {
		y.t.Fatal(err)
	}
	for _, item := range items[:n] {
		names := map[string]bool{}
		for _, id := range item.Memories {
			shown, err := y.brain().Recall.Show(y.t.Context(), id, true)
			if err != nil {
				y.t.Fatal(err)
			}
			names[shown.Memory.Name] = true
		}
		y.flagged++
		if len(names) > 1 {
			y.strange++
		}
	}
}

func (y *year) capture(f fact) {
	y.t.Helper()
	b := y.brain()
	c, err := b.Capture.NewMemory(brain.Memory{Name: f.name, Content: f.content, MemoryType: "fact"}, brain.Details{Project: f.project})
	if err != nil {
		y.t.Fatal(err)
	}
	done, err := b.Capture.Capture(y.t.Context(), c)
	if err != nil {
		y.t.Fatal(err)
	}
	f.id = done.MemoryID
	y.who.facts = append(y.who.facts, f)
	y.texts[f.content] = true
	y.captured++
}

// use asks for a fact and says that it helped; now and then it has changed
// meanwhile and is corrected.
func (y *year) use(f *fact) {
	y.t.Helper()
	y.ask(*f)
	b := y.brain()
	if _, err := b.Capture.Used(y.t.Context(), f.id, brain.Helpful, ""); err != nil {
		y.t.Fatal(err)
	}
	if f.uses == 3 && y.who.rnd.IntN(2) == 0 {
		f.content = y.who.otherwise(*f).content
		if _, _, err := b.Capture.Correct(y.t.Context(), f.id, f.name, f.content); err != nil {
			y.t.Fatal(err)
		}
		y.texts[f.content] = true
	}
	f.next(y.now)
}

// ask recalls a fact by the words of its subject and notes where its chain
// stands among the answers.
func (y *year) ask(f fact) {
	y.t.Helper()
	b := y.brain()
	shown, err := b.Recall.Show(y.t.Context(), f.id, false)
	if err != nil {
		y.t.Fatal(err)
	}
	got, err := b.Recall.Recall(y.t.Context(), recall.Query{Words: words.Parse(f.question())})
	if err != nil {
		y.t.Fatal(err)
	}
	y.asked++
	for place, r := range got.Results {
		if r.Memory.ID == shown.Memory.ID {
			y.place(place)
			return
		}
	}
}

func (y *year) place(place int) {
	if place < 10 {
		y.ten++
	}
	if place < 3 {
		y.three++
	}
	if place == 0 {
		y.first++
	}
}

// takeBack undoes a run and does it again: nothing may be left over.
func (y *year) takeBack(rep consolidate.Report) {
	y.t.Helper()
	if rep.RunID == "" {
		return
	}
	u, err := y.brain().Journal.Undo(y.t.Context(), rep.RunID, nil, nil)
	if err != nil {
		y.t.Fatal(err)
	}
	for _, s := range u.Skipped {
		y.t.Errorf("undo of the run of %s left %s: %s", y.now.Format(time.DateOnly), s.ID, s.Reason)
	}
	y.undone += u.Undone
	y.whole()
	y.run()
}

func (y *year) count() {
	y.t.Helper()
	st, err := y.brain().Recall.Status(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	y.live = 0
	for tier, n := range st.Tiers {
		if tier.Live() {
			y.live += n
		}
	}
	y.mostLive = max(y.mostLive, y.live)
}

// whole checks that every text that was ever written down is in the store.
func (y *year) whole() {
	y.t.Helper()
	held := map[string]bool{}
	kept, merged := 0, 0
	for w, err := range y.brain().Recall.AllMemories(y.t.Context()) {
		if err != nil {
			y.t.Fatal(err)
		}
		held[said(w.Memory.Content)] = true
		switch {
		case w.Memory.Tier.Current():
			kept++
		case w.Memory.Tier == tiers.Superseded:
			merged++
		}
	}
	y.kept, y.merged = kept, merged
	for text := range y.texts {
		if !held[said(text)] {
			y.t.Errorf("lost: %q", text)
		}
	}
}

func live(t testing.TB, s brain.Store, days int, merges bool) *year {
	y := &year{t: t, store: s, who: newPerson(20260205), merges: merges, back: min(30, days-1), texts: map[string]bool{}}
	for n := range days {
		y.day(n)
	}
	y.whole()
	return y
}

func (y *year) String() string {
	share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, y.asked))) }
	return fmt.Sprintf("%d captured: %d live at the end (at most %d), %d live or expired, %d superseded, %d pairs left to a person, %d of them of two subjects; "+
		"%d questions for what was used: first %s, of three %s, of ten %s; %d actions undone",
		y.captured, y.live, y.mostLive, y.kept, y.merged, y.flagged, y.strange, y.asked, share(y.first), share(y.three), share(y.ten), y.undone)
}

// span is how many days are lived through on the embedded store, and on a
// server: two months and two weeks, or with BRAINBRIDGE_TEST_YEAR in the
// environment a year and a month, which take minutes.
func span() (here, served int) {
	if os.Getenv("BRAINBRIDGE_TEST_YEAR") != "" {
		return 365, 31
	}
	return 60, 15
}

// A year of a person's memory: what was used stays near the top, what lives
// stays bounded, nothing is lost, and any run can be taken back. Fading and
// merging make the difference: without either it is lived through again. The
// figures of a year stand in docs/consolidation.md; a shorter time is enough to
// see that.
func TestYear(t *testing.T) {
	t.Parallel()
	n, _ := span()
	whole := live(t, embedded(t), n, true)
	good(t, whole)
	t.Run("without decay", func(t *testing.T) {
		s := embedded(t)
		for _, tier := range []string{"working", "shortTerm", "longTerm"} {
			if err := at(s, start().Add(-time.Hour)).Base.SetNumber(t.Context(), "lambda."+tier, 0); err != nil {
				t.Fatal(err)
			}
		}
		y := live(t, s, n, true)
		if t.Log(y); y.live < 5*whole.live {
			t.Errorf("without decay %d live, with it %d", y.live, whole.live)
		}
	})
	t.Run("without merging", func(t *testing.T) {
		y := live(t, embedded(t), n, false)
		if t.Log(y); y.kept <= whole.kept {
			t.Errorf("without merging %d live or expired, with it %d", y.kept, whole.kept)
		}
	})
}

// The beginning of it on the other store.
func TestYearOnNeo4j(t *testing.T) {
	t.Parallel()
	s, err := neo4j.Open(t.Context(), neo4j.Config{URI: neo4jtest.Server(t), Brain: "year-" + brain.NewID()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := services.New(s, services.Options{}).Base.StoreNumbers(t.Context()); err != nil { // as init does
		t.Fatal(err)
	}
	_, n := span()
	good(t, live(t, s, n, true))
}

// good holds a year, or less of it, to what is promised.
func good(t *testing.T, y *year) {
	t.Helper()
	t.Log(y)
	if y.three*100 < y.asked*97 {
		t.Errorf("of %d questions for what was used, %d had it among the first three", y.asked, y.three)
	}
	if y.mostLive > y.captured/10+150 {
		t.Errorf("%d memories were live at once, of %d captured", y.mostLive, y.captured)
	}
	if y.flagged > y.captured/20 || y.strange*20 > y.flagged { // each day one thing contradicts an earlier one
		t.Errorf("%d pairs were put before a person, %d of them of two subjects, of %d captured", y.flagged, y.strange, y.captured)
	}
	if y.merged == 0 || y.undone == 0 {
		t.Errorf("nothing was merged (%d) or undone (%d)", y.merged, y.undone)
	}
}

func start() time.Time { return time.Date(2026, 2, 5, 9, 0, 0, 0, time.UTC) }

func embedded(t *testing.T) brain.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "year")
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

func at(s brain.Store, now time.Time) *services.Services {
	return services.New(s, services.Options{Now: func() time.Time { return now }})
}
