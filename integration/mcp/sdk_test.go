package mcp_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// An agent pays for the list of tools in every session.
func TestTheListOfToolsIsShort(t *testing.T) {
	for group, most := range map[mcp.Group]int{mcp.Memory: 9_500, mcp.All: 20_500} {
		c := serve(t, mcp.Options{Tools: group, UseCases: away(t).As})
		c.greet()
		got := len(c.ask("tools/list", map[string]any{}).Result)
		t.Logf("tools %s: %d bytes", group, got)
		if got > most {
			t.Errorf("the list of tools %s has %d bytes, more than %d", group, got, most)
		}
	}
}

func TestTheClientOfTheSDKIsServed(t *testing.T) {
	b := onSQLite(t)
	s, err := mcp.New(mcp.Options{Tools: mcp.Graph, UseCases: b.app.As})
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Run(context.WithoutCancel(t.Context()), mcp.Stdio{In: inR, Out: outW}); err != nil {
			t.Error(err)
		}
	})
	updated := make(chan string, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 9 {
		t.Errorf("%v tools: %v", tools, err)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: mcp.GraphURI}); err != nil {
		t.Error(err)
	}
	call := &sdk.CallToolParams{Name: "create_entities", Arguments: map[string]any{"entities": []brain.Entity{entity("Ada")}}}
	if r, err := session.CallTool(t.Context(), call); err != nil || r.IsError {
		t.Errorf("%+v, %v", r, err)
	}
	if got := <-updated; got != mcp.GraphURI {
		t.Errorf("%s was updated", got)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session.CallTool(cancelled, call); err == nil {
		t.Error("a call that was cancelled has an answer")
	}
	if r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: mcp.GraphURI}); err != nil || len(r.Contents) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}

func TestNoLineEndsTheSession(t *testing.T) {
	c := graphOf(t, onSQLite(t))
	for line, code := range map[string]int{
		"no json":                  -32700,
		`{"jsonrpc":"2.0","id":1,`: -32700,
		"\x00\x01":                 -32700,
		"[]":                       -32600,
		`"text"`:                   -32600,
		`{"id":"a","method":5}`:    -32600,
		`{"jsonrpc":"2.0","id":"b","method":"no/such"}`: -32601,
	} {
		c.line(line)
		if m := c.next(); m.Error == nil || m.Error.Code != code {
			t.Errorf("%q is answered with %+v, want %d", line, m.Error, code)
		}
	}
	c.line(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	c.line(`{"jsonrpc":"2.0","method":"tools/call","params":[1]}`)
	c.line(`{"jsonrpc":"2.0","method":"ping"}`) // nobody waits for its answer, nor does the end
	c.line("{\"jsonrpc\":\"2.0\",\"id\":\"utf8\",\"method\":\"tools/call\",\"params\":{\"name\":\"search_nodes\",\"arguments\":{\"query\":\"\xff\"}}}")
	if m := c.next(); m.ID != "utf8" || !strings.Contains(string(m.Result), "not valid UTF-8") {
		t.Errorf("broken UTF-8 is answered with %+v", m)
	}
	c.create(entity("Ada"))
	if g := c.graph(); len(g.Entities) != 1 {
		t.Errorf("%d entities after all that", len(g.Entities))
	}
}

// TestEveryCallOfAnIDIsAnswered: a client that gives an id twice gets as many
// answers as it made calls, and the session ends.
func TestEveryCallOfAnIDIsAnswered(t *testing.T) {
	c := graphOf(t, onSQLite(t))
	for range 50 {
		for _, method := range []string{"tools/list", "ping", "tools/list", "ping", "ping"} {
			c.line(`{"jsonrpc":"2.0","id":"same","method":"` + method + `"}`)
		}
		for range 5 {
			if m := c.next(); m.ID != "same" || m.Error != nil {
				t.Fatalf("answered with %+v", m)
			}
		}
	}
}
