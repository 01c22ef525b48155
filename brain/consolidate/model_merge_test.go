package consolidate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/tiers"
)

// listener is a model: it answers with what say makes of a cluster, by default
// the longest text.
type listener struct {
	asked [][]string // texts, by question
	say   func(sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error)
}

func (l *listener) Merge(_ context.Context, sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
	texts := make([]string, len(sources))
	for i := range sources {
		texts[i] = sources[i].Content
	}
	l.asked = append(l.asked, texts)
	if l.say != nil {
		return l.say(sources)
	}
	return longest(sources), cost(), nil
}

func longest(sources []brain.Memory) consolidate.ModelProposal {
	m := slices.MaxFunc(sources, func(a, b brain.Memory) int { return len(a.Content) - len(b.Content) })
	return consolidate.ModelProposal{Content: m.Content, Subject: m.Name, Type: m.MemoryType}
}

func cost() consolidate.ModelCost {
	return consolidate.ModelCost{Tokens: 500, Calls: 1}
}

// remember stores a memory and returns its id.
func remember(t testing.TB, b *services.Services, kind, text string, d brain.Details) string {
	t.Helper()
	c, err := b.Capture.NewMemory(brain.Memory{Content: text, MemoryType: kind}, d)
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.Capture.Capture(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return out.MemoryID
}

func herons(kind string) (a, b string) {
	return "The heron service keeps the sessions of its users in " + kind + " on the big machine downstairs",
		"The heron service keeps the sessions of users in " + kind + " on the big dusty machine downstairs"
}

// tierRun is a run of the model tier alone.
func tierRun(t testing.TB, s brain.Store, now time.Time, o consolidate.ModelOptions, req consolidate.Request) consolidate.Report {
	t.Helper()
	b := testlab.At(s, now)
	o.Warn = func(err error) { t.Log(err) }
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{consolidate.NewModelMerge(b.Base, b.Review, o)}})
	req.Kind = brain.RunConsolidate
	rep, err := r.Run(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestAModelMergesWhatIsAlike(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	one, two := herons("memory")
	a := remember(t, b, "fact", one, brain.Details{Tags: []string{"heron"}, Importance: brain.Reference})
	z := remember(t, b, "fact", two, brain.Details{Tags: []string{"sessions"}, Importance: brain.Important})
	other := remember(t, b, "fact", "Lunch is at noon in the canteen across the street", brain.Details{})
	numbered := remember(t, b, "fact", one+" at port 5432", brain.Details{})
	backups := 0
	l := &listener{say: func(sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
		m := longest(sources)
		m.Subject, m.Importance = "sessions of the heron service", brain.Critical
		m.Type, m.Tags = "preference", []string{"downstairs", "kafka"}
		return m, cost(), nil
	}}
	o := consolidate.ModelOptions{Merger: l, Model: "small", IdempotencyDays: 7, Backup: func(context.Context) (string, error) {
		backups++
		return "/backups/1", nil
	}}
	rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	if len(l.asked) != 1 || !slices.Equal(l.asked[0], []string{one, two}) && !slices.Equal(l.asked[0], []string{two, one}) {
		t.Fatalf("asked %q", l.asked)
	}
	if rep.LLMCalls != 1 || rep.Tokens != 500 || rep.Clusters != 1 || rep.Merged != 1 || rep.Backup != "/backups/1" || backups != 1 || rep.Remaining != 0 {
		t.Errorf("report %+v", rep.Figures)
	}
	shown, err := b.Recall.Show(t.Context(), a, false)
	if err != nil {
		t.Fatal(err)
	}
	made := testlab.Memory(t, s, shown.Memory.ID)
	if made.ID != a && made.ID != z || made.Content != two || made.Name != "sessions of the heron service" || made.MemoryType != "fact" ||
		made.Importance != brain.Critical || made.Retention != "" || !slices.Equal(made.Tags, []string{"downstairs", "heron", "sessions"}) && !slices.Equal(made.Tags, []string{"downstairs", "sessions", "heron"}) {
		t.Errorf("made %+v", made)
	}
	for _, id := range []string{a, z} {
		if m := testlab.Memory(t, s, id); m.Tier != tiers.Superseded && id != made.ID {
			t.Errorf("%s is %s", id, m.Tier)
		}
	}
	for _, id := range []string{other, numbered} {
		if m := testlab.Memory(t, s, id); m.Tier != tiers.Working || m.Version != 0 {
			t.Errorf("%s was touched: it is %s, version %d", id, m.Tier, m.Version)
		}
	}
	if again := tierRun(t, s, testlab.Start(), o, consolidate.Request{}); len(l.asked) != 1 || again.Clusters != 0 || backups != 1 {
		t.Errorf("asked again: %q, %+v", l.asked, again.Figures)
	}
}

// A subject that none of the memories speaks of is not the model's to invent.
func TestASubjectComesFromTheSources(t *testing.T) {
	one, two := herons("memory")
	for subject, want := range map[string]string{
		"Sessions of the heron": "Sessions of the heron", "Password of Alice": "Heron sessions", "": "Heron sessions", "the": "Heron sessions",
	} {
		s := testlab.OpenStore(t)
		b := testlab.At(s, testlab.Start())
		remember(t, b, "fact", one, brain.Details{})
		c, err := b.Capture.NewMemory(brain.Memory{Name: "Heron sessions", Content: two, MemoryType: "fact"}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := b.Capture.Capture(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		l := &listener{say: func(sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
			m := longest(sources)
			m.Subject = subject
			return m, cost(), nil
		}}
		tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{})
		shown, err := b.Recall.Show(t.Context(), out.MemoryID, false)
		if err != nil || shown.Memory.Name != want {
			t.Errorf("%q: the merged memory is called %q, %v; want %q", subject, shown.Memory.Name, err, want)
		}
	}
}

// What was merged a short time ago is left alone, however alike it is to what
// came since.
func TestWhatWasMergedIsLeftAloneForDays(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	one, two := herons("memory")
	remember(t, b, "fact", one, brain.Details{})
	remember(t, b, "fact", two, brain.Details{})
	l := &listener{}
	o := consolidate.ModelOptions{Merger: l, IdempotencyDays: 7}
	tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	soon, late := testlab.Start().Add(6*24*time.Hour), testlab.Start().Add(8*24*time.Hour)
	remember(t, testlab.At(s, soon), "fact", "Now "+one, brain.Details{})
	if tierRun(t, s, soon, o, consolidate.Request{}); len(l.asked) != 1 {
		t.Fatalf("asked after six days: %q", l.asked)
	}
	if tierRun(t, s, late, o, consolidate.Request{}); len(l.asked) != 2 {
		t.Fatalf("not asked after eight days: %q", l.asked)
	}
}

func TestWhatDoesNotHoldGoesToReview(t *testing.T) {
	one, two := herons("memory")
	for name, test := range map[string]struct{ answer, want string }{
		"an invented number": {two + " at port 9999", "a number that none"},
		"an invented name":   {two + " which Alice bought", "a name that none"},
		"an invented URL":    {two + " see https://evil.example/x", "a URL that none"},
		"an invented path":   {two + " see /etc/passwd", "a path that none"},
		"all of these":       {"Lunch is at noon, for 4711 see https://evil.example/x", "at least 0.50 is needed; the merged text has a number and URL"},
		"another subject":    {strings.Replace(two, "heron", "otter", 1), `about something else: it leaves out "heron"`},
		"turned around":      {strings.Replace(two, "keeps", "never keeps", 1), "a negation that none"},
		"another text":       {"Lunch is at noon in the canteen across the street", "too far from one of the memories"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testlab.OpenStore(t)
			b := testlab.At(s, testlab.Start())
			ids := []string{remember(t, b, "fact", one, brain.Details{}), remember(t, b, "fact", two, brain.Details{})}
			l := &listener{say: func([]brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
				return consolidate.ModelProposal{Content: test.answer, Notes: "not sure of the port"}, cost(), nil
			}}
			o := consolidate.ModelOptions{Merger: l, Backup: func(context.Context) (string, error) { return "", errors.New("not needed") }}
			rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
			if rep.Flagged != 1 || rep.Merged != 0 || len(rep.Actions) != 0 || rep.Partial {
				t.Errorf("report %+v", rep)
			}
			items, err := b.Review.Reviews(t.Context(), brain.ReviewPending)
			if err != nil || len(items) != 1 {
				t.Fatalf("%+v, %v", items, err)
			}
			item := items[0]
			slices.Sort(item.Memories)
			slices.Sort(ids)
			if item.Kind != brain.ReviewMerge || !strings.Contains(item.Reason, test.want) || !strings.Contains(item.Reason, "not sure of the port") ||
				item.Proposed == nil || item.Proposed.Content != test.answer || !slices.Equal(item.Memories, ids) {
				t.Errorf("item %+v", item)
			}
			for _, id := range ids {
				if m := testlab.Memory(t, s, id); m.Tier != tiers.Working || m.Version != 0 {
					t.Errorf("%s was touched: it is %s, version %d", id, m.Tier, m.Version)
				}
			}
			if tierRun(t, s, testlab.Start(), o, consolidate.Request{}); len(l.asked) != 1 {
				t.Errorf("asked again, though it waits for a person")
			}
		})
	}
}

func TestAFactThatAllHaveMayNotGetLost(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	one, two := herons("memory")
	remember(t, b, "fact", one+" at port 5432", brain.Details{})
	remember(t, b, "fact", two+" at port 5432", brain.Details{})
	l := &listener{say: func([]brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
		return consolidate.ModelProposal{Content: two}, cost(), nil
	}}
	if rep := tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{}); rep.Flagged != 1 || rep.Merged != 0 {
		t.Errorf("report %+v", rep.Figures)
	}
}

