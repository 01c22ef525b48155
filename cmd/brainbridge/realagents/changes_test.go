package realagents

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

// Three facts change, one statement is put in other words, and one is repeated. The agent
// answers what remember calls similar, decides two pairs that the next session begins with,
// and the third with /consolidate. A Neo4j server that the environment names is tried, too.
func TestClaudeCodeKeepsUpWithChanges(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { keepsUpWithChanges(t, "") })
	if server := os.Getenv(neo4jtest.EnvURI); server != "" {
		t.Run("neo4j", func(t *testing.T) { keepsUpWithChanges(t, server) })
	}
}

// With the sentence model, remember names an older decision that shares no word with the new one.
func TestClaudeCodeIsShownAnOlderDecisionInOtherWords(t *testing.T) {
	model := embedtest.ModelFile(t)
	r := newRig(t, "claude-code")
	remember := func(content string) []step {
		return []step{{Tool: "remember", Args: map[string]any{"type": "decision", "content": content}}, {Say: "Kept."}}
	}
	r.model.tasks = map[string][]step{"first": remember("Images are stored in R2"), "second": remember("Pictures live on our own server from now on")}
	r.env = append(r.env, "ANTHROPIC_BASE_URL="+r.model.url, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	r.write(".claude/settings.json", `{"model": "sonnet", "permissions": {"allow": ["mcp__memory", "Bash(brainbridge:*)"]}}`)
	r.write(".claude.json", `{"hasCompletedOnboarding": true}`)
	r.brainbridge("install", "claude-code")
	r.brainbridge("model", "install", "--from", model)
	for _, prompt := range []string{"Keep where images are. (first)", "They have moved. (second)"} {
		r.run("claude", "-p", prompt, "--output-format", "stream-json", "--verbose")
	}
	r.is(r.model.answered(`similar.*Images are stored in R2`), "remember names the older decision")
}

func keepsUpWithChanges(t *testing.T, store string) {
	r := newRig(t, "claude-code")
	r.model.tasks = changes()
	r.env = append(r.env, "ANTHROPIC_BASE_URL="+r.model.url, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1")
	if store != "" {
		name := "agents-" + strings.ToLower(brain.NewID())
		r.brainbridge("init", "--brain", name, "--store", store)
		r.env = append(r.env, "BRAINBRIDGE_BRAIN="+name)
	}
	r.write(".claude/settings.json", `{"model": "sonnet", "permissions": {"allow": ["mcp__memory", "Bash(brainbridge:*)"]}}`)
	r.write(".claude.json", `{"hasCompletedOnboarding": true}`)
	r.brainbridge("install", "claude-code")
	say := func(prompt string) string {
		return r.run("claude", "-p", prompt, "--output-format", "stream-json", "--verbose")
	}
	at := func(days int) {
		now := time.Now().UTC()
		r.env = append(r.env, "BRAINBRIDGE_NOW="+time.Date(now.Year(), now.Month(), now.Day()+days, 8, 0, 0, 0, time.UTC).Format(time.RFC3339))
	}
	at(1)
	say("Keep what we agreed on. (morning)")
	at(3)
	say("Staging has moved. (changed)")
	r.is(r.model.answered(`similar.*Staging listens on port 5433`), "remember names what is similar")
	r.is(r.model.answered(`known`), "what is repeated is known")
	r.is(!strings.Contains(r.brainbridge("context"), "may not both hold"), "context asks nothing")

	at(4)
	day := time.Now().UTC().AddDate(0, 0, 4).Format(time.DateOnly)
	r.note(day, `---
project: shop
---
- decision: Releases go out on Tuesdays from now on
- decision: Typesense serves the product search
- preference: The linter has to pass before anybody commits
`)
	r.brainbridge("notes", "sync")
	r.brainbridge("consolidate")
	r.is(len(pairs(r.brainbridge("--json", "review"))) == 3, "three pairs wait: "+r.brainbridge("review"))
	before := r.brainbridge("context")
	for _, said := range []string{"Releases go out on Thursdays", "Releases go out on Tuesdays", "Meilisearch", "Typesense"} {
		r.is(strings.Count(before, said) == 1, "an open pair hides nothing and says nothing twice: "+said+"\n"+before)
	}
	at(5)
	from := r.model.count()
	say("What is open? (decide)")
	r.is(r.model.sent(`Two statements that may not both hold: .*Two statements that may not both hold: `, from), "the session begins with two pairs")
	r.is(len(pairs(r.brainbridge("--json", "review"))) == 1, "and decides them: "+r.brainbridge("review"))
	say("/consolidate (tidy)")
	r.is(len(pairs(r.brainbridge("--json", "review"))) == 0, "/consolidate decides the third: "+r.brainbridge("review"))

	after := r.brainbridge("context")
	for _, line := range []string{
		`Staging moves to port 5500 \(was: Staging listens on port 5433, until [0-9-]+\)`,
		`Releases go out on Tuesdays from now on \(was: Releases go out on Thursdays, until [0-9-]+\)`,
		`Typesense serves the product search \(was: Meilisearch serves the product search, until [0-9-]+\)`,
		`The partner API allows 240 requests a minute`,
	} {
		r.is(len(regexp.MustCompile(line).FindAllString(after, -1)) == 1, line+" is there once:\n"+after)
	}
	r.is(strings.Count(strings.ToLower(after), "linter") == 1, "the paraphrase is there once:\n"+after)
	r.is(!strings.Contains(after, "or still"), "no pair is open:\n"+after)
}

// changes are what the model does about changed facts.
func changes() map[string][]step {
	remember := func(kind, content string) step {
		return step{Tool: "remember", Args: map[string]any{"type": kind, "content": content}}
	}
	// last returns the last group of a pattern in what the model has read.
	last := func(read, pattern string) string {
		all := regexp.MustCompile(pattern).FindAllStringSubmatch(read, -1)
		if all == nil {
			return "none"
		}
		return all[len(all)-1][1]
	}
	verdict := func(id, about string) map[string]any {
		if strings.Contains(about, "linter") {
			return map[string]any{"id": id, "verdict": "same"}
		}
		return map[string]any{"id": id, "verdict": "newer"}
	}
	// of decides the n-th pair that a session began with.
	of := func(n int) func(read string) map[string]any {
		return func(read string) map[string]any {
			all := regexp.MustCompile(`may not both hold: ([^?]*)\? brainbridge review decide ([0-9a-f]+) newer\|older\|both\|same`).FindAllStringSubmatch(read, -1)
			if len(all) < n {
				return verdict("none", "")
			}
			return verdict(all[n-1][2], all[n-1][1])
		}
	}
	return map[string][]step{
		"morning": {
			remember("decision", "Staging listens on port 5433"),
			remember("decision", "Releases go out on Thursdays"),
			remember("decision", "Meilisearch serves the product search"),
			remember("preference", "Run the linter before you commit"),
			remember("fact", "The partner API allows 240 requests a minute"),
			{Say: "Kept."},
		},
		"changed": {
			remember("decision", "Staging moves to port 5500"),
			{Tool: "replace", From: func(read string) map[string]any {
				return map[string]any{"old": last(read, `"similar":\[\{[^]]*?"id":"([0-9a-f-]+)"`), "new": last(read, `"memoryId":"([0-9a-f-]+)"`)}
			}},
			remember("fact", "The partner API allows 240 requests a minute."),
			{Say: "Noted."},
		},
		"decide": {{Tool: "decide", From: of(1)}, {Tool: "decide", From: of(2)}, {Say: "Decided."}},
		"tidy": {
			{Tool: "consolidate", Args: map[string]any{"apply": true}},
			{Tool: "review", Args: map[string]any{}},
			{Tool: "decide", From: func(read string) map[string]any {
				return verdict(last(read, `"items":\[\{[^]]*?"id":"([0-9a-f-]+)"`), last(read, `"items":\[\{(.*?)\}\]\}`))
			}},
			{Say: "One pair was the same; `brainbridge undo` takes it back."},
		},
	}
}

// pairs returns the ids of open pairs in the answer of review.
func pairs(review string) (ids []string) {
	for _, m := range regexp.MustCompile(`"kind":\s*"(pair)"`).FindAllStringSubmatch(review, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// note writes a daily note of the brain.
func (r *rig) note(day, text string) {
	r.t.Helper()
	found := regexp.MustCompile(`"dir":\s*"([^"]*)"`).FindStringSubmatch(r.brainbridge("--json", "notes", "status"))
	if found == nil {
		r.t.Fatal("notes status names no folder")
	}
	if err := os.MkdirAll(found[1], 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(found[1], day+".md"), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}
