package services_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/tiers"
)

// findPairs runs the step that finds pairs to judge, and returns how many it added.
func (l *lab) findPairs(change ...func(*consolidate.Request)) int {
	l.t.Helper()
	req := consolidate.Request{Kind: brain.RunConsolidate, Only: []string{consolidate.StepPairs}}
	for _, c := range change {
		c(&req)
	}
	r := consolidate.New(l.Base, l.Journal, consolidate.Options{
		Steps: []consolidate.Step{consolidate.NewPairs(l.Base, l.Review, nil)}, Warn: func(err error) { l.t.Error(err) },
	})
	return must[consolidate.Report](l)(r.Run(l.ctx(), req)).Flagged
}

// openPairs returns the open pairs as newer and older id.
func (l *lab) openPairs() (all [][]string) {
	l.t.Helper()
	for _, item := range must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), brain.ReviewPending)) {
		if item.Kind == brain.ReviewPair {
			all = append(all, item.Memories)
		}
	}
	return all
}

func TestARunFindsPairsToJudge(t *testing.T) {
	l := newLab(t)
	older := l.keep("", "decision", "", "Staging listens on port 5433")
	l.keep("shop", "fact", "", "Lunch is at noon in the shop")
	if n := l.findPairs(); n != 0 {
		t.Fatalf("found %d pairs, %v", n, l.openPairs())
	}
	l.later(time.Hour)
	newer := l.keep("", "fact", "", "Staging moves to port 5500")
	dry := l.findPairs(func(req *consolidate.Request) { req.DryRun = true })
	if n := l.findPairs(); n != 1 || dry != 1 || !cmp.Equal(l.openPairs(), [][]string{{newer, older}}) {
		t.Fatalf("found %d pairs, in a dry run %d: %v, want %s and %s", n, dry, l.openPairs(), newer, older)
	}
	if item := must[[]brain.ReviewItem](l)(l.Review.Reviews(l.ctx(), ""))[0]; !strings.Contains(item.Reason, "so perhaps only one of them holds") {
		t.Errorf("reason %q", item.Reason)
	}
	if n := l.findPairs(); n != 0 {
		t.Errorf("found %d again", n)
	}
}

// What is merged, or proposed as a merge, is not a pair; what differs in a number is. Other
// kinds, other projects, entities, and what was replaced are left out.
func TestWhatIsAPairToJudge(t *testing.T) {
	for name, c := range map[string]struct {
		first, second             string
		firstKind, secondKind     string
		firstProject, secondOther string
		want                      int
	}{
		"another number":        {"The proxy listens on port 8080", "The proxy listens on port 8443", "fact", "fact", "", "", 1},
		"a negation":            {"We deploy on Fridays", "We never deploy on Fridays", "preference", "preference", "", "", 1},
		"another tool":          {"use yarn for packages", "use pnpm for packages", "decision", "decision", "", "", 1},
		"another format":        {"Log format is json everywhere", "Log format is plain text everywhere", "fact", "fact", "", "", 1},
		"another subject":       {"The heron service keeps the sessions of its users in memory on the big machine", "The otter service keeps the sessions of its users in memory on the big machine", "fact", "fact", "", "", 1},
		"one project":           {"Staging listens on port 5433", "Staging moves to port 5500", "lesson", "learning", "shop", "shop", 1},
		"one has no project":    {"Staging listens on port 5433", "Staging moves to port 5500", "decision", "decision", "", "shop", 1},
		"other projects":        {"Staging listens on port 5433", "Staging moves to port 5500", "decision", "decision", "blog", "shop", 0},
		"a note":                {"Staging listens on port 5433", "Staging moves to port 5500", "note", "decision", "", "", 0},
		"a reminder":            {"Staging listens on port 5433", "Staging moves to port 5500", "decision", "reminder", "", "", 0},
		"the same":              {"Staging listens on port 5433", "staging listens on port 5433!", "decision", "decision", "", "", 0},
		"much the same":         {"Alice pays Bob for the work", "Bob pays Alice for the work", "decision", "decision", "", "", 0},
		"no word in common":     {"Staging listens on port 5433", "Invoices are sent as PDF", "decision", "decision", "", "", 0},
		"only words of grammar": {"It is on the table", "It is in the cellar", "decision", "decision", "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.keep(c.firstProject, c.firstKind, "", c.first)
			l.later(time.Hour)
			l.keep(c.secondOther, c.secondKind, "", c.second)
			if n := l.findPairs(); n != c.want || len(l.openPairs()) != c.want {
				t.Errorf("found %d pairs, %v", n, l.openPairs())
			}
		})
	}
	l := newLab(t)
	l.entity("Staging", "listens on port 5433")
	old := l.keep("", "decision", "", "Staging listens on port 5433")
	l.later(time.Hour)
	next := l.keep("", "decision", "", "Staging moves to port 5500")
	if _, _, err := l.Review.Replace(l.ctx(), old, next); err != nil {
		t.Fatal(err)
	}
	if n := l.findPairs(); n != 0 {
		t.Errorf("with an entity and a replaced memory, found %v", l.openPairs())
	}
}

