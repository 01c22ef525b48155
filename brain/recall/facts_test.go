package recall_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
)

// fact is something that was noted once, and three ways of asking for it.
type fact struct {
	name     string // of the thing that it tells of
	note     string
	phrase   string // as it was written
	keywords string // in another order
	question string // in plain words, with other forms of the words
}

// plantedFacts are 50 facts. Each is told of a thing with a name of two words
// that occur by themselves all over the notes, and ten things share each kind
// of fact, so that no word alone gives the answer away.
func plantedFacts(text *generate.Text) []fact {
	tellings := []func(name string, i int) fact{
		func(n string, i int) fact {
			return fact{
				n, fmt.Sprintf("The %s listens on port %d since the server was moved.", n, 7000+i),
				fmt.Sprintf("%s listens on port", n), reversed("listens port", n),
				fmt.Sprintf("what port does the %s listen on?", n),
			}
		},
		func(n string, i int) fact {
			return fact{
				n, fmt.Sprintf("Requests to the %s time out after %d seconds, then the client retries.", n, 10+i),
				fmt.Sprintf("%s time out after %d seconds", n, 10+i), reversed("requests time seconds", n),
				fmt.Sprintf("after how many seconds does a request to the %s time out?", n),
			}
		},
		func(n string, i int) fact {
			return fact{
				n, fmt.Sprintf("Backups of the %s are stored in bucket %d every night.", n, 40+i),
				fmt.Sprintf("backups of the %s are stored", n), reversed("backups bucket", n),
				fmt.Sprintf("where is the backup of the %s stored?", n),
			}
		},
		func(n string, i int) fact {
			return fact{
				n, fmt.Sprintf("We decided to keep the %s on version %d until the migration is over.", n, 3+i),
				fmt.Sprintf("keep the %s on version", n), reversed("decided version", n),
				fmt.Sprintf("which version did we decide to keep the %s on?", n),
			}
		},
		func(n string, i int) fact {
			return fact{
				n, fmt.Sprintf("The certificate of the %s expires in week %d and is renewed by hand.", n, 2+i),
				fmt.Sprintf("certificate of the %s expires", n), reversed("certificate renewed", n),
				fmt.Sprintf("when does the certificate of the %s expire?", n),
			}
		},
	}
	var facts []fact
	for i := range 50 {
		facts = append(facts, tellings[i%len(tellings)](text.Thing(), i))
	}
	return facts
}

func reversed(keywords, name string) string {
	all := append(strings.Fields(name), strings.Fields(keywords)...)
	slices.Reverse(all)
	return strings.Join(all, " ")
}

// plant stores n notes with the facts among them, each within a note of usual
// length.
func plant(t *testing.T, s brain.Store, n int, seed uint64) []fact {
	t.Helper()
	b := services.New(s, services.Options{})
	text := generate.New(seed)
	if err := generate.Load(t.Context(), b, text, n/2); err != nil {
		t.Fatal(err)
	}
	facts := plantedFacts(text)
	policy, err := b.Base.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(t.Context(), func(tx brain.Tx) error {
		for i := range facts {
			m := text.Memory(policy, b.Base.Now())
			m.Content = text.Body() + " " + facts[i].note + " " + text.Body()
			if err := tx.PutMemories(m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := generate.Load(t.Context(), b, text, n-n/2); err != nil {
		t.Fatal(err)
	}
	return facts
}

// answered counts the questions whose first answer holds the fact.
func answered(ctx context.Context, t *testing.T, b *services.Services, facts []fact, ask func(fact) string) int {
	t.Helper()
	right := 0
	for _, f := range facts {
		got, err := b.Recall.Recall(ctx, recall.Query{Words: words.Parse(ask(f)), NoTouch: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Results) > 0 && strings.Contains(got.Results[0].Memory.Content, f.note) {
			right++
		} else {
			t.Logf("not the first answer: %q for %q", f.note, ask(f))
		}
	}
	return right
}

func testFacts(t *testing.T, s brain.Store, facts []fact) {
	b := services.New(s, services.Options{})
	for _, c := range []struct {
		how   string
		least int
		ask   func(fact) string
	}{
		{"as a phrase", 50, func(f fact) string { return `"` + f.phrase + `"` }},
		{"as the words of the phrase", 50, func(f fact) string { return f.phrase }},
		{"as keywords in another order", 50, func(f fact) string { return f.keywords }},
		{"as a question in plain words", 48, func(f fact) string { return f.question }},
	} {
		t.Run(c.how, func(t *testing.T) {
			if got := answered(t.Context(), t, b, facts, c.ask); got < c.least {
				t.Errorf("%d of %d facts were the first answer, want %d", got, len(facts), c.least)
			}
		})
	}
}

// Among how many notes the facts are planted, and of which text: the same on
// both stores.
const (
	factNotes = 10_000
	factSeed  = 1
)

func TestPlantedFactsAreTheFirstAnswer(t *testing.T) {
	s := opened[*sqlite.Store](t)(sqlite.Open(t.Context(), t.TempDir()+"/brain.db", "facts"))
	testFacts(t, s, plant(t, s, factNotes, factSeed))
}

// What other brains of a server hold must not change which answer is the first.
// One of them is filled with the opposite: what tells the facts apart is in
// every note there.
func TestPlantedFactsAreTheFirstAnswerOnNeo4j(t *testing.T) {
	s, other := factsBrain(t), factsBrain(t)
	facts := plant(t, s, factNotes, factSeed)
	var names []string
	for _, f := range facts {
		names = append(names, f.name)
	}
	b := services.New(other, services.Options{})
	policy, err := b.Base.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := generate.New(factSeed)
	for range 10 {
		var ms []brain.Memory
		for range factNotes / 20 {
			m := text.Memory(policy, b.Base.Now())
			m.Content = strings.Join(names, " ")
			ms = append(ms, m)
		}
		if err := other.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			t.Fatal(err)
		}
	}
	testFacts(t, s, facts)
}

// factsBrain opens a brain of its own on the shared server.
func factsBrain(t *testing.T) brain.Store {
	return opened[*neo4j.Store](t)(neo4j.Open(t.Context(), neo4j.Config{URI: neo4jtest.Server(t), Brain: "facts-" + brain.NewID()}))
}
