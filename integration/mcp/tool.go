package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/app"
)

// The tools as clients see them. Those of the graph are copied from the reference.
var (
	//go:embed graph.json
	graphJSON []byte
	//go:embed memory.json
	memoryJSON []byte
)

// answer is the result of a call: as text, and for programs.
type answer struct {
	text       string
	structured any // nil for none
}

// call is one call of a tool, with the use cases for its caller.
type call struct {
	*app.UseCases
	o Options
}

// callFrom returns a call from the client of a session.
func (o Options) callFrom(session *mcp.ServerSession) call {
	c := app.Caller{Session: o.Session, Project: o.Project}
	if id := session.ID(); id != "" {
		c.Session = SessionPrefix + id
	}
	if p := session.InitializeParams(); p != nil && p.ClientInfo != nil {
		c.Agent = p.ClientInfo.Name
	}
	return call{o.UseCases(c), o}
}

// toolFunc carries out one tool. Its arguments were checked against the schema.
type toolFunc func(ctx context.Context, c call, arguments json.RawMessage) (answer, error)

// tool is a tool and its function.
type tool struct {
	spec   *mcp.Tool
	schema func() *jsonschema.Resolved // of its arguments
	ours   bool                        // a memory tool: unknown arguments are refused, and the answer is bounded
	run    toolFunc
}

// addTools adds the tools of a JSON list.
func (s *Server) addTools(list []byte, functions map[string]toolFunc, ours bool) {
	var specs []struct {
		mcp.Tool
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(list, &specs); err != nil {
		panic(err) // the list is part of the program
	}
	for i := range specs {
		spec, schema := &specs[i].Tool, specs[i].InputSchema
		spec.InputSchema = schema
		if len(specs[i].OutputSchema) > 0 {
			spec.OutputSchema = specs[i].OutputSchema
		}
		t := tool{spec, sync.OnceValue(func() *jsonschema.Resolved { return resolved(schema, ours) }), ours, functions[spec.Name]}
		s.tools[spec.Name] = t
		s.server.AddTool(spec, s.handler(t))
	}
}

// resolved returns the schema of the arguments of a tool. A closed one allows no others.
func resolved(raw json.RawMessage, closed bool) *jsonschema.Resolved {
	var schema jsonschema.Schema
	err := json.Unmarshal(raw, &schema)
	if closed {
		schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	out, resolveErr := schema.Resolve(nil)
	if err = errors.Join(err, resolveErr); err != nil {
		panic(err) // the schema is part of the program
	}
	return out
}

// check returns arguments as a tool decodes them, or what is wrong with them. Of what clients
// send, null for an optional argument is none, and an integer may come as 5.0.
func (t tool) check(arguments json.RawMessage) (json.RawMessage, error) {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	var v any
	if err := json.Unmarshal(arguments, &v); err != nil {
		return nil, err
	}
	schema := t.schema()
	if given, isObject := v.(map[string]any); isObject {
		maps.DeleteFunc(given, func(name string, value any) bool {
			return value == nil && schema.Schema().Properties[name] != nil && !slices.Contains(schema.Schema().Required, name)
		})
	}
	if err := schema.Validate(v); err != nil {
		plain := strings.NewReplacer("validating root: ", "", "validating /properties/", "", "<invalid reflect.Value>", "null").Replace(err.Error())
		return nil, fmt.Errorf("%s\nthe arguments are %s", plain, strings.Join(slices.Sorted(maps.Keys(schema.Schema().Properties)), ", "))
	}
	return json.Marshal(v)
}

// handler runs a tool. Every error is a tool error, which a model can read.
func (s *Server) handler(t tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.Error("a tool panicked", "tool", t.spec.Name, "panic", p, "stack", string(debug.Stack()))
				res, err = failure(fmt.Sprintf("%s failed inside; this is a fault of brainbridge", t.spec.Name)), nil
			}
		}()
		if !utf8.Valid(req.Params.Arguments) { // decoding would replace them
			return failure("the arguments are not valid UTF-8\nwrite them as UTF-8"), nil
		}
		arguments, err := t.check(req.Params.Arguments)
		if err != nil {
			return failure("MCP error -32602: Input validation error: Invalid arguments for tool " + t.spec.Name + ": " + err.Error()), nil
		}
		out, err := t.run(ctx, s.o.callFrom(req.Session), arguments)
		if err != nil {
			return failure(errorText(err)), nil
		}
		if !t.spec.Annotations.ReadOnlyHint {
			err = s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: GraphURI})
		}
		return out.result(t.ours), err
	}
}