// A label, and the day of a note below a bullet, are in many texts and make none of them similar.
func TestLabelsAndDatesMakeNoPairs(t *testing.T) {
	l := newLab(t)
	for _, text := range []string{"Backups run at 22:00", "Invoices are sent as PDF"} {
		l.keep("", "decision", text, "decision: "+text+"\n\n(2026-02-05)")
		l.later(time.Minute)
	}
	if n := l.findPairs(); n != 0 {
		t.Errorf("found %v", l.openPairs())
	}
}

// Twenty pairs a run and sixty open ones are enough; at most three are about one new memory.
func TestPairsComeALittleAtATime(t *testing.T) {
	l := newLab(t)
	values := func(from int) {
		for i := range 30 {
			l.keep("", "fact", "", "The limit of "+strings.Repeat("x", 3+i)+"y is "+strings.Repeat("1", 1+from)+" requests")
		}
		l.later(time.Hour)
	}
	values(0)
	for run, want := range []int{20, 20, 20, 0} {
		values(run + 1)
		if n := l.findPairs(); n != want {
			t.Errorf("run %d found %d pairs, want %d", run, n, want)
		}
	}
	count := map[string]int{}
	for _, p := range l.openPairs() {
		count[p[0]]++
	}
	for id, n := range count {
		if n > 3 {
			t.Errorf("%d pairs are about %s", n, id)
		}
	}
}

// What a run found too much, and what it did not come to look at, is for the next ones.
func TestNoPairIsLost(t *testing.T) {
	l := newLab(t)
	for i := range 30 {
		l.keep("", "fact", "", "The limit of "+strings.Repeat("x", 3+i)+"y is 1 request")
	}
	l.later(time.Hour)
	for i := range 30 {
		l.keep("", "fact", "", "The limit of "+strings.Repeat("x", 3+i)+"y is 22 requests")
	}
	for run, want := range []int{20, 10, 0} {
		if n := l.findPairs(); n != want {
			t.Errorf("run %d found %d pairs, want %d", run, n, want)
		}
	}

	l = newLab(t)
	l.keep("", "decision", "", "Staging listens on port 5433")
	l.later(time.Hour)
	l.keep("", "decision", "", "Staging moves to port 5500")
	l.shelve(600, func(_ int, m *brain.Memory) { m.MemoryType, m.Name, m.Content = "fact", m.ID, m.ID })
	l.keep("", "decision", "", "Backups run at 22:00")
	l.later(time.Hour)
	l.keep("", "decision", "", "Backups run at 23:00")
	for run, want := range []int{1, 1, 0} {
		if n := l.findPairs(); n != want {
			t.Errorf("of many texts, run %d found %d pairs, want %d: %v", run, n, want, l.openPairs())
		}
	}
}

// What an entity holds cannot be replaced by a statement, so it is not similar to one.
func TestNoEntityIsSimilarToAStatement(t *testing.T) {
	l := newLab(t)
	for _, name := range []string{"zebra", "zebra stable"} {
		l.entity(name, "the zebra is fed at noon")
	}
	said := l.keep("", "fact", "", "A zebra is fed at eight, at noon and in the evening, by whoever comes by first")
	c := must[brain.Capture](l)(l.Capture.NewMemory(brain.Memory{Content: "The zebra is fed at dusk"}, brain.Details{}))
	c.LookUp = true
	if got := brain.IDs(must[brain.Captured](l)(l.Capture.Capture(l.ctx(), c)).Similar); !cmp.Equal(got, []string{said}) {
		t.Errorf("similar are %v, want %s", got, said)
	}
}

// pairOf puts a pair into the review queue.
func (l *lab) pairOf(newer, older string) {
	l.t.Helper()
	item := brain.ReviewItem{Kind: brain.ReviewPair, Reason: "perhaps only one of them holds", Memories: []string{newer, older}}
	if made := must[int](l)(l.Review.Flag(l.ctx(), item)); made != 1 {
		l.t.Fatalf("added %d pairs", made)
	}
}

// An open pair is one line, with both statements, whichever of them is salient.
func TestAnOpenPairIsOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		kind, olderKind, part string
		age                   time.Duration
	}{
		"two decisions":           {"decision", "decision", "decisions", time.Hour},
		"a fact and a decision":   {"fact", "decision", "lessons", time.Hour},
		"the older has long gone": {"decision", "fact", "decisions", 400 * brain.Day},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			older := l.keep("shop", c.olderKind, "", "Staging listens on port 5433")
			day := l.now.In(l.Base.Zone).Format(time.DateOnly)
			l.later(c.age)
			newer := l.keep("", c.kind, "", "Staging moves to port 5500")
			l.keep("", "decision", "", "Backups run at 23:00")
			l.pairOf(newer, older)
			got := l.context(recall.ContextQuery{Project: "shop"})
			want := "today " + c.kind + ": Staging moves to port 5500 [" + newer[:6] + "]; or still, of " + day + ": Staging listens on port 5433 [" + older[:6] + "]?\n"
			if strings.Count(got.Text, want) != 1 || strings.Count(got.Text, "port 5433") != 1 || len(got.Lines) != 2 {
				t.Errorf("want %q in\n%s", want, got.Text)
			}
			for _, line := range got.Lines {
				if line.ID == newer && (line.Older != older || line.Part != c.part) {
					t.Errorf("line %+v", line)
				}
			}
			if again := l.context(recall.ContextQuery{Project: "shop"}); again.Text != got.Text {
				t.Errorf("the same state gives\n%s\nafter\n%s", again.Text, got.Text)
			}
			if p := must[recall.Pushed](l)(l.Recall.Pushed(l.ctx(), older, "")); string(p.Part) != c.part {
				t.Errorf("the older one is pushed in %q: %s", p.Part, p.NotPushed)
			}
			other := l.context(recall.ContextQuery{Project: "blog"})
			if strings.Contains(other.Text, "5433") || !strings.Contains(other.Text, "today "+c.kind+": Staging moves to port 5500 ["+newer[:6]+"]\n") {
				t.Errorf("in another project:\n%s", other.Text)
			}
		})
	}
}

