package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// listed are the entries of an answer.
type listed struct {
	Results []struct{ ID, Kind, Text, Date, Project string }
}

func TestForgettingIsPlannedFirst(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		id := stored(t, b, "The staging password is on the wall")
		type plan struct {
			Memory    struct{ ID, Text string }
			Forgotten bool
			RunID     string
		}
		asked := c.call("forget", map[string]any{"id": id[:8]})
		if p := structured[plan](t, asked); p.Memory.ID != id || p.Forgotten || !strings.Contains(asked.text(), "would forget: ") {
			t.Errorf("planned %+v: %s", p, asked.text())
		}
		if _, err := b.Recall.Show(t.Context(), id, false); err != nil {
			t.Fatalf("the plan removed it: %v", err)
		}
		done := c.call("forget", map[string]any{"id": id, "confirm": true})
		if p := structured[plan](t, done); p.Memory.ID != id || !p.Forgotten || p.RunID == "" || !strings.Contains(done.text(), "forgotten: ") {
			t.Errorf("applied %+v: %s", p, done.text())
		}
		if r := c.call("forget", map[string]any{"id": id, "confirm": true}); !r.IsError {
			t.Errorf("a second time it answers %s", r.text())
		}
		if _, _, err := b.Journal.Unforget(t.Context(), id); err != nil {
			t.Error(err)
		}
	})
}

func TestErrorsSayWhatToDoNext(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		id := stored(t, b, "The staging password is on the wall")
		for _, tt := range []struct {
			tool      string
			arguments map[string]any
			want      string
		}{
			{"remember", map[string]any{"content": ""}, "the text is empty\ngive it some text"},
			{"open_memory", map[string]any{"id": "zzzzzz"}, "no memory has the id or the name zzzzzz\n`brainbridge recall WORDS` and"},
			{"correct", map[string]any{"id": "nope", "content": "x"}, "\n`brainbridge list` shows the ids"},
			{"done", map[string]any{"id": id}, "is not a reminder\n`brainbridge list --sources reminder` shows the open ones"},
			{"consolidate", map[string]any{}, "\n- no backup yet: `brainbridge backup create`"},
			{"forget", map[string]any{"id": id, "confirm": true}, "`brainbridge unforget " + id[:8] + "` brings it back"},
		} {
			if got := c.call(tt.tool, tt.arguments).text(); !strings.Contains(got, tt.want) {
				t.Errorf("%s answers %q, without %q", tt.tool, got, tt.want)
			}
		}
	})
}

func TestAMistypedTypeIsNamed(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		c.call("remember", map[string]any{"content": "Answer in English", "type": "Preference"})
		want := "no memory has the type prefrence; did you mean preference?"
		if got := c.call("recall", map[string]any{"types": []string{"prefrence"}}).text(); got != want {
			t.Errorf("the list says %q", got)
		}
		if got := c.call("recall", map[string]any{"query": "english", "types": []string{"prefrence"}}).text(); got != want {
			t.Errorf("recall says %q", got)
		}
	})
}

func TestRecallSaysThatAQuestionHasOnlyStopWords(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		for query, want := range map[string]string{
			"what is it": `nothing found: "what is it" has only words that most texts have; add one that says what it is about`,
			"walrus":     "nothing found; try fewer or other words",
		} {
			if got := c.call("recall", map[string]any{"query": query}).text(); got != want {
				t.Errorf("recall of %q says %q", query, got)
			}
		}
	})
}

func TestRecallSaysThatNothingFitsTheBudget(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		c.call("remember", map[string]any{"content": "The walrus lives in the harbour"})
		got := c.call("recall", map[string]any{"query": "walrus", "budget": 1}).text()
		if want := "1 found, but none fits the budget; ask with a larger one"; got != want {
			t.Errorf("recall says %q, want %q", got, want)
		}
	})
}

