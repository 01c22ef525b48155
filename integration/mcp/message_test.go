package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/mcp"
)

// answered is an answer of which the id is kept as it was written.
type answered struct {
	ID    json.RawMessage
	Error *struct{ Code int }
}

// ids are what clients may call with; true: it is answered, else refused.
func ids() map[string]bool {
	return map[string]bool{
		`1`: true, `0`: true, `-7`: true, `9007199254740992`: true, `"a b"`: true, `"ä\ufffd"`: true,
		`true`: false, `[1]`: false, `1e400`: false,
	}
}

// decoded reads an answer, and says whether its id is the one that was given, or
// null where that cannot be answered.
func decoded(t *testing.T, id string, raw []byte) answered {
	t.Helper()
	var got answered
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatalf("%s is answered with %s: %v", id, raw, err)
	}
	given, back := any(nil), any(nil)
	if json.Unmarshal([]byte(id), &given) != nil && id != "1e400" || json.Unmarshal(got.ID, &back) != nil {
		t.Fatalf("%s came back as %s", id, got.ID)
	}
	if _, isText := given.(string); !isText && string(got.ID) != id && back != nil || isText && back != nil && given != back {
		t.Errorf("%s came back as %s", id, got.ID)
	}
	return got
}

func TestAnIDComesBackAsItWasGiven(t *testing.T) {
	c := graphOf(t, onSQLite(t))
	for id, good := range ids() {
		for _, method := range []string{"ping", "no/such"} {
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method)
			want := map[bool]int{true: -32601, false: -32600}[good]
			if good && method == "ping" {
				want = 0
			}
			c.line(call)
			raw := c.next().raw
			got := decoded(t, id, raw)
			if code := got.code(); code != want {
				t.Errorf("%s is answered with %s, want %d", call, raw, want)
			}
		}
	}
}

func (a answered) code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// That a server is told to end in the middle of a call, or its client goes, is
// no error and no news.
func TestTheEndIsNoError(t *testing.T) {
	var log bytes.Buffer
	for _, calls := range []string{"", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_graph"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_graph"}}
`} {
		ctx, end := context.WithCancel(t.Context())
		s, err := mcp.New(mcp.Options{
			Tools: mcp.Graph, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})),
			UseCases: func(c app.Caller) *app.UseCases {
				end()
				return away(t).As(c)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(ctx, mcp.Stdio{In: strings.NewReader(calls), Out: io.Discard}); err != nil {
			t.Error(err)
		}
		end()
	}
	if log.Len() > 0 {
		t.Error(log.String())
	}
}

// posting is a client over HTTP.
func posting(t *testing.T) func(body string) ([]byte, int) {
	t.Helper()
	s, err := mcp.New(mcp.Options{Tools: mcp.Graph, UseCases: away(t).As})
	if err != nil {
		t.Fatal(err)
	}
	here := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		here.Close()
	})
	session := ""
	post := func(body string) ([]byte, int) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, here.URL, bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		raw, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		if session == "" {
			session = got.Header.Get("Mcp-Session-Id")
		}
		return raw, got.StatusCode
	}
	post(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return post
}

// A bad message is refused, and the session goes on.
func TestBadMessagesOverHTTP(t *testing.T) {
	post := posting(t)
	for _, body := range []string{
		"no json", "", "\x00\xff", `{"jsonrpc":"2.0","id":1,`, `{}`, `"text"`, `{"id":"a","method":5}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
	} {
		if raw, status := post(body); status != http.StatusBadRequest {
			t.Errorf("%q is answered with %d %q", body, status, raw)
		}
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_nodes","arguments":{"query":5}}}`,
	} {
		raw, _ := post(body)
		var got answered
		if err := json.Unmarshal(raw, &got); err != nil || got.Error != nil {
			t.Errorf("%q is answered with %q", body, raw)
		}
	}
}
