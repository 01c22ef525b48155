package bench

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
)

func TestBenchTargetsDependOnStoreAndSize(t *testing.T) {
	for _, c := range []struct {
		f    Figure
		want string
	}{
		{Figure{Name: "recall", Store: "sqlite", Memories: 100_000}, "4 / 10 ms"},
		{Figure{Name: "recall", Store: "sqlite", Memories: 1_000_000}, "12 / 40 ms"},
		{Figure{Name: "recall", Store: "sqlite", Memories: 50_000}, ""},
		{Figure{Name: "recall", Store: "neo4j", Memories: 100_000}, "10 / 30 ms"},
		{Figure{Name: "capture", Store: "sqlite"}, "15 ms, 3 × floor = 12.0 ms"},
		{Figure{Name: "capture", Store: "neo4j"}, "80 ms"},
		{Figure{Name: "version", Store: "neo4j"}, ""},
	} {
		if got := target(c.f, Floor{ProcessStartMs: 3, DurableWriteMs: 1}); got != c.want {
			t.Errorf("target of %s at %d on %s is %q, want %q", c.f.Name, c.f.Memories, c.f.Store, got, c.want)
		}
	}
}

func TestPercentileIsTheNearestRank(t *testing.T) {
	var ten []time.Duration
	for i := range 10 {
		ten = append(ten, time.Duration(i+1))
	}
	for p, want := range map[int]time.Duration{1: 1, 50: 5, 51: 6, 95: 10, 100: 10} {
		if got := percentile(ten, p); got != want {
			t.Errorf("percentile %d of 1 to 10 is %d, want %d", p, got, want)
		}
	}
	if got := percentile(nil, 50); got != 0 {
		t.Errorf("percentile of nothing is %d", got)
	}
}

func TestBenchTextIsLikeEnglish(t *testing.T) {
	a, z := newTextMaker(1), newTextMaker(1)
	if first, second := a.body(), z.body(); first != second {
		t.Errorf("the same seed made %q and %q", first, second)
	}
	if n := len(a.forms); n < 20_000 || n > 40_000 {
		t.Errorf("there are %d word forms, want 20,000 to 40,000", n)
	}
	counts := map[string]int{}
	for range 1000 {
		body := a.body()
		if n := len(strings.Fields(body)); n != bodyWords {
			t.Fatalf("%q has %d words, want %d", body, n, bodyWords)
		}
		for _, term := range words.Terms(body) {
			counts[term]++
		}
	}
	the, once := counts["the"], 0
	for _, n := range counts {
		if n == 1 {
			once++
		}
	}
	// In 40,000 words of English "the" is one in 12 to 30, and close to half of
	// the different words occur once.
	if the < 1300 || the > 4000 || once < len(counts)/4 {
		t.Errorf("%d times \"the\" and %d of %d words once: not like English", the, once, len(counts))
	}
	if n := len(strings.Fields(a.title())); n != nameWords {
		t.Errorf("a title has %d words, want %d", n, nameWords)
	}
}

func TestBenchQuestionsHoldDifferentWordsThatFind(t *testing.T) {
	text := newTextMaker(2)
	for i := range 100 {
		want := 2 + i%3
		asked := strings.Fields(text.question(want))
		slices.Sort(asked)
		if len(slices.Compact(asked)) != want || slices.ContainsFunc(asked, words.Stop) {
			t.Errorf("asked %v, want %d different words that are no stop words", asked, want)
		}
	}
}

func TestBenchMemoriesFallDueOnlyWhenMeant(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "brain.db"), "due")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, s) })
	b, text := services.New(s, services.Options{}), newTextMaker(3)
	due := func(at time.Time) (n int) {
		err := s.View(t.Context(), func(r brain.Reader) error {
			found, err := lifecycle.ReadDue(r, at)
			n = len(found)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := load(t.Context(), b, text, 2500, func(int) {}); err != nil {
		t.Fatal(err)
	}
	if n := due(b.Base.Now().Add(2 * time.Hour)); n != 0 {
		t.Errorf("%d of the loaded memories fall due within two hours", n)
	}
	if err := errors.Join(loadExpired(t.Context(), b, text, 30), loadPromotable(t.Context(), b, text, 1200)); err != nil {
		t.Fatal(err)
	}
	if n := due(b.Base.Now()); n != 1230 {
		t.Errorf("%d memories are due, want 30 to expire and 1,200 to move up", n)
	}
}
