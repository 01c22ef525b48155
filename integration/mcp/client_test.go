package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// home is an empty brain.
type home struct {
	*services.Services
	app *app.App
}

// onBothStores runs a test on an empty brain of each store.
func onBothStores(t *testing.T, test func(t *testing.T, b home)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("neo4j", func(t *testing.T) {
		uri, name := neo4jtest.Server(t), "mcp-"+brain.NewID()
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: name})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		test(t, opened(t, appOn(t, uri, name)))
	})
}

func onSQLite(t *testing.T) home {
	t.Helper()
	return opened(t, appOn(t, "", ""))
}

// appOn is the application on a store, "" for an embedded one.
func appOn(t *testing.T, store, name string) *app.App {
	t.Helper()
	env := map[string]string{
		"BRAINBRIDGE_HOME": t.TempDir(), "BRAINBRIDGE_STORE": store, "BRAINBRIDGE_BRAIN": name,
	}
	get := func(key string) string { return env[key] }
	l, err := config.Load(config.Input{Env: get})
	if err != nil {
		t.Fatal(err)
	}
	a := app.New(app.Options{Settings: l, Env: get, Now: time.Now})
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// away is the application on a store that cannot be reached.
func away(t *testing.T) *app.App { return appOn(t, "neo4j://127.0.0.1:1", "") }

func opened(t *testing.T, a *app.App) home {
	t.Helper()
	b, err := a.As(app.Caller{}).Brain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return home{b, a}
}

// message is a message of either side.
type message struct {
	JSONRPC string          `json:"jsonrpc,omitempty"`
	ID      any             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Code    int
		Message string
	} `json:"error,omitempty"`
	raw []byte // the whole of what came
}

// client speaks to a server over its transport, line by line.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  chan message
	done chan error
	last int
	seen []message // notifications
}

func serve(t *testing.T, o mcp.Options) *client {
	t.Helper()
	s, err := mcp.New(o)
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: make(chan message, 1000), done: make(chan error, 1)}
	go func() {
		c.done <- errors.Join(s.Run(context.WithoutCancel(t.Context()), mcp.Stdio{In: inR, Out: outW}), outW.Close())
	}()
	go func() {
		defer close(c.out)
		lines := bufio.NewScanner(outR)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var m message
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				t.Errorf("the server wrote %.200q, which is no protocol", lines.Text())
			}
			m.raw = bytes.Clone(lines.Bytes())
			c.out <- m
		}
	}()
	t.Cleanup(c.leave)
	return c
}

// graphOf serves the graph tools of a brain.
func graphOf(t *testing.T, b home) *client {
	c := serve(t, mcp.Options{Tools: mcp.Graph, UseCases: b.app.As})
	c.greet()
	return c
}

// leave ends the session and waits for the server.
func (c *client) leave() {
	if err := c.in.Close(); err != nil {
		c.t.Error(err)
	}
	select {
	case err := <-c.done:
		if err != nil {
			c.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		c.t.Error("the server did not end")
	}
}

func (c *client) line(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// next is the next message of the server.
func (c *client) next() message {
	c.t.Helper()
	select {
	case m, ok := <-c.out:
		if !ok {
			c.t.Fatal("the server has gone")
		}
		return m
	case <-time.After(30 * time.Second):
		c.t.Fatal("the server says nothing")
	}
	return message{}
}

// ask makes a request and waits for its answer.
func (c *client) ask(method string, params any) message {
	c.t.Helper()
	c.last++
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	c.line(string(raw))
	for {
		m := c.next()
		if m.Method == "" && m.ID == float64(c.last) {
			return m
		}
		c.seen = append(c.seen, m)
	}
}

func (c *client) greet() {
	c.t.Helper()
	m := c.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"},
	})
	if m.Error != nil {
		c.t.Fatalf("initialize: %v", m.Error)
	}
	c.line(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// result is what a tool answers.
type result struct {
	Content []struct{ Type, Text string }
	// Structured is compared as JSON.
	Structured any  `json:"structuredContent"`
	IsError    bool `json:"isError"`
}

func (r result) text() string {
	if len(r.Content) != 1 {
		return ""
	}
	return r.Content[0].Text
}

// call calls a tool.
func (c *client) call(tool string, arguments any) result {
	c.t.Helper()
	m := c.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if m.Error != nil {
		c.t.Fatalf("%s: %v", tool, m.Error)
	}
	var r result
	if err := json.Unmarshal(m.Result, &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

func decodeJSON[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}