// Contradictions are asked about by nobody but a person, and so is what is about
// different things.
func TestAModelIsNotAskedAboutContradictions(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	one, _ := herons("memory")
	for i, text := range []string{one, strings.Replace(one, "keeps", "never keeps", 1), one + " at port 5432", one + " since 2026-01-02", one + " of Alice", strings.Replace(one, "heron", "otter", 1)} {
		remember(t, b, "fact", text, brain.Details{})
		remember(t, b, "decision", text+strings.Repeat("!", i), brain.Details{Project: "elsewhere"})
	}
	l := &listener{}
	tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{})
	for _, texts := range l.asked {
		t.Errorf("asked about %q", texts)
	}
}

// A memory that somebody corrects while the model thinks is not merged.
func TestAClusterThatChangedMeanwhileIsSkipped(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 1)
	b := testlab.At(s, testlab.Start())
	l := &listener{say: func(sources []brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
		if _, _, err := b.Capture.Correct(t.Context(), sources[0].ID, "", "something else altogether"); err != nil {
			t.Fatal(err)
		}
		return longest(sources), cost(), nil
	}}
	rep := tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{})
	if rep.Skipped != 3 || rep.Merged != 0 || current(t, s, ids) != 3 {
		t.Errorf("%+v, %d are current", rep.Figures, current(t, s, ids))
	}
}

