package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recorded is a call with what the reference server answered.
type recorded struct {
	Tool, Method      string
	Arguments, Params json.RawMessage
	Result            json.RawMessage
}

// better is where we answer otherwise than the reference does, and why: by
// scenario and the number of the call.
func better() map[string]map[int]string {
	const (
		once  = "the reference adds an observation twice that stands twice in one call"
		twice = "the reference makes two of what stands twice in one call"
	)
	return map[string]map[int]string{
		"empty texts":                {4: once, 5: once},
		"the same twice in one call": {0: twice, 1: twice, 2: twice, 3: twice, 4: once, 5: twice},
	}
}

func TestAnswersAreThoseOfTheReferenceServer(t *testing.T) {
	raw, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var scenarios []struct {
		Name  string
		Steps []recorded
	}
	if err := json.Unmarshal(raw, &scenarios); err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			onBothStores(t, func(t *testing.T, b home) {
				c := graphOf(t, b)
				for i, step := range s.Steps {
					why := better()[s.Name][i]
					got := c.play(step)
					diff := cmp.Diff(alike(t, step.Result), alike(t, got))
					switch {
					case why == "" && diff != "":
						t.Errorf("call %d, %s%s %s: (-reference +ours)\n%s", i, step.Method, step.Tool, step.Arguments, diff)
					case why != "" && diff == "":
						t.Errorf("call %d answers as the reference does, though %s", i, why)
					}
				}
			})
		})
	}
}

func (c *client) play(step recorded) json.RawMessage {
	c.t.Helper()
	method, params := step.Method, any(step.Params)
	if step.Tool != "" {
		method = "tools/call"
		call := map[string]any{"name": step.Tool}
		if step.Arguments != nil {
			call["arguments"] = step.Arguments
		}
		params = call
	}
	if step.Params == nil && step.Tool == "" {
		params = map[string]any{}
	}
	m := c.ask(method, params)
	if m.Error != nil {
		c.t.Errorf("%s: %v", method, m.Error)
	}
	return m.Result
}

// alike is a result without what the protocol of a tool list may leave out or add
// (which schema language it is written in, that it is no task, how long it may be kept),
// and without what our descriptions add.
func alike(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	result, _ := v.(map[string]any)
	for _, part := range list(result["content"]) {
		if part, ok := part.(map[string]any); ok { // the words of a validator are its own
			text, _ := part["text"].(string)
			part["text"] = regexp.MustCompile(`(?s)^(MCP error \S+ Input validation error: Invalid arguments for tool \w+: ).*`).ReplaceAllString(text, "$1")
		}
	}
	delete(result, "cacheScope")
	delete(result, "ttlMs")
	tools := list(result["tools"])
	slices.SortFunc(tools, func(a, b any) int { return strings.Compare(fmt.Sprint(name(a)), fmt.Sprint(name(b))) })
	for _, tool := range tools {
		if tool, ok := tool.(map[string]any); ok {
			delete(tool, "execution")
			description, _ := tool["description"].(string)
			tool["description"] = strings.TrimSuffix(description, ". Sees entities only")
			for _, key := range []string{"inputSchema", "outputSchema"} {
				if schema, ok := tool[key].(map[string]any); ok {
					delete(schema, "$schema")
				}
			}
		}
	}
	return v
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func name(tool any) any {
	t, _ := tool.(map[string]any)
	return t["name"]
}