// result returns an answer as a client gets it, without what would change how the rest is
// shown. A bounded answer has at most maxAnswer characters in each form: a longer one for
// programs, with a name or a tag as long as a person likes, is left out.
func (a answer) result(bounded bool) *mcp.CallToolResult {
	text := plaintext.Visible(a.text)
	if bounded {
		text = plaintext.Shorten(text, maxAnswer)
	}
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if a.structured != nil {
		if raw := forAgents(compact(a.structured)); !bounded || utf8.RuneCountInString(raw) <= maxAnswer {
			res.StructuredContent = json.RawMessage(raw)
		}
	}
	return res
}

// forAgents returns JSON without the characters that [plaintext.Visible] leaves out, which are
// escaped in it, and without fields that are null, which an agent would pay for.
func forAgents(raw string) string {
	raw = regexp.MustCompile(`,"\w+":null|"\w+":null,?`).ReplaceAllString(raw, "") // in a text, the second quote would be escaped
	return regexp.MustCompile(`\\(?:u[0-9a-f]{4}|.)`).ReplaceAllStringFunc(raw, func(escape string) string {
		var r string
		if json.Unmarshal([]byte(`"`+escape+`"`), &r) == nil && plaintext.Visible(r) == "" {
			return ""
		}
		return escape
	})
}

// failure returns a tool error.
func failure(text string) *mcp.CallToolResult {
	text = plaintext.Shorten(plaintext.Visible(text), maxAnswer)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}

// errorText returns the text of an error for a model: what happened, and what to do next.
func errorText(err error) string {
	text, hint := err.Error(), ""
	var ours *brain.Error
	if errors.As(err, &ours) {
		text, hint = ours.Message, ours.Hint
	}
	if hint == "" {
		switch {
		case errors.Is(err, brain.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
			hint = "the store is away: try again; `brainbridge status` says why"
		case errors.Is(err, brain.ErrBusy), errors.Is(err, brain.ErrConflict):
			hint = "try again"
		}
	}
	text = plaintext.Shorten(text, maxAnswer/4) // it may quote what was asked
	if hint != "" {
		text += "\n" + hint
	}
	return text
}

// decoded returns the function of a tool that gets its arguments decoded.
func decoded[T any](fn func(ctx context.Context, c call, args T) (answer, error)) toolFunc {
	return func(ctx context.Context, c call, arguments json.RawMessage) (answer, error) {
		var args T
		if err := json.Unmarshal(arguments, &args); err != nil {
			return answer{}, brain.Errorf(brain.ErrInvalid, "", "MCP error -32602: Invalid arguments: %v", err)
		}
		return fn(ctx, c, args)
	}
}

// indented returns a value as the reference writes it, with nothing escaped that need not be.
func indented(v any) string { return written(v, "  ") }

// compact returns the same on one line.
func compact(v any) string { return written(v, "") }

func written(v any, indent string) string {
	out, err := plaintext.JSON(v, indent)
	if err != nil {
		panic(err) // an answer always encodes
	}
	text := strings.TrimSuffix(string(out), "\n")
	if !strings.Contains(text, `\u202`) {
		return text
	}
	// Go escapes two separators that JavaScript does not. An escaped backslash stays.
	return strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029").Replace(text)
}
