package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"unicode/utf8"

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
	schema json.RawMessage // of its arguments, read when it is called
	strict bool            // arguments that are not in the schema are refused
	run    toolFunc
}

// addTools adds the tools of a JSON list.
func (s *Server) addTools(list []byte, functions map[string]toolFunc, strict bool) {
	var specs []struct {
		mcp.Tool
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(list, &specs); err != nil {
		panic(err) // the list is part of the program
	}
	for i := range specs {
		t := tool{spec: &specs[i].Tool, schema: specs[i].InputSchema, strict: strict, run: functions[specs[i].Name]}
		t.spec.InputSchema = specs[i].InputSchema
		if len(specs[i].OutputSchema) > 0 {
			t.spec.OutputSchema = specs[i].OutputSchema
		}
		s.tools[t.spec.Name] = t
		s.server.AddTool(t.spec, s.handler(t))
	}
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
		arguments := req.Params.Arguments
		if len(arguments) == 0 || string(arguments) == "null" {
			arguments = json.RawMessage("{}")
		}
		if !utf8.Valid(arguments) { // decoding would replace them
			return failure("the arguments are not valid UTF-8\nwrite them as UTF-8"), nil
		}
		arguments, wrong := t.check(arguments)
		if wrong != "" {
			return failure("MCP error -32602: Input validation error: Invalid arguments for tool " + t.spec.Name + ": " + wrong), nil
		}
		out, err := t.run(ctx, s.o.callFrom(req.Session), arguments)
		if err != nil {
			return failure(errorText(err)), nil
		}
		if !t.spec.Annotations.ReadOnlyHint {
			err = s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: GraphURI})
		}
		if t.strict {
			out = out.bounded()
		}
		out = out.visible()
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.text}}, StructuredContent: out.structured}, err
	}
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
		text += "\n" + forAgent(hint)
	}
	return text
}

// decoded returns the function of a tool that gets its arguments decoded.
func decoded[T any](fn func(ctx context.Context, c call, args T) (answer, error)) toolFunc {
	return func(ctx context.Context, c call, arguments json.RawMessage) (answer, error) {
		var args T
		if err := json.Unmarshal(arguments, &args); err != nil {
			return answer{}, brain.Errorf(brain.ErrInvalid, "", "the arguments cannot be read: %v", err)
		}
		return fn(ctx, c, args)
	}
}

// forAgent converts a hint for an agent, which may have no shell: commands that a tool
// replaces become that tool, and the others are left to the user.
func forAgent(hint string) string {
	for _, r := range [][2]string{
		{", or - to read standard input", ""},
		{"`brainbridge list --sources reminder`", "`context`"},
		{"`brainbridge recall WORDS` and `brainbridge list --all` show", "`recall` shows"},
		{"`brainbridge list[^`]*`", "`recall`"},
		{"`brainbridge show[^`]*`", "`open_memory`"},
		{"`brainbridge learn`", "`remember`"},
		{"`brainbridge review decide[^`]*`", "`decide`"},
		{"`brainbridge review[^`]*`", "`review`"},
		{"`brainbridge consolidate --dry-run`", "`consolidate`"},
		{"`brainbridge consolidate`", "`consolidate` with apply"},
		{"`brainbridge (remember|recall|correct|replace|forget)[^`]*`", "`$1`"},
		{"`brainbridge [^`]*`", "${0} (the user can run it)"},
	} {
		hint = regexp.MustCompile(r[0]).ReplaceAllString(hint, r[1])
	}
	return hint
}
