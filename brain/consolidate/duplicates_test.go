package consolidate_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/similar"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// put stores a memory as a capture would, and returns its id.
func put(t testing.TB, s brain.Store, content string, options ...func(*brain.Memory)) string {
	t.Helper()
	m := storetest.Memory(content, append([]func(*brain.Memory){withName("")}, options...)...)
	if m.Name == "" {
		m.Name = brain.NameOf(content)
	}
	m.NameKey, m.ContentHash = brain.NameKey(m.Name), brain.Hash(m.Name, m.Content)
	if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(m) }); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

func withName(name string) func(*brain.Memory) { return func(m *brain.Memory) { m.Name = name } }
func inProject(p string) func(*brain.Memory)   { return func(m *brain.Memory) { m.Project = p } }

func ofType(typ string) func(*brain.Memory) { return func(m *brain.Memory) { m.MemoryType = typ } }

func confirmed(times int) func(*brain.Memory) {
	return func(m *brain.Memory) { m.Confirmations = times }
}

func created(at time.Time) func(*brain.Memory) {
	return func(m *brain.Memory) { m.Created, m.ValidFrom = at, at }
}

// deduped runs the step alone, as a person would start it.
func deduped(t testing.TB, s brain.Store, o consolidate.DuplicateOptions, change ...func(*consolidate.Request)) consolidate.Report {
	t.Helper()
	b := testlab.At(s, testlab.Start().Add(time.Minute))
	req := consolidate.Request{Kind: brain.RunConsolidate, ByPerson: true, Only: []string{consolidate.StepDuplicates}}
	for _, c := range change {
		c(&req)
	}
	var warned []error
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{
		Steps: []consolidate.Step{consolidate.NewDuplicates(b.Base, b.Recall, b.Review, o)},
		Warn:  func(err error) { warned = append(warned, err) },
	})
	rep, err := r.Run(t.Context(), req)
	if err != nil || len(warned) > 0 {
		t.Fatal(err, warned)
	}
	return rep
}

func dry(req *consolidate.Request) { req.DryRun = true }

// newest is the id that an id leads to.
func newest(t testing.TB, s brain.Store, id string) string {
	t.Helper()
	shown, err := testlab.At(s, testlab.Start().Add(time.Minute)).Recall.Show(t.Context(), id, false)
	if err != nil {
		t.Fatal(err)
	}
	return shown.Memory.ID
}

// reviews lists the queue as kind and the contents of both memories.
func reviews(t testing.TB, s brain.Store) []brain.ReviewItem {
	t.Helper()
	items, err := testlab.At(s, testlab.Start()).Review.Reviews(t.Context(), brain.ReviewPending)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

const longText = "the nightly export writes one file for each tenant and region. It is compressed, signed by the release " +
	"key, copied to the archive bucket, listed in the ledger and announced to the operators, who compare the totals " +
	"with the invoices of the same period and sign the sheet"

func TestDuplicatesAreMerged(t *testing.T) {
	tests := []struct {
		name   string
		a, b   string
		named  [2]string
		merged bool
		flag   brain.ReviewKind
		reason string
	}{
		{"the same but for its form", "Ship it on Friday.", "ship it on  friday", [2]string{}, true, "", "the same text"},
		{"near-exact, one subject", longText, longText + " again", [2]string{"Export", "export"}, true, "", "near-exact duplicate"},
		{"near-exact, two subjects", longText, longText + " again", [2]string{"Export", "Reports"}, false, brain.ReviewMerge, "much the same"},
		{"word forms", "The deploys fail on full disks in the cluster", "the deploy failed on full disks in a cluster", [2]string{}, true, "", "the same words"},
		{"another order", "Alice pays Bob for the work", "Bob pays Alice for the work", [2]string{}, false, brain.ReviewMerge, "another order of words"},
		{"a contradiction of one subject", "The proxy listens on port 8080", "The proxy listens on port 8443", [2]string{"Port", "port"}, false, "", ""},
		{"a contradiction without names", "We never deploy on Fridays", "We deploy on Fridays", [2]string{}, false, "", ""},
		{"a contradiction under two names", "The port of the proxy is 8080 now", "The port of the proxy is 8443 now", [2]string{"Port", "Proxy"}, false, "", ""},
		{"nothing in common", "Ship it", "Redis is fast", [2]string{}, false, "", ""},
	}
	for _, tt := range tests {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, second comes later %v", tt.name, later), func(t *testing.T) {
				s := testlab.OpenStore(t)
				a := put(t, s, tt.a, withName(tt.named[0]))
				if later {
					deduped(t, s, consolidate.DuplicateOptions{})
				}
				b := put(t, s, tt.b, withName(tt.named[1]))
				rep := deduped(t, s, consolidate.DuplicateOptions{})
				if got := newest(t, s, a) == newest(t, s, b); got != tt.merged || (rep.Merged == 1) != tt.merged {
					t.Errorf("merged: %v, %d in the report, want %v", got, rep.Merged, tt.merged)
				}
				if tt.merged && !strings.Contains(rep.Actions[0].Reason, tt.reason) {
					t.Errorf("reason %q, want %q", rep.Actions[0].Reason, tt.reason)
				}
				items := reviews(t, s)
				if len(items) != rep.Flagged || (len(items) == 1) != (tt.flag != "") {
					t.Fatalf("flagged %d, in the queue %v", rep.Flagged, items)
				}
				if len(items) == 1 && (items[0].Kind != tt.flag || !strings.Contains(items[0].Reason, tt.reason)) {
					t.Errorf("item %s: %s, want %s: %s", items[0].Kind, items[0].Reason, tt.flag, tt.reason)
				}
				again := deduped(t, s, consolidate.DuplicateOptions{})
				full := deduped(t, s, consolidate.DuplicateOptions{Alike: similar.Defaults().Alike})
				if again.Merged+again.Flagged+full.Merged+full.Flagged > 0 {
					t.Errorf("a second run: %+v, one of all: %+v", again, full)
				}
			})
		}
	}
}