func TestAPlanAsksNobodyAndWritesNothing(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 3)
	read := storetest.Failing(s, storetest.Plan{})
	l := &listener{}
	rep := tierRun(t, read, testlab.Start(), consolidate.ModelOptions{Merger: l}, consolidate.Request{DryRun: true})
	if len(l.asked) != 0 || rep.Clusters != 3 || len(rep.Actions) != 3 || current(t, s, ids) != 9 || rep.LLMCalls != 0 {
		t.Errorf("asked %d times, %+v", len(l.asked), rep)
	}
	if a := rep.Actions[0]; a.Kind != "merge" || len(a.IDs) != 3 || !strings.Contains(a.Reason, "a model would be asked to merge 3 memories, similarity 0.") {
		t.Errorf("planned %+v", a)
	}
	if err := s.View(t.Context(), func(r brain.Reader) error {
		recs, err := r.ListRecords(brain.CheckpointRecord, brain.RecordFilter{Limit: 10})
		if len(recs) > 0 {
			t.Errorf("it wrote %+v", recs)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// Two clusters of which the model makes the same become one memory.
func TestWhatARunMadeTwiceIsMerged(t *testing.T) {
	s := testlab.OpenStore(t)
	b := testlab.At(s, testlab.Start())
	common := "the release train of the heron leaves on the first working day after the long review of open points"
	for _, tail := range []string{"which the group in the north prepares", "where everybody brings cake for lunch"} {
		for _, begin := range []string{"as agreed ", "as widely agreed "} {
			remember(t, b, "fact", begin+common+" "+tail, brain.Details{})
		}
	}
	l := &listener{say: func([]brain.Memory) (consolidate.ModelProposal, consolidate.ModelCost, error) {
		return consolidate.ModelProposal{Content: common, Subject: "release train"}, cost(), nil
	}}
	rep := tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: l, IdempotencyDays: 7}, consolidate.Request{})
	var live []brain.Memory
	if err := s.View(t.Context(), func(r brain.Reader) (err error) {
		live, err = r.ListMemories(brain.ListFilter{Tier: tiers.Working, Limit: 100})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if rep.LLMCalls != 2 || len(live) != 1 || live[0].Content != common || len(live[0].MergedFrom) != 3 {
		t.Errorf("%+v, %d memories are live", rep.Figures, len(live))
	}
}

// Each call of the store fails once, at every place of the tier: a memory is
// current or superseded by one that has its text, and the next run ends it.
func TestAModelRunIsWholeWhateverFails(t *testing.T) {
	for n, failed := 1, true; failed; n++ {
		s := testlab.OpenStore(t)
		ids := many(t, s, 2)
		broken := storetest.Failing(s, storetest.Plan{FailAt: n})
		failed = false
		b := testlab.At(broken, testlab.Start())
		tier := func(b *services.Services) consolidate.Step {
			return consolidate.NewModelMerge(b.Base, b.Review, consolidate.ModelOptions{Merger: &listener{}, IdempotencyDays: 7})
		}
		r := consolidate.New(b.Base, b.Journal, consolidate.Options{Steps: []consolidate.Step{tier(b)}, Warn: func(error) { failed = true }})
		if _, err := r.Run(t.Context(), consolidate.Request{Kind: brain.RunConsolidate}); err != nil {
			failed = true
		}
		if left := current(t, s, ids); left%2 != 0 {
			t.Fatalf("call %d: %d of 6 memories are left: a cluster was merged by half", n, left)
		}
		tierRun(t, s, testlab.Start(), consolidate.ModelOptions{Merger: &listener{}, IdempotencyDays: 7}, consolidate.Request{})
		if left := current(t, s, ids); left != 2 {
			t.Fatalf("call %d: %d memories are left after the next run", n, left)
		}
		if n > 200 {
			t.Fatal("it fails for ever")
		}
	}
}

// Undoing brings all back, leaves nothing of what the model made, and the
// cluster is not asked about again.
func TestAModelMergeIsUndone(t *testing.T) {
	s := testlab.OpenStore(t)
	ids := many(t, s, 3)
	l := &listener{}
	o := consolidate.ModelOptions{Merger: l}
	rep := tierRun(t, s, testlab.Start(), o, consolidate.Request{})
	b := testlab.At(s, testlab.Start())
	keeper := rep.Actions[0].IDs[0]
	r := consolidate.New(b.Base, b.Journal, consolidate.Options{})
	undone, err := r.Undo(t.Context(), rep.RunID)
	if err != nil || undone.Undone != 3 || len(undone.Skipped) != 0 || current(t, s, ids) != 9 {
		t.Fatalf("%+v, %v; %d are current", undone, err, current(t, s, ids))
	}
	if m := testlab.Memory(t, s, keeper); len(m.MergedFrom) > 0 || m.Version != 0 {
		t.Errorf("the keeper is %+v", m)
	}
	if tierRun(t, s, testlab.Start(), o, consolidate.Request{}); len(l.asked) != 3 {
		t.Errorf("asked again: %q", l.asked[3:])
	}
}
