package mcp_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

func TestSubscribersHearOfEachCallThatMayChangeTheGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := onSQLite(t)
		s, err := mcp.New(mcp.Options{Tools: mcp.Graph, UseCases: b.app.As})
		if err != nil {
			t.Fatal(err)
		}
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- s.Run(t.Context(), mcp.Stdio{In: inR, Out: outW}) }()
		updates := 0
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
			ResourceUpdatedHandler: func(context.Context, *sdk.ResourceUpdatedNotificationRequest) { updates++ },
		})
		session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: outR, Writer: inW}, nil)
		if err != nil {
			t.Fatal(err)
		}
		call := func(what string, want int, tool string, arguments map[string]any) {
			t.Helper()
			updates = 0
			if r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments}); err != nil || r.IsError {
				t.Errorf("%s: %+v, %v", tool, r, err)
			}
			synctest.Wait()
			if updates != want {
				t.Errorf("%s: told %d times, want %d", what, updates, want)
			}
		}
		create := map[string]any{"entities": []brain.Entity{entity("Here")}}
		call("nobody listens", 0, "create_entities", create)
		if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: mcp.GraphURI}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the SDK's client does not
		call("an entity is made", 1, "create_entities", create)
		call("the graph is read", 0, "read_graph", map[string]any{})
		if err := session.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: mcp.GraphURI}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		call("nobody listens any more", 0, "create_entities", create)
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