func TestRemindersAreClosedAndOpenedAgain(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		made := structured[struct{ SourceID, MemoryID string }](t, c.call("remember", map[string]any{"content": "Renew the certificate", "due": "tomorrow"}))
		type closed struct{ SourceID, Done string }
		r := c.call("done", map[string]any{"id": made.SourceID[:8]})
		if got := structured[closed](t, r); got.SourceID != made.SourceID || got.Done == "" || r.text() != "done: Renew the certificate" {
			t.Errorf("%+v: %s", got, r.text())
		}
		r = c.call("done", map[string]any{"id": made.MemoryID, "undo": true})
		if got := structured[closed](t, r); got.Done != "" || r.text() != "open again: Renew the certificate" {
			t.Errorf("%+v: %s", got, r.text())
		}
	})
}

func TestWithoutAQueryTheMostSalientAreRecalled(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		for _, m := range []map[string]any{
			{"content": "Ports are taken from the 5400s", "type": "decision", "tags": []string{"ports", "plan"}, "importance": "critical", "project": "harbour"},
			{"content": "Ines prefers short reviews", "type": "preference"},
			{"content": "The pier has nine cranes", "type": "fact", "project": "harbour"},
		} {
			c.call("remember", m)
		}
		for want, arguments := range map[string]map[string]any{
			"decision preference fact": {},
			"decision":                 {"types": []string{"decision"}},
			"decision by its tags":     {"tags": []string{"ports", "plan"}},
			"none":                     {"tags": []string{"ports", "moon"}},
			"none of old":              {"until": "2020-01-01"},
			"preference":               {"project": ""},
			"decision fact":            {"project": "harbour", "since": "1d"},
			"decision preference":      {"limit": 2},
			"decision of few":          {"budget": 20},
		} {
			r := c.call("recall", arguments)
			var kinds []string
			for _, m := range structured[listed](t, r).Results {
				kinds = append(kinds, m.Kind)
			}
			got := strings.Join(kinds, " ")
			kind, _, _ := strings.Cut(strings.NewReplacer(" by", "|", " of", "|").Replace(want), "|")
			if got != kind && (kind != "none" || got != "" || r.text() == "") {
				t.Errorf("%v recalls %q: %s", arguments, got, r.text())
			}
		}
		if r := c.call("recall", map[string]any{"asOf": "2020-01-01"}); !r.IsError || r.text() != "asOf needs a query\nadd a query" {
			t.Errorf("with asOf: %s", r.text())
		}
	})
}

func TestAnArgumentThatAToolLacksIsRefused(t *testing.T) {
	c := memoryOf(t, onSQLite(t))
	got := c.call("remember", map[string]any{"content": "x", "retention": "core"})
	if want := `unexpected additional properties ["retention"]` + "\nthe arguments are content, due, gate, importance, name, project, relate, replaces, tags, type"; !got.IsError || !strings.HasSuffix(got.text(), want) {
		t.Errorf("remember says %s", got.text())
	}
}

func TestARemindersOtherArgumentsAreRefused(t *testing.T) {
	c := memoryOf(t, onSQLite(t))
	for _, arguments := range []map[string]any{
		{"type": "decision", "due": "tomorrow"}, {"name": "keys", "due": "tomorrow"}, {"gate": true, "type": "reminder"},
	} {
		arguments["content"] = "Rotate the keys"
		if got := c.call("remember", arguments); !got.IsError || !strings.Contains(got.text(), "leave out due") {
			t.Errorf("%v is answered with %s", arguments, got.text())
		}
	}
}

