package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
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
		once     = "the reference adds an observation twice that stands twice in one call"
		nameless = "the reference makes an entity that nothing can name"
		twice    = "the reference makes two of what stands twice in one call"
	)
	return map[string]map[int]string{
		"empty texts":                {4: once, 5: once},
		"the same twice in one call": {0: twice, 1: twice, 2: twice, 3: twice, 4: once, 5: twice},
		"an empty name":              {0: nameless, 1: nameless, 2: nameless},
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

// alike is a result without what the protocol of a tool list may leave
// out or add (which schema language it is written in, that it is no task, how
// long it may be kept), without what our descriptions add, and
// without the order of relations: the graph knows no order of them, so ours
// come in the order of the entities that they join.
func alike(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	result, _ := v.(map[string]any)
	if content, ok := result["structuredContent"].(map[string]any); ok {
		sortRelations(content)
	}
	for _, part := range append(list(result["content"]), list(result["contents"])...) {
		if part, ok := part.(map[string]any); ok {
			part["text"] = sortedText(part["text"])
		}
	}
	delete(result, "cacheScope")
	delete(result, "ttlMs")
	tools := list(result["tools"])
	slices.SortFunc(tools, func(a, z any) int { return strings.Compare(fmt.Sprint(name(a)), fmt.Sprint(name(z))) })
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

func sortRelations(graph map[string]any) {
	key := func(v any) string { return fmt.Sprint(v) }
	slices.SortFunc(list(graph["relations"]), func(a, z any) int { return strings.Compare(key(a), key(z)) })
}

// sortedText is a graph as text with its relations in order; any other text is
// as it is.
func sortedText(v any) any {
	text, _ := v.(string)
	var graph struct {
		Entities  []brain.Entity         `json:"entities"`
		Relations []brain.EntityRelation `json:"relations"`
	}
	if json.Unmarshal([]byte(text), &graph) != nil || len(graph.Relations) < 2 {
		return v
	}
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func name(tool any) any {
	t, _ := tool.(map[string]any)
	return t["name"]
}
