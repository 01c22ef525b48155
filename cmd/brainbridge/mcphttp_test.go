package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// bearing is a client's transport that shows a token.
type bearing struct{ token string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// address is where the daemon that greeted so serves agents.
type address struct{ url, token string }

func greeted(t *testing.T, greeting string) address {
	t.Helper()
	found := regexp.MustCompile(`(?m)^  mcp    (\S+), with the token in (\S+)$`).FindStringSubmatch(greeting)
	if found == nil {
		t.Fatalf("no address for agents in %s", greeting)
	}
	token, err := os.ReadFile(found[2])
	if err != nil {
		t.Fatal(err)
	}
	return address{found[1], strings.TrimSpace(string(token))}
}

func (a address) connect(t *testing.T, o *sdk.ClientOptions) (*sdk.ClientSession, error) {
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	return c.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: a.url, HTTPClient: &http.Client{Transport: bearing{a.token}}, MaxRetries: -1,
	}, nil)
}

func (a address) mustConnect(t *testing.T, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	session, err := a.connect(t, o)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func makeEntity(t *testing.T, session *sdk.ClientSession, name string) {
	t.Helper()
	e := brain.Entity{Name: name, EntityType: "t", Observations: []string{"x"}}
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "create_entities", Arguments: map[string]any{"entities": []brain.Entity{e}}})
	if err != nil || r.IsError {
		t.Errorf("%s: %+v, %v", name, r, err)
	}
}

// Agents over HTTP and over standard input share one brain. The daemon that
// serves the former may die and come back without the latter noticing.
func TestAgentsOverHTTP(t *testing.T) {
	onEachStore(t, func(t *testing.T, home string, store []string) {
		stop, greeting := serving(t, home, store...)
		here := greeted(t, greeting)
		if _, err := (address{here.url, here.token + "x"}).connect(t, nil); err == nil {
			t.Error("another token lets in")
		}
		beside := startMCP(t, home, store...)

		updated := make(chan string, 100)
		watching := here.mustConnect(t, &sdk.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
		})
		if err := watching.Subscribe(t.Context(), &sdk.SubscribeParams{URI: mcp.GraphURI}); err != nil {
			t.Error(err)
		}
		tools, err := watching.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 21 {
			t.Errorf("%d tools: %v", len(tools.Tools), err)
		}
		const clients, each = 4, 5
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				session := here.mustConnect(t, nil)
				for j := range each {
					makeEntity(t, session, fmt.Sprintf("h%d-%d", i, j))
				}
				if err := session.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := <-updated; got != mcp.GraphURI {
			t.Errorf("%s was updated", got)
		}
		if got := len(beside.names()); got != clients*each {
			t.Errorf("%d entities, want %d", got, clients*each)
		}

		stop() // with a session and its stream open
		if _, err := watching.ListTools(t.Context(), nil); err == nil {
			t.Error("a daemon that was stopped answers")
		}
		beside.create(1, "meanwhile")
		if answer := beside.answer(); strings.Contains(answer, "isError") {
			t.Error(answer)
		}
		stop, greeting = serving(t, home, store...)
		back := greeted(t, greeting)
		if back.token != here.token {
			t.Error("the token is another one")
		}
		session := back.mustConnect(t, nil)
		makeEntity(t, session, "later")
		if names := beside.names(); !names["later"] || !names["meanwhile"] {
			t.Errorf("%v lack what was made when the daemon was away and back", names)
		}
		beside.leave()
		stop()
	})
}

func TestNobodyElseReadsTheToken(t *testing.T) {
	home := t.TempDir()
	stop, greeting := serving(t, home)
	here := greeted(t, greeting)
	stop()
	file := filepath.Join(home, "state", "default", "token")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", info.Mode(), err)
	}
	if strings.Contains(greeting, here.token) {
		t.Error("the greeting tells the token")
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	stop, greeting = serving(t, home)
	defer stop()
	if greeted(t, greeting).token == here.token {
		t.Error("a token that others could read is still good")
	}
}
