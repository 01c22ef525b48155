package statement

import (
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

func TestStatements(t *testing.T) {
	long := "We keep the tables of the billing service and of the invoice importer in one PostgreSQL cluster"
	for _, c := range []struct {
		name string
		m    brain.Memory
		want string
	}{
		{"a learning needs its text", brain.Memory{Name: "postgres", Content: "listens on 5432", MemoryType: "learning"}, "postgres: listens on 5432"},
		{"a title and its reason", brain.Memory{Name: "Staging moves to port 5433", Content: "Because the old cluster holds 5432."}, "Staging moves to port 5433, because the old cluster holds 5432"},
		{"a title and more", brain.Memory{Name: "Staging moves to port 5433.", Content: "The old cluster holds 5432. Ask Mei."}, "Staging moves to port 5433: The old cluster holds 5432"},
		{"a title that begins the text", brain.Memory{Name: "We chose Go", Content: "We chose Go because of its tools.\nSaid by Ada"}, "We chose Go because of its tools. Said by Ada"},
		{"a title from a quote", brain.Memory{Name: "staging moves to port 5500", Content: "> okay then, staging moves to port 5500 since 5433 is taken\n\nSaid by the user"}, "staging moves to port 5500, since 5433 is taken"},
		{"a cut name", brain.Memory{Name: long[:80], Content: long + ". It is cheaper."}, long + ". It is cheaper"},
		{"a title above a paragraph", brain.Memory{Content: "Incident of the archive host\n\nThe replica lost its log because the disk was full. Keep two days."}, "Incident of the archive host: The replica lost its log because the disk was full. Keep two days"},
		{"a title above a reason", brain.Memory{Content: "We chose Go\n\nBecause of its tools."}, "We chose Go, because of its tools"},
		{"a heading", brain.Memory{Content: "# Cache\n\n## Decision\n\nWe use Redis for the cache."}, "Cache: We use Redis for the cache"},
		{"a heading alone", brain.Memory{Content: "# We use Redis"}, "We use Redis"},
		{"the kind as a label", brain.Memory{Content: "decision: The currency is EUR", MemoryType: "decision"}, "The currency is EUR"},
		{"the kind in bold", brain.Memory{Content: "- **Lesson:** Close the pool **first**", MemoryType: "lesson"}, "Close the pool first"},
		{"another word as a label", brain.Memory{Content: "Lesson: a plan", MemoryType: "decision"}, "Lesson: a plan"},
		{"a subject in front", brain.Memory{Name: "Ada – Likes short answers", Content: "Likes short answers. Said so twice.\n\n(Ada)"}, "Ada – Likes short answers. Said so twice"},
		{"a sign in front", brain.Memory{Content: ">48h in one status is stale. Move it."}, ">48h in one status is stale. Move it"},
		{"a tag", brain.Memory{Content: "Staging runs on port 5433 #project/webshop"}, "Staging runs on port 5433"},
		{"a date in front", brain.Memory{Content: "2026-09-01: Release day is Friday"}, "Release day is Friday"},
		{"a date as the subject", brain.Memory{Content: "2026-09-01 is the release day"}, "2026-09-01 is the release day"},
		{"an answer of a form", brain.Memory{Name: "Which animal should the landing page have? Moss", Content: "> Which animal should the landing page have?\n> Moss\n\nSaid by the user", MemoryType: "decision"}, "Which animal should the landing page have? Moss"},
		{"an answer of a form to a long question", brain.Memory{Name: "Which of the animals that the agency drew should the landing page… The turtle", Content: "> Which of the animals that the agency drew should the landing page of the product have?\n> The turtle", MemoryType: "decision"}, "Which of the animals that the agency drew should the landing page… The turtle"},
		{"a name alone", brain.Memory{Name: "We chose Go"}, "We chose Go"},
		{"an entity", brain.Memory{Name: "Ada", Observations: []string{"writes Go", "lives in Oslo"}}, "Ada: writes Go; lives in Oslo"},
	} {
		c.m.Entity = len(c.m.Observations) > 0
		if c.m.Name == "" {
			c.m.Name = brain.NameOf(c.m.Content)
		}
		if got := Of(&c.m).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAContextLineWithoutWhatHeldBefore(t *testing.T) {
	for _, was := range []string{"", "Staging (old): port 5432, until May, until 2026-10-02"} {
		if got := WithoutFormer(WithFormer("Staging: port 5433", was)); got != "Staging: port 5433" {
			t.Errorf("%q: %q", was, got)
		}
	}
}

func TestRelativeDates(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("", 3600))
	for at, want := range map[time.Time]string{
		now.Add(-10 * time.Minute): "today",
		now.Add(-time.Hour):        "yesterday",
		now.Add(-25 * time.Hour):   "2026-02-27",
		now.Add(24 * time.Hour):    "2026-03-02",
	} {
		if got := RelativeDate(at, now); got != want {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
}

func TestStatementsThatSayTheSameHaveOneKey(t *testing.T) {
	key := func(s string) string { return Statement{Title: s}.Key() }
	if a, b := key("The default branch is  Trunk."), key("Default branch is trunk"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := key("We deploy on Fridays"), key("We do not deploy on Fridays"); a == b {
		t.Errorf("both are %q", a)
	}
}