// With a model, what nothing but the order of words sets apart is left to it.
func TestModelTakesWhatIsAlike(t *testing.T) {
	s := testlab.OpenStore(t)
	put(t, s, "Alice pays Bob for the work")
	put(t, s, "Bob pays Alice for the work")
	put(t, s, "The proxy listens on port 8080")
	put(t, s, "The proxy listens on port 8443")
	deduped(t, s, consolidate.DuplicateOptions{Model: true})
	if items := reviews(t, s); len(items) != 0 {
		t.Errorf("the queue holds %v", items)
	}
}

func TestDuplicatesStayInTheirGroup(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := []string{
		put(t, s, "Ship it on Friday"), put(t, s, "Ship it on Friday!", inProject("shop")),
		put(t, s, "Ship it on Friday!", ofType("decision")), put(t, s, "ship it on friday", inProject("blog"), ofType("decision")),
	}
	rep := deduped(t, s, consolidate.DuplicateOptions{})
	for _, id := range ids {
		if newest(t, s, id) != id {
			t.Errorf("%s was merged", id)
		}
	}
	if rep.Merged+rep.Flagged > 0 || rep.Analysed != 4 {
		t.Errorf("report %+v", rep)
	}
}

func TestKeeper(t *testing.T) {
	s := testlab.OpenStore(t)
	day := func(n int) time.Time { return testlab.Start().AddDate(0, 0, -n) }
	put(t, s, "Ship it on Friday", created(day(1)))
	want := put(t, s, "ship it on friday!", created(day(2)), confirmed(1), func(m *brain.Memory) { m.RecallCount = 2 })
	put(t, s, "Ship it, on Friday", created(day(0)), confirmed(2))
	put(t, s, "Pick the blue one", created(day(3)))
	newer := put(t, s, "pick the blue one.", created(day(2)))
	deduped(t, s, consolidate.DuplicateOptions{})
	all, err := testlab.At(s, testlab.Start()).Recall.List(t.Context(), lifecycle.ListQuery{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, m := range all {
		left = append(left, m.ID)
	}
	slices.Sort(left)
	if wanted := []string{want, newer}; !slices.Equal(left, slices.Sorted(slices.Values(wanted))) {
		t.Errorf("left %v, want %v", left, wanted)
	}
}

func TestWhatIsACandidate(t *testing.T) {
	s := testlab.OpenStore(t)
	expired := put(t, s, "Ship it on Friday", storetest.Expiring(testlab.Start().Add(-time.Hour)))
	live := put(t, s, "ship it on friday!")
	ana := put(t, s, "likes tea", storetest.Entity("Ana"))
	ana2 := put(t, s, "likes tea", storetest.Entity("Ana."))
	rep := deduped(t, s, consolidate.DuplicateOptions{}, func(r *consolidate.Request) { r.ByPerson = false })
	if newest(t, s, expired) != newest(t, s, live) || rep.Analysed != 2 {
		t.Errorf("the expired one was not merged with the live one: %+v", rep)
	}
	if newest(t, s, ana) == newest(t, s, ana2) {
		t.Error("a scheduled run merged entities")
	}
	deduped(t, s, consolidate.DuplicateOptions{})
	if newest(t, s, ana) != newest(t, s, ana2) {
		t.Error("a run that a person started left two entities of one name and text")
	}
}

// Lines of one template are alike, and nothing to decide: neither those that count something,
// nor those that say the same of many things.
func TestTemplatesDoNotFloodTheQueue(t *testing.T) {
	s := testlab.OpenStore(t)
	word := func(i int) string { return fmt.Sprintf("%c%cr%cn", "bdfgk"[i%5], "aeiou"[i/5%5], "aeiou"[i/25%5]) }
	for i := range 60 {
		put(t, s, fmt.Sprintf("Deployed build %d to staging", 1234+i))
		put(t, s, fmt.Sprintf("The nightly backup of 2026-01-%02d took %d minutes", i%28+1, 10+i))
		put(t, s, fmt.Sprintf("We set the %s to %s for the billing importer, because it could not cope with what it had before.", word(i), word(i+60)))
		put(t, s, fmt.Sprintf("The %s service keeps the sessions of its users in memory on the big machine downstairs", word(i)))
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{}); rep.Merged+rep.Flagged+rep.Waiting > 0 {
		t.Errorf("flagged %d, %d wait: %v", rep.Flagged, rep.Waiting, reviews(t, s))
	}
}

// A run proposes twenty merges at most and says how many more there are; they come as the
// others are decided.
func TestMergesAreProposedALittleAtATime(t *testing.T) {
	s := testlab.OpenStore(t)
	for i := range 50 {
		// So few words in common that none is alike another room: of many texts of one template
		// [similar.Index] finds some pairs only, and other ones each time.
		room := fmt.Sprintf("%[1]c%[2]clen room has a %[1]c%[2]cbig %[1]c%[2]cred %[1]c%[2]clamp", 'a'+i%25, "eo"[i/25])
		put(t, s, "The "+room, created(testlab.Start().Add(-time.Hour)))
		put(t, s, "Our "+room, created(testlab.Start().Add(time.Duration(i-100)*time.Second)))
	}
	planned := deduped(t, s, consolidate.DuplicateOptions{}, dry)
	rep := deduped(t, s, consolidate.DuplicateOptions{})
	if planned.Flagged != 20 || rep.Flagged != 20 || rep.Waiting != 30 || planned.Waiting != 30 || rep.Remaining != 0 {
		t.Fatalf("planned %+v, done %+v, %v", planned.Figures, rep.Figures, reviews(t, s))
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{}); rep.Flagged != 0 || rep.Waiting != 30 {
		t.Errorf("proposed more before anything was decided: %+v", rep.Figures)
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{}, func(r *consolidate.Request) { r.Type = "none" }); rep.Waiting != 0 {
		t.Errorf("%d wait of a type that has none", rep.Waiting)
	}
	for _, item := range reviews(t, s)[:7] {
		if _, err := testlab.At(s, testlab.Start()).Review.Decide(t.Context(), item.ID, brain.VerdictBoth, ""); err != nil {
			t.Fatal(err)
		}
	}
	if rep := deduped(t, s, consolidate.DuplicateOptions{}); rep.Flagged != 7 || rep.Waiting != 23 {
		t.Errorf("after seven decisions: %+v", rep.Figures)
	}
}

// A dry run says what a run would do, with present ids, and writes nothing.
func TestDryRunOfDuplicates(t *testing.T) {
	s := testlab.OpenStore(t)
	for i := range 14 {
		put(t, s, "The nightly build is green"+strings.Repeat("!", i))
	}
	put(t, s, "The proxy listens on port 8080")
	put(t, s, "The proxy listens on port 8443")
	before := everything(t, s)
	planned := deduped(t, s, consolidate.DuplicateOptions{}, dry)
	if after := everything(t, s); after != before {
		t.Errorf("a dry run wrote:\n%s\nbefore:\n%s", after, before)
	}
	done := deduped(t, s, consolidate.DuplicateOptions{})
	if planned.Merged != done.Merged || planned.Flagged != done.Flagged || planned.Clusters != done.Clusters || done.Merged != 13 {
		t.Errorf("planned %+v, done %+v", planned.Figures, done.Figures)
	}
}

// everything is all that the store holds of memories and book-keeping.
func everything(t *testing.T, s brain.Store) string {
	t.Helper()
	var out strings.Builder
	for w, err := range testlab.At(s, testlab.Start()).Recall.AllMemories(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%+v\n", w)
	}
	err := s.View(t.Context(), func(r brain.Reader) error {
		for _, kind := range brain.RecordKinds() {
			recs, err := r.ListRecords(kind, brain.RecordFilter{Limit: 1000})
			if err != nil {
				return err
			}
			for _, rec := range recs {
				fmt.Fprintf(&out, "%s %s %s\n", rec.Kind, rec.ID, rec.Body)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// meddling corrects a memory right before a transaction, once.
type meddling struct {
	brain.Store
	meddle func()
}

func (m *meddling) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if do := m.meddle; do != nil {
		m.meddle = nil
		do()
	}
	return m.Store.Update(ctx, fn)
}

func TestDuplicateThatChangesMeanwhile(t *testing.T) {
	s := testlab.OpenStore(t)
	a, b := put(t, s, "Ship it on Friday"), put(t, s, "ship it on friday!")
	c, d := put(t, s, "Pick the blue one"), put(t, s, "pick the blue one!")
	m := &meddling{Store: s, meddle: func() {
		if _, _, err := testlab.At(s, testlab.Start()).Capture.Correct(t.Context(), a, "", "Ship it on Monday"); err != nil {
			t.Error(err)
		}
	}}
	br := testlab.At(m, testlab.Start().Add(time.Minute))
	step := consolidate.NewDuplicates(br.Base, br.Recall, br.Review, consolidate.DuplicateOptions{})
	scope := consolidate.Scope{Now: testlab.Start(), Numbers: tiers.DefaultPolicy(), Progress: func(int, int) {}}
	out, _, err := step.Apply(t.Context(), scope, brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: testlab.Start()})
	if err != nil {
		t.Fatal(err)
	}
	if out.Skipped != 2 || newest(t, s, a) == newest(t, s, b) {
		t.Errorf("skipped %d; what changed was merged: %v", out.Skipped, newest(t, s, a) == newest(t, s, b))
	}
	if newest(t, s, c) != newest(t, s, d) {
		t.Error("the others were not merged")
	}
}

// Closing a reminder closes those that were merged with it, so these are due and done alike.
func TestRemindersAreMergedIfDueAndDoneAlike(t *testing.T) {
	december := testlab.Start().AddDate(0, 10, 0)
	january := december.AddDate(0, 1, 0)
	for name, tt := range map[string]struct {
		a, b   brain.Source
		merged bool
	}{
		"due alike":      {brain.Source{Due: december}, brain.Source{Due: december}, true},
		"without a date": {brain.Source{}, brain.Source{}, true},
		"other dates":    {brain.Source{Due: december}, brain.Source{Due: january}, false},
		"one has a date": {brain.Source{Due: december}, brain.Source{}, false},
		"one is done":    {brain.Source{Done: december}, brain.Source{}, false},
		"both are done":  {brain.Source{Done: december}, brain.Source{Done: january}, true},
	} {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, second comes later %v", name, later), func(t *testing.T) {
				s := testlab.OpenStore(t)
				remind := func(id, text string, r brain.Source) string {
					r.ID, r.Kind, r.Text, r.Created = id, brain.Reminder, text, testlab.Start()
					if err := s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutSources(r) }); err != nil {
						t.Fatal(err)
					}
					return put(t, s, text, ofType("reminder"), func(m *brain.Memory) { m.SourceNodeID = id })
				}
				a := remind("s-1", "pay the rent", tt.a)
				if later {
					deduped(t, s, consolidate.DuplicateOptions{})
				}
				b := remind("s-2", "Pay the rent.", tt.b)
				rep := deduped(t, s, consolidate.DuplicateOptions{})
				if merged := newest(t, s, a) == newest(t, s, b); merged != tt.merged || len(reviews(t, s)) > 0 {
					t.Errorf("merged %v, want %v: %+v, asked %+v", merged, tt.merged, rep.Figures, reviews(t, s))
				}
			})
		}
	}
}