// What is similar is named with the tool that replaces it, also for clients that show
// structured content only; what was said before is not kept again.
func TestRememberNamesWhatIsSimilarOrKnown(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		type kept struct {
			MemoryID, Known, Hint string
			Similar               []struct{ ID, Date, Kind, Text string }
			Replaced              []string
		}
		older := structured[kept](t, c.call("remember", map[string]any{"content": "Staging listens on port 5433", "type": "decision"}))
		r := c.call("remember", map[string]any{"content": "Staging moves to port 5500", "type": "decision"})
		newer := structured[kept](t, r)
		if len(newer.Similar) != 1 || newer.Similar[0].ID != older.MemoryID || newer.Similar[0].Kind != "decision" {
			t.Fatalf("remember answers %+v", newer)
		}
		advice := fmt.Sprintf(`If it no longer holds: replace {"old": "%.8s", "new": "%.8s"}`, older.MemoryID, newer.MemoryID)
		if !strings.HasSuffix(r.text(), "\n"+advice) || newer.Hint != advice {
			t.Errorf("remember says %s, with the hint %q", r.text(), newer.Hint)
		}
		again := structured[kept](t, c.call("remember", map[string]any{"content": "staging moves to Port 5500."}))
		if again.Known != newer.MemoryID || again.MemoryID != newer.MemoryID {
			t.Errorf("said again: %+v", again)
		}
		third := c.call("remember", map[string]any{"content": "Staging leaves port 5500 for 5600", "replaces": []string{newer.MemoryID}})
		if got := structured[kept](t, third); len(got.Replaced) != 1 || got.Replaced[0] != newer.MemoryID || !strings.Contains(third.text(), "\nreplaced ["+newer.MemoryID[:8]+"]") {
			t.Errorf("with replaces: %+v: %s", got, third.text())
		}
	})
}

// Clients that see structured content show no text beside it.
func TestTextsForReadingComeAlone(t *testing.T) {
	c := memoryOf(t, onSQLite(t))
	c.call("remember", map[string]any{"content": "Staging runs on port 5433", "type": "decision"})
	m := c.ask("tools/call", map[string]any{"name": "context", "arguments": map[string]any{}})
	if !bytes.Contains(m.Result, []byte("Staging runs on port 5433")) || bytes.Contains(m.Result, []byte("structuredContent")) || len(m.Result) > 1000 {
		t.Errorf("context answers %s", m.Result)
	}
}

func TestACorrectionMayHaveATitle(t *testing.T) {
	onBothStores(t, func(t *testing.T, b home) {
		c := memoryOf(t, b)
		id := stored(t, b, "Staging uses port 5432")
		r := c.call("correct", map[string]any{"id": id, "content": "It moved with the new cluster.", "title": "Staging uses port 5500"})
		got := structured[struct {
			Memory struct{ ID, Name, Content string }
			RunID  string
		}](t, r)
		if got.Memory.ID != id || got.RunID == "" || got.Memory.Name != "Staging uses port 5500" || !strings.Contains(r.text(), "Staging uses port 5500: It moved") {
			t.Errorf("%+v: %s", got, r.text())
		}
	})
}

// What an agent reads of a memory tool holds no null, and is one line for each memory.
func TestAnswersHoldNoNull(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	id := stored(t, b, "Tea is brewed at noon\nand not before.")
	for tool, arguments := range map[string]map[string]any{
		"recall": {"query": "tea"}, "open_memory": {"id": id}, "review": {}, "consolidate": {},
		"remember": {"content": "Coffee is brewed at ten"}, "mark_used": {"id": id, "verdict": "helpful"}, "forget": {"id": id},
	} {
		m := c.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
		if m.Error != nil || bytes.Contains(m.Result, []byte("null")) || bytes.Contains(m.Result, []byte("isError")) {
			t.Errorf("%s answers %s", tool, m.Result)
		}
	}
	whole := structured[struct{ Memory brain.View }](t, c.call("open_memory", map[string]any{"id": id})).Memory
	if whole.Content != "Tea is brewed at noon\nand not before." || whole.Tier == nil || whole.Energy == nil {
		t.Errorf("open_memory leaves something out: %+v", whole)
	}
}

// Every call that the texts for agents show is one that the tools accept.
func TestTheTextsForAgentsShowCallsThatAreAccepted(t *testing.T) {
	c := memoryOf(t, onSQLite(t))
	calls := regexp.MustCompile("`(\\w+) (\\{[^`]*\\})`")
	files, err := filepath.Glob("../agents/files/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	shown := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range calls.FindAllStringSubmatch(strings.ReplaceAll(string(text), "VERDICT", "newer"), -1) {
			shown++
			if got := c.call(m[1], json.RawMessage(m[2])).text(); strings.Contains(got, "MCP error") {
				t.Errorf("%s shows %s: %s", filepath.Base(file), m[0], got)
			}
		}
	}
	if shown < 15 {
		t.Errorf("%d calls are shown", shown)
	}
}
