package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// call calls a tool with arguments as they stand, and returns its whole answer.
func (p *mcpProcess) call(tool, arguments string) string {
	p.t.Helper()
	p.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
	return p.answer()
}

// Whatever a client sends, it gets an answer, and the next call works.
func TestNoMessageEndsAServer(t *testing.T) {
	onEachStore(t, func(t *testing.T, home string, store []string) {
		p := startMCP(t, home, store...)
		long := strings.Repeat("five megabytes ", 5<<20/15)
		for _, c := range []struct{ line, want string }{
			{`no JSON`, `"code":-32700`},
			{`{"jsonrpc":"2.0","id":1,"method":`, `"code":-32700`},
			{"\x00\xff\xfe", `"code":-32700`},
			{strings.Repeat("[", 100_000), `"code":-32700`},
			{`{}`, `"code":-32600`},
			{`{"jsonrpc":"2.0","id":9}`, `"id":9`},
			{`{"jsonrpc":"2.0","id":2,"method":"memory/explode"}`, `"code":-32601`},
			{`{"jsonrpc":"2.0","id":3,"method":"tools/call"}`, `"id":3`},
			{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}`, `"isError":true`},
			{`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"memory://no-such"}}`, `"error"`},
		} {
			p.say(c.line)
			if got := p.answer(); !strings.Contains(got, c.want) {
				t.Errorf("%.60q is answered with %.300s, want %s", c.line, got, c.want)
			}
		}
		for _, c := range []struct{ tool, arguments string }{
			{"create_entities", `{}`},
			{"create_entities", `{"entities":{"name":"x"}}`},
			{"create_entities", `{"entities":[{"name":7,"entityType":"t","observations":[]}]}`},
			{"create_entities", `{"entities":[{"name":"n","entityType":"t","observations":["a\u0000b"]}]}`},
			{"create_entities", `{"entities":[{"name":"n","entityType":"t","observations":["` + long + `"]}]}`},
			{"add_observations", `[1,2]`},
			{"open_nodes", `"names"`},
			{"remember", `{}`},
			{"remember", `{"content":""}`},
			{"remember", `{"content":5}`},
			{"remember", `{"content":"` + long + `"}`},
			{"remember", `{"content":"nul \u0000 byte"}`},
			{"remember", `{"content":"x","importance":"huge"}`},
			{"remember", `{"content":"x","relate":["applies_to:no-such-memory"]}`},
			{"recall", `{"query":"` + "\x00" + `"}`},
			{"recall", `{"query":"x","limit":-1}`},
			{"recall", `{"query":"x","since":"the day of days"}`},
			{"recall", `{"query":"x","since":"2026-02-01","until":"2026-01-01"}`},
			{"recall", `{"query":"\u0000"}`},
			{"open_memory", `{"id":"no-such-memory"}`},
			{"open_memory", `{"id":"no-such-memory","offset":-1}`},
			{"mark_used", `{"id":"no-such-memory","verdict":"helpful"}`},
			{"mark_used", `{"id":"no-such-memory","verdict":"great"}`},
			{"remember", `{"content":"x","kind":"learning"}`},
			{"remember", `{"content":"x","due":"the day of days"}`},
			{"remember", `{"content":"x","replaces":["no-such-memory"]}`},
			{"replace", `{"old":"no-such-memory","new":"nor-this"}`},
			{"decide", `{"id":"no-such-item","verdict":"newer"}`},
			{"decide", `{"id":"no-such-item","verdict":"perhaps"}`},
			{"review", `{"all":true}`},
			{"correct", `{"id":"no-such-memory","content":"x"}`},
			{"context", `{"budget":"all"}`},
			{"consolidate", `{"apply":"yes"}`},
			{"forget", `{"id":"no-such-memory"}`},
			{"forget", `{"id":"no-such-memory","confirm":"yes"}`},
			{"recall", `{"limit":0}`},
			{"recall", `{"asOf":"yesterday"}`},
			{"list_memories", `{}`},
			{"done", `{"id":"no-such-reminder"}`},
		} {
			got := p.call(c.tool, c.arguments)
			if !strings.Contains(got, `"isError":true`) && !strings.Contains(got, `"code":-32700`) {
				t.Errorf("%s %.80s is answered with %.300s", c.tool, c.arguments, got)
			}
		}
		if got := p.call("remember", `{"content":"broken `+"\xff\xc3"+` letters"}`); strings.Contains(got, "\xff") {
			t.Errorf("broken letters come back as %q", got)
		}
		p.create(6, "Sound")
		if got := p.answer(); !strings.Contains(got, "Sound") || strings.Contains(got, "isError") {
			t.Errorf("after all that a call is answered with %s", got)
		}
		if names := p.names(); len(names) != 1 {
			t.Errorf("of calls that were refused, something stayed: %v", names)
		}
		p.leave()
	})
}

// A client that goes in the middle of its calls takes nothing of theirs along:
// each was done whole, or not at all.
func TestAClientMayVanish(t *testing.T) {
	onEachStore(t, func(t *testing.T, home string, store []string) {
		p := startMCP(t, home, store...)
		out := p.reader
		for i := range 20 {
			p.create(i, fmt.Sprintf("v%d", i))
		}
		acknowledged := p.answer()
		if err := out.Close(); err != nil { // nobody reads any more
			t.Fatal(err)
		}
		p.leave()
		after := startMCP(t, home, store...)
		names := after.names()
		if !names["v0"] || !strings.Contains(acknowledged, "v0") {
			t.Errorf("what was acknowledged (%s) is not among %v", acknowledged, names)
		}
		after.leave()
	})
}

// A recall over MCP has touched what it returns by the time it is answered.
func TestRecallsOverMCPTouchWhatTheyReturn(t *testing.T) {
	heeded := make(chan os.Signal, 1)
	signal.Notify(heeded, syscall.SIGHUP) // under nohup what is started would ignore it
	defer signal.Stop(heeded)
	onEachStore(t, func(t *testing.T, home string, store []string) {
		p := startMCP(t, home, store...)
		ids := map[string]string{}
		for _, bird := range []string{"kea", "emu", "owl"} {
			answer := p.call("remember", `{"content":"all about the `+bird+`"}`)
			_, rest, _ := strings.Cut(answer, `"memoryId":"`)
			ids[bird], _, _ = strings.Cut(rest, `"`)
		}
		p.call("recall", `{"query":"kea"}`)
		p.call("recall", `{"query":"emu"}`)
		p.call("open_memory", `{"id":"`+ids["kea"]+`"}`)
		p.leave()
		p = startMCP(t, home, store...)
		p.call("recall", `{"query":"owl"}`)
		if err := errors.Join(p.Process.Signal(syscall.SIGHUP), p.Wait()); err != nil { // its terminal was closed
			t.Error(err)
		}
		for bird, least := range map[string]float64{"kea": 2.1, "emu": 1.1, "owl": 1.1} { // captured with 1.0
			out, err := program(t, home, append([]string{"--json", "show", ids[bird]}, store...)...).Output()
			var shown struct{ Memory struct{ Energy float64 } }
			if err = errors.Join(err, json.Unmarshal(out, &shown)); err != nil || shown.Memory.Energy < least {
				t.Errorf("%s: energy %v, %v; want %v at least", bird, shown.Memory.Energy, err, least)
			}
		}
	})
}