// Of three statements in two pairs each is shown once.
func TestPairsWithOneMemoryHideNothing(t *testing.T) {
	l := newLab(t)
	var ids []string
	for _, text := range []string{"Staging listens on port 5433", "Staging moves to port 5500", "Staging is on port 5600"} {
		ids = append(ids, l.keep("", "decision", "", text))
		l.later(time.Hour)
	}
	l.pairOf(ids[1], ids[0])
	l.pairOf(ids[2], ids[1])
	c := l.context(recall.ContextQuery{})
	for _, port := range []string{"5433", "5500", "5600"} {
		if strings.Count(c.Text, "port "+port) != 1 {
			t.Errorf("%s stands there %d times:\n%s", port, strings.Count(c.Text, "port "+port), c.Text)
		}
	}
	if len(c.Lines) != 2 || !strings.Contains(c.Text, "5600 ["+ids[2][:6]+"]; or still, of 2026-02-05: Staging moves to port 5500 [") {
		t.Errorf("the newest pair is not one line:\n%s", c.Text)
	}
}

// A decision that is an open reminder as well is one line, the reminder's.
func TestAReminderIsNoLineTwice(t *testing.T) {
	for _, kind := range []string{"decision", "preference", "fact"} {
		l := newLab(t)
		id := l.keep("", kind, "", "Rotate the deploy key")
		for _, due := range []time.Duration{0, brain.Day, 2 * brain.Day} {
			source := brain.Source{Kind: brain.Reminder, Text: "Rotate the deploy key", Due: l.now.Add(due)}
			if due == 0 {
				source.Due = time.Time{}
			}
			must[brain.Captured](l)(l.Capture.Capture(l.ctx(), must[brain.Capture](l)(l.Capture.New(source, brain.Details{}))))
		}
		for _, tier := range []tiers.Tier{tiers.Working, tiers.Core} {
			if tier == tiers.Core {
				ran[brain.Memory](l)(l.Review.SetCore(l.ctx(), id, false))
			}
			c := l.context(recall.ContextQuery{})
			if strings.Count(c.Text, "reminder: Rotate the deploy key") != 3 || strings.Count(c.Text, "Rotate") != 3 {
				t.Errorf("%s in the %s tier:\n%s", kind, tier, c.Text)
			}
		}
	}
}

// A pair whose text was corrected, or of which one was replaced, is no pair any more.
func TestAPairEndsWithItsTexts(t *testing.T) {
	for name, end := range map[string]func(l *lab, newer, older string){
		"corrected": func(l *lab, newer, _ string) {
			ran[brain.Memory](l)(l.Capture.Correct(l.ctx(), newer, "", "Staging stays where it is"))
		},
		"replaced": func(l *lab, newer, older string) {
			if _, _, err := l.Review.Replace(l.ctx(), older, newer); err != nil {
				l.t.Fatal(err)
			}
		},
		"forgotten": func(l *lab, newer, _ string) {
			if _, _, err := l.Journal.Forget(l.ctx(), newer, "gone"); err != nil {
				l.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			older := l.keep("", "decision", "", "Staging listens on port 5433")
			l.later(time.Hour)
			newer := l.keep("", "decision", "", "Staging moves to port 5500")
			l.pairOf(newer, older)
			end(l, newer, older)
			if c := l.context(recall.ContextQuery{}); strings.Contains(c.Text, "or still") {
				t.Errorf("context:\n%s", c.Text)
			}
		})
	}
	l := newLab(t)
	older := l.keep("", "decision", "", "Staging listens on port 5433")
	newer := l.keep("", "decision", "", "Staging moves to port 5500")
	l.pairOf(newer, older)
	must[brain.Memory](l)(l.Capture.Boost(l.ctx(), older, 3))
	l.later(time.Minute)
	l.consolidate()
	promoted := l.show(older).Memory
	if promoted.ID != older || *promoted.Tier == tiers.Working {
		t.Fatalf("%s was not promoted: %+v", older, promoted)
	}
	if c := l.context(recall.ContextQuery{}); !strings.Contains(c.Text, "Staging listens on port 5433 ["+promoted.ID[:6]+"]?") {
		t.Errorf("after a promotion of the older one:\n%s", c.Text)
	}
}
