package realagents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// step is an answer of the model: the call of a tool, a shell command, or a text.
type step struct {
	Tool  string
	Args  map[string]any
	From  func(read string) map[string]any // makes Args of what the model has read
	Shell string
	Say   string
}

// model is the scripted model. It answers a conversation with the steps of the task that
// was last named in it, one for each result of a tool since then.
type model struct {
	t     *testing.T
	url   string
	tasks map[string][]step

	mu       sync.Mutex
	requests []string // bodies, as JSON
	results  []string // of tools, that came back
	// compactions is how many summaries were asked for.
	compactions int
}

// mostRequests is more than any test makes.
const mostRequests = 400

// summary is what the model says where an agent compacts a conversation.
const summary = "Summary of a compaction."

// summaries is how often a conversation was compacted.
func (m *model) summaries() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.compactions
}

// isSummary reports whether the last turn asks for a summary of the others.
func (*model) isSummary(turns []turn) bool {
	return len(turns) > 0 && regexp.MustCompile(`(?i)create a (detailed|handoff) summary`).MatchString(turns[len(turns)-1].text)
}

func newModel(t *testing.T, tasks map[string][]step) *model {
	m := &model{t: t, tasks: tasks}
	srv := httptest.NewServer(m)
	t.Cleanup(srv.Close)
	m.url = srv.URL
	return m
}

// count is the number of requests so far.
func (m *model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.requests)
}

// since returns the bodies of the requests from one on.
func (m *model) since(from int) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests[from:])
}

// lastResult returns the last result of a tool that has a text.
func (m *model) lastResult(text string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, result := range slices.Backward(m.results) {
		if strings.Contains(result, text) {
			return result
		}
	}
	return ""
}

// sent reports whether a request from one on has a match of a pattern. Line breaks in texts
// are written as in JSON.
func (m *model) sent(pattern string, from int) bool {
	return slices.ContainsFunc(m.since(from), regexp.MustCompile("(?s)"+pattern).MatchString)
}

// unsent reports whether there were requests from one on, and none has a match of a pattern.
func (m *model) unsent(pattern string, from int) bool {
	return m.count() > from && !m.sent(pattern, from)
}

// An agent that did not start has not kept anything from the model.
func TestNothingIsUnsentWithoutRequests(t *testing.T) {
	m := newModel(t, nil)
	if m.unsent("secret", 0) {
		t.Error("without a request, a text counts as held back")
	}
	m.requests = []string{"a greeting"}
	if !m.unsent("secret", 0) || m.unsent("greeting", 0) || m.unsent("secret", 1) {
		t.Error("of a request, it is wrong what was held back")
	}
}

// answered reports whether a result of a tool has a match of a pattern.
func (m *model) answered(pattern string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.results, regexp.MustCompile("(?s)"+pattern).MatchString)
}

// dialect translates between one protocol and conversations.
type dialect struct {
	path  string // how the path ends
	read  func(body []byte) (conversation, error)
	write func(a answer) (events []event, whole any)
	// unnamed leaves the names of events out, and done ends them.
	unnamed bool
	done    string
}

// conversation is a request in any protocol.
type conversation struct {
	turns  []turn
	tools  []offered
	stream bool
	// routing is set where Gemini CLI asks which model is to answer.
	routing bool
}

// turn is something that the user said, or the result of a tool.
type turn struct {
	text   string
	result bool
}

// offered is a tool of the agent, in a namespace or not.
type offered struct{ namespace, name string }

// answer is a text, or the call of a tool.
type answer struct {
	text string
	call *offered
	args map[string]any
}