// While Neo4j is away captures are kept, all else says what to do, and when it
// is back what was kept is taken in once.
func TestTheStoreGoesAwayUnderAServer(t *testing.T) {
	u, err := url.Parse(neo4jtest.Server(t))
	if err != nil {
		t.Fatal(err)
	}
	way := &proxy{server: u.Host, address: "127.0.0.1:0"}
	if err := way.back(); err != nil {
		t.Fatal(err)
	}
	defer way.away()
	name := "mcp-" + brain.NewID()
	t.Cleanup(func() { dropBrains(t, u.String(), name) })
	createBrain(t, u.String(), name)
	store := []string{"--store", "bolt://" + way.address, "--brain", name}
	home := t.TempDir()
	p := startMCP(t, home, store...)
	p.create(1, "before")
	p.answer()

	way.away()
	for _, arguments := range []string{
		`{"content":"kept while it was away"}`,
		`{"content":"proxies may go away","due":"2126-01-01"}`,
	} {
		if got := p.call("remember", arguments); !strings.Contains(got, `"spooled":true`) || strings.Contains(got, "isError") {
			t.Errorf("remember %s is answered with %s", arguments, got)
		}
	}
	for tool, arguments := range map[string]string{
		"recall":          `{"query":"kept"}`,
		"create_entities": `{"entities":[{"name":"lost","entityType":"t","observations":[]}]}`,
	} {
		if got := p.call(tool, arguments); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `does not answer`) || !strings.Contains(got, `\n`) {
			t.Errorf("%s is answered with %s", tool, got)
		}
	}

	if err := way.back(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time nothing is left to take in
		var answer struct {
			Result struct{ StructuredContent struct{ Results []any } }
		}
		if err := json.Unmarshal([]byte(p.call("recall", `{"query":"kept proxies away"}`)), &answer); err != nil {
			t.Fatal(err)
		}
		if got := len(answer.Result.StructuredContent.Results); got != 2 {
			t.Errorf("%d memories of what was kept, want 2", got)
		}
	}
	if names := p.names(); !names["before"] || names["lost"] {
		t.Errorf("the entities are %v", names)
	}
	p.leave()
}
