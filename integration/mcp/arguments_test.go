package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Clients that know only floating-point numbers, or that send every argument, are understood.
func TestIntegersAndNullsOfClients(t *testing.T) {
	b := onSQLite(t)
	c := memoryOf(t, b)
	c.call("remember", map[string]any{"content": "the ferry leaves at nine", "due": nil, "tags": nil, "gate": nil, "relate": nil})
	c.call("remember", map[string]any{"content": "the ferry is green"})
	for arguments, want := range map[string]int{
		`{"query": "ferry", "limit": 1.0, "budget": null, "types": null, "project": null, "since": null}`: 1,
		`{"query": "ferry", "limit": 1e0}`:               1,
		`{"query": "ferry", "limit": 20E-1}`:             2,
		`{"query": null}`:                                2,
		`{"query": "ferry", "limit": 1.5}`:               -1,
		`{"query": "ferry", "limit": 1e300}`:             -1,
		`{"query": "ferry", "limit": -1.0}`:              -1,
		`{"query": "ferry", "limit": 0.0}`:               -1,
		`{"query": "ferry", "limit": "1"}`:               -1,
		`{"query": "ferry", "tags": [null], "limit": 1}`: -1,
		`{"query": "ferry", "other": null}`:              -1,
	} {
		r := c.call("recall", json.RawMessage(arguments))
		if want < 0 {
			if !r.IsError || !strings.Contains(r.text(), "-32602") {
				t.Errorf("%s is answered with %s", arguments, r.text())
			}
			continue
		}
		if n := len(structured[struct{ Results []any }](t, r).Results); n != want {
			t.Errorf("%s finds %d, want %d: %s", arguments, n, want, r.text())
		}
	}
	if r := c.call("open_memory", json.RawMessage(`{"id": null}`)); !r.IsError || !strings.Contains(r.text(), `null has type "null", want "string"`) {
		t.Errorf("null for an argument that is required: %s", r.text())
	}
}