// event is a part of a streamed answer.
type event struct {
	name string
	data any
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, d := range dialects() {
		if !strings.Contains(r.URL.Path, d.path) {
			continue
		}
		c, err := d.read(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		stream := c.stream || strings.Contains(r.URL.Path, "stream")
		events, whole := d.write(m.answer(c, string(body)))
		if stream {
			writeEvents(w, d, events)
			return
		}
		writeJSON(w, whole)
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, map[string]int{"input_tokens": len(body) / 4})
	case strings.Contains(r.URL.Path, ":countTokens"):
		writeJSON(w, map[string]int{"totalTokens": len(body) / 4})
	default:
		writeJSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the agent has gone
}

func writeEvents(w http.ResponseWriter, d dialect, events []event) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		data, err := json.Marshal(e.data)
		if err != nil {
			panic(err) // they are made here
		}
		if !d.unnamed {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	if d.done != "" {
		fmt.Fprintf(w, "data: %s\n\n", d.done)
	}
}

// answer returns the next step of the task that the conversation is about.
func (m *model) answer(c conversation, body string) answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, body)
	if len(m.requests) > mostRequests { // an agent that has not the tools of a task asks for them again and again
		m.t.Errorf("%d requests", len(m.requests))
		return answer{text: "Enough."}
	}
	task, at := m.task(c.turns)
	done := 0
	for _, t := range c.turns {
		if t.result {
			m.results = append(m.results, t.text)
		}
	}
	for _, t := range c.turns[min(at+1, len(c.turns)):] {
		if t.result {
			done++
		}
	}
	switch {
	case c.routing:
		return answer{text: `{"reasoning": "scripted", "model_choice": "flash", "complexity_reasoning": "scripted", "complexity_score": 10, "next_speaker": "user"}`}
	case m.isSummary(c.turns):
		m.compactions++
		return answer{text: summary}
	case len(c.tools) == 0: // for a title
		return answer{text: "A title"}
	}
	steps := m.tasks[task]
	if len(steps) == 0 {
		return answer{text: "Nothing to do."}
	}
	s := steps[min(done, len(steps)-1)]
	if s.From != nil {
		s.Args = s.From(strings.ReplaceAll(body, `\"`, `"`))
	}
	switch {
	case s.Say != "":
		return answer{text: s.Say}
	case s.Shell != "":
		return shellCall(c.tools, s.Shell)
	}
	return toolCall(c.tools, s, body)
}

// task returns the task that was named last, and in which turn.
func (m *model) task(turns []turn) (name string, at int) {
	for i, t := range slices.Backward(turns) {
		for task := range m.tasks {
			if !t.result && strings.Contains(t.text, "("+task+")") {
				return task, i
			}
		}
	}
	return "", len(turns)
}

// shells are the shell tools of the agents, with the name of the argument.
var shells = map[string]string{
	"Bash": "command", "exec_command": "cmd", "shell_command": "command", "run_shell_command": "command", "exec": "command",
}

func shellCall(tools []offered, command string) answer {
	for _, o := range tools {
		if arg, ok := shells[o.name]; ok {
			return answer{call: &o, args: map[string]any{arg: command, "description": "run it"}}
		}
	}
	return answer{text: "There is no shell."}
}

// toolCall returns the call of a tool of an MCP server. Claude Code and OpenClaw load such
// tools only when they are searched for.
func toolCall(tools []offered, s step, body string) answer {
	named := func(name string) *offered {
		i := slices.IndexFunc(tools, func(o offered) bool { return o.name == name || strings.HasSuffix(o.name, "_"+name) })
		if i < 0 {
			return nil
		}
		return &tools[i]
	}
	if o := named(s.Tool); o != nil {
		return answer{call: o, args: s.Args}
	}
	body = strings.ReplaceAll(body, `\n`, "\n")
	full := regexp.MustCompile(`[\w:.-]*memory[\w:.-]*_` + s.Tool + `\b`).FindString(body)
	switch {
	case named("ToolSearch") != nil && full != "":
		return answer{call: named("ToolSearch"), args: map[string]any{"query": "select:" + full, "max_results": 5}}
	case named("tool_call") != nil && full != "":
		return answer{call: named("tool_call"), args: map[string]any{"id": full, "args": s.Args}}
	case named("tool_search") != nil:
		return answer{call: named("tool_search"), args: map[string]any{"query": "memory " + s.Tool, "limit": 20}}
	}
	return answer{text: "There is no tool " + s.Tool}
}
