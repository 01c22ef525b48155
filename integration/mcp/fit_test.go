package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// memoryOf serves all tools of a brain.
func memoryOf(t *testing.T, b home) *client {
	c := serve(t, mcp.Options{Tools: mcp.All, UseCases: b.app.As})
	c.greet()
	return c
}

// stored keeps a text as a memory, and returns its id.
func stored(t *testing.T, b home, content string) string {
	t.Helper()
	capture, err := b.Capture.NewMemory(brain.Memory{Content: content}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	done, err := b.Capture.Capture(t.Context(), capture)
	if err != nil {
		t.Fatal(err)
	}
	return done.MemoryID
}

func TestAnswersFit(t *testing.T) {
	const most = 10_000
	b := onSQLite(t)
	c := memoryOf(t, b)
	long := stored(t, b, "a diary\n"+strings.Repeat("\"tea\"\n", 4000)+"the end")
	for i := range 40 {
		stored(t, b, fmt.Sprintf("tea number %d\n%s", i, strings.Repeat(fmt.Sprintf("leaf%d ", i), 100)))
	}
	var many []brain.EntityRelation
	for i := range 300 {
		many = append(many, brain.EntityRelation{From: "Hub", To: fmt.Sprintf("Spoke %d", i), RelationType: "has"})
		c.create(entity(many[i].To))
	}
	c.create(entity("Hub"))
	c.call("create_relations", map[string]any{"relations": many})
	hub, err := b.Recall.Recall(t.Context(), recall.Query{Words: words.Parse("Hub")})
	if err != nil || len(hub.Results) == 0 {
		t.Fatal(hub, err)
	}
	for name, arguments := range map[string]map[string]any{
		"recall":      {"query": "tea", "limit": 50},
		"open_memory": {"id": hub.Results[0].Memory.ID},
		"correct":     {"id": stored(t, b, "short"), "content": strings.Repeat("long \\ ", 5000)},
		"mark_used":   {"id": long, "verdict": "helpful"},
		"context":     {"budget": 100_000},
	} {
		r := c.call(name, arguments)
		if n := utf8.RuneCountInString(r.text()); r.IsError || n == 0 || n > most {
			t.Errorf("%s: %d characters: %.200s", name, n, r.text())
		}
	}
	var whole strings.Builder
	for offset := 0; ; {
		r := c.call("open_memory", map[string]any{"id": long, "offset": offset})
		if n := utf8.RuneCountInString(r.text()); r.IsError || n > most {
			t.Fatalf("offset %d: %d characters: %.200s", offset, n, r.text())
		}
		text := structured[struct{ Memory brain.View }](t, r).Memory.Content
		page, note, more := strings.Cut(text, "\n[… ")
		whole.WriteString(page)
		if !more {
			break
		}
		var left int
		if _, err := fmt.Sscanf(note, "%d more characters; open_memory with offset %d reads on]", &left, &offset); err != nil {
			t.Fatalf("%v: %s", err, note)
		}
	}
	m, err := b.Recall.Show(t.Context(), long, false)
	if err != nil || whole.String() != m.Memory.Content {
		t.Errorf("pages have %d bytes, the text has %d: %v", whole.Len(), len(m.Memory.Content), err)
	}
}

// However long what is asked and kept is, an answer fits.
func TestAnswersToLongArgumentsFit(t *testing.T) {
	const most = 10_000
	b := onSQLite(t)
	c := memoryOf(t, b)
	long := strings.Repeat("barge \"canal\" ", 3600) // 50,000 characters
	tags := strings.Fields(strings.Repeat("a ", 50))
	for i := range tags {
		tags[i] = fmt.Sprintf("tag%d%s", i, strings.Repeat("x", 200))
	}
	id := stored(t, b, long)
	other := stored(t, b, long+" and locks")
	for _, call := range []struct {
		tool      string
		arguments map[string]any
		failed    bool
	}{
		{"recall", map[string]any{"query": long}, false},
		{"recall", map[string]any{"query": strings.Repeat("giraffe ", 6300)}, false},
		{"recall", map[string]any{"query": strings.Repeat("x", 50_000)}, false},
		{"open_memory", map[string]any{"id": long}, true},
		{"open_memory", map[string]any{"id": id}, false},
		{"remember", map[string]any{"content": long + "!", "name": long}, false},
		{"remember", map[string]any{"content": "tagged", "tags": tags}, false},
		{"remember", map[string]any{"content": long, "due": long}, true},
		{"remember", map[string]any{"content": long, "due": "tomorrow"}, false},
		{"context", map[string]any{"project": long}, false},
		{"mark_used", map[string]any{"id": id, "verdict": long}, true},
		{"mark_used", map[string]any{"id": id, "verdict": "unsure"}, false},
		{"correct", map[string]any{"id": id, "content": long, "title": long}, false},
		{"replace", map[string]any{"old": id, "new": other}, false},
		{"forget", map[string]any{"id": other}, false},
		{"forget", map[string]any{"id": long}, true},
		{"done", map[string]any{"id": long}, true},
		{"decide", map[string]any{"id": long, "verdict": long}, true},
		{"review", map[string]any{long: 1}, true},
	} {
		r := c.call(call.tool, call.arguments)
		raw, err := json.Marshal(r.Structured)
		if err != nil || r.IsError != call.failed || r.text() == "" {
			t.Errorf("%s: %v, %.200s", call.tool, err, r.text())
		}
		if n, m := utf8.RuneCountInString(r.text()), utf8.RuneCount(raw); n > most || m > most {
			t.Errorf("%s answers with %d and %d characters: %.100s", call.tool, n, m, r.text())
		}
	}
}

// Marks of direction and control characters reach no agent, and JSON in a text has them escaped.
func TestNothingHiddenReachesAnAgent(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	const evil = "pier\u202e \x1b[31m\u009b2J\u2066end \u061c👩\u200d💻"
	c.create(entity("name "+evil, "seen "+evil))
	id := structured[struct{ MemoryID string }](t, c.call("remember", map[string]any{"content": evil, "name": "name " + evil, "tags": []string{"t\u200fag"}})).MemoryID
	for _, r := range []result{
		c.call("recall", map[string]any{"query": "pier " + evil}), c.call("open_memory", map[string]any{"id": id}),
		c.call("open_memory", map[string]any{"id": evil}), c.call("context", map[string]any{}), c.call("mark_used", map[string]any{"id": id, "verdict": "helpful"}),
		c.call("remember", map[string]any{"content": "x", evil: 1}), c.call("search_nodes", map[string]any{"query": "pier"}), c.call("read_graph", map[string]any{}),
		c.call("add_observations", map[string]any{"observations": []map[string]any{{"entityName": evil, "contents": []string{evil}}}}), c.call("forget", map[string]any{"id": id}),
	} {
		raw, err := json.Marshal(r.Structured)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{r.text(), strings.ReplaceAll(string(raw), "\\u001b", "\x1b")} {
			if strings.ContainsAny(text, "\u202e\x1b\u009b\u2066\u061c\u200f") {
				t.Errorf("an agent gets %q", text)
			}
		}
	}
	if r := c.call("search_nodes", map[string]any{"query": "pier"}); !strings.Contains(r.text(), `\u202e`) || !strings.Contains(r.text(), "👩\u200d💻") {
		t.Errorf("the name of an entity cannot be read: %s", r.text())
	}
	m, err := b.Recall.Show(t.Context(), id, false)
	if err != nil || m.Memory.Content != evil {
		t.Errorf("stored is %q, %v", m.Memory.Content, err)
	}
}

// structured is the answer of a tool for programs.
func structured[T any](t *testing.T, r result) T {
	t.Helper()
	raw, err := json.Marshal(r.Structured)
	if err != nil || r.IsError {
		t.Fatalf("%v: %.300s", err, r.text())
	}
	return decodeJSON[T](t, string(raw))
}

// maxTenAnswers is the most bytes that ten answers of ordinary notes may take.
const maxTenAnswers = 4096

func TestTenAnswersAreShort(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	about := []string{
		"staging", "the release day", "the cache", "logging", "retries", "the search index", "backups", "the login page", "exports", "dark mode",
	}
	for _, subject := range about {
		c.call("remember", map[string]any{
			"type": "decision", "project": "harbour", "tags": []string{"planning"},
			"content": "The harbour team settled the question of " + subject + " for this quarter.\n\n" +
				"We compared three ways of doing it and chose the one that needs no new service, because nobody is on call at night. " +
				"The \"second\" way would have cost about 40 hours a month. It was tried for two weeks in September and gave up under load: " +
				"requests took 900 ms instead of 250 ms.\n\nWhoever wants to change this again should first read `docs/harbour.md` and talk to Ines.",
		})
	}
	m := c.ask("tools/call", map[string]any{"name": "recall", "arguments": map[string]any{"query": "harbour quarter"}})
	t.Logf("ten answers: %d bytes", len(m.Result))
	if len(m.Result) > maxTenAnswers || bytes.Contains(m.Result, []byte("null")) {
		t.Errorf("ten answers have %d bytes, more than %d, or a null: %s", len(m.Result), maxTenAnswers, m.Result)
	}
	r := c.call("recall", map[string]any{"query": "harbour quarter"})
	found := structured[struct {
		Results []struct {
			ID, Kind, Text, Date, Project string
			Score                         float64
		}
	}](t, r).Results
	lines := strings.Split(r.text(), "\n")
	if len(found) != len(about) || len(lines) != len(about) {
		t.Fatalf("%d results and %d lines, want %d of each: %s", len(found), len(lines), len(about), r.text())
	}
	for i, f := range found {
		line := fmt.Sprintf("%s decision (harbour): %s [%s]", f.Date, f.Text, f.ID[:8])
		if f.Kind != "decision" || f.Project != "harbour" || f.Score <= 0 || lines[i] != line {
			t.Errorf("%q is the line of %+v", lines[i], f)
		}
		if !strings.HasPrefix(f.Text, "The harbour team settled the question of ") || utf8.RuneCountInString(f.Text) < 90 {
			t.Errorf("the text %q does not hold the statement", f.Text)
		}
	}
	one := structured[struct{ Results []struct{ Text string } }](t, c.call("recall", map[string]any{"query": "staging", "limit": 1}))
	if n := utf8.RuneCountInString(one.Results[0].Text); n < 200 {
		t.Errorf("a single answer has a text of %d characters", n)
	}
}

// What was extracted has its statement as the name, and the quote of it as the text.
func TestAQuoteIsNotSaidTwice(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	for name, text := range map[string]string{
		"Use SQLite for the crane": "> use SQLite for the crane",
		"The crane lifts 250 kg":   "> okay, the crane lifts 250 kg now",
		"Bolts":                    "the crane needs M12",
	} {
		c.call("remember", map[string]any{"name": name, "content": text})
	}
	for line := range strings.SplitSeq(c.call("recall", map[string]any{"query": "crane"}).text(), "\n") {
		said := []string{": use SQLite for the crane [", ": okay, the crane lifts 250 kg now [", ": Bolts: the crane needs M12 ["}
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(line, s) }) {
			t.Errorf("%q says something twice or not", line)
		}
	}
}

func TestAnAnswerShowsWhatMatches(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	for _, who := range strings.Fields("Ada Bob Cid Dora Emil Finn Gert Hana Ines Jan") {
		stored(t, b, "Notes of meeting "+who+"\n\n"+strings.Repeat("Nothing else was decided on that day. ", 9)+
			who+" says that the crane needs größere bolts. "+strings.Repeat("Then everybody went home. ", 9))
	}
	m := c.ask("tools/call", map[string]any{"name": "recall", "arguments": map[string]any{"query": "crane bolts"}})
	if len(m.Result) > maxTenAnswers {
		t.Errorf("ten answers have %d bytes", len(m.Result))
	}
	for line := range strings.SplitSeq(c.call("recall", map[string]any{"query": "crane bolts"}).text(), "\n") {
		if !strings.Contains(line, "Notes of meeting ") || !strings.Contains(line, "crane needs größere bolts") {
			t.Errorf("%q does not show the match", line)
		}
	}
}
