package transcript

import (
	"bytes"
	"strings"
)

// codex reads a line of Codex, with its envelope or in the form before
// September 2025 without.
func (r *reader) codex(rec *record) error {
	if rec.payload == nil {
		return r.codexBare(rec)
	}
	typ := str(rec.typ)
	if typ == "session_meta" {
		r.codexHeader(rec)
		return nil
	}
	at, undated := r.date(rec.timestamp)
	when := dated{at, undated}
	if r.replayed(typ, rec, when) {
		r.result.Counts.Replayed++
		return nil
	}
	c := &r.result.Counts
	switch {
	case typ == "compacted":
		c.Compactions++
	case typ != "response_item" && typ != "event_msg":
		r.codexOther(typ)
	case r.state.Side && !r.opts.SideChains:
		c.SideChains++
	case typ == "response_item":
		return r.codexItem(rec.payload, when)
	default:
		return r.codexEvent(rec.payload, when)
	}
	return nil
}

func (r *reader) codexOther(typ string) {
	switch typ {
	case "turn_context", "inter_agent_communication", "world_state", "session_state", "token_usage_record", "ghost_commit":
		r.result.Counts.Meta++
	default:
		r.unknown(typ)
	}
}

// codexBare reads a line without envelope. Such files have one timestamp, in
// their header.
func (r *reader) codexBare(rec *record) error {
	switch {
	case rec.typ == nil && rec.state == nil && isString(rec.id):
		r.result.Counts.Meta++
		r.state.Session = str(rec.id)
		if at, ok := r.believed(rec.timestamp); ok {
			r.state.Started = at
		}
		return nil
	case rec.typ == nil:
		r.result.Counts.Meta++
		return nil
	}
	at, undated := r.date(rec.timestamp)
	return r.codexItem(rec.raw, dated{at, undated})
}

// codexHeader reads a session_meta. The first is that of the session; a fork
// repeats those of its parents.
func (r *reader) codexHeader(rec *record) {
	r.result.Counts.Meta++
	at, ok := r.believed(rec.timestamp)
	if r.state.Session != "" {
		return
	}
	var id, started, parent, source, thread []byte
	members(rec.payload, func(key, value []byte) {
		switch string(key) {
		case "id", "session_id":
			if id == nil {
				id = value
			}
		case "timestamp":
			started = value
		case "forked_from_id":
			parent = value
		case "source":
			source = value
		case "thread_source":
			thread = value
		}
	})
	r.state.Session = str(id)
	if own, fine := r.believed(started); fine {
		at, ok = own, true
	}
	if ok {
		r.state.Started = at
	}
	r.state.Side = is(thread, "subagent") || member(source, "subagent") != nil
	if isString(parent) {
		r.state.Fork = forkOf(r.state.Session, r.state.Started)
	}
}

// item is the payload of a line.
type item struct {
	typ, role, content, message, id, call []byte
	name, arguments, input, output        []byte
	action, command                       []byte
}

func parseItem(raw []byte) item {
	var it item
	members(raw, func(key, value []byte) {
		switch string(key) {
		case "type":
			it.typ = value
		case "role":
			it.role = value
		case "content":
			it.content = value
		case "message":
			it.message = value
		case "id":
			it.id = value
		case "call_id":
			it.call = value
		case "name":
			it.name = value
		case "arguments":
			it.arguments = value
		case "input":
			it.input = value
		case "output":
			it.output = value
		case "action":
			it.action = value
		case "query":
			it.command = value
		}
	})
	return it
}

// Two places of a Codex file say what was said.
const (
	fromItem = iota
	fromEvent
)

func (r *reader) codexItem(raw []byte, when dated) error {
	it := parseItem(raw)
	switch typ := str(it.typ); typ {
	case "message":
		return r.codexMessage(it, when)
	case "function_call":
		return r.codexCall(it, str(it.name), it.arguments, when)
	case "custom_tool_call":
		return r.codexCall(it, str(it.name), it.input, when)
	case "local_shell_call":
		return r.codexCall(it, "shell", it.action, when)
	case "web_search_call":
		return r.codexCall(it, "web_search", it.action, when)
	case "tool_search_call":
		return r.codexCall(it, "tool_search", it.arguments, when)
	case "function_call_output", "custom_tool_call_output":
		return r.codexOutput(it, when)
	case "reasoning":
		r.result.Counts.Thinking++
	case "compaction", "context_compaction", "compaction_summary":
		r.result.Counts.Compactions++
	case "ghost_snapshot", "agent_message", "additional_tools", "tool_search_output", "image_generation_call", "other":
		r.result.Counts.Meta++
	default:
		r.unknown("item " + typ)
	}
	return nil
}

func (r *reader) codexMessage(it item, when dated) error {
	switch role := str(it.role); role {
	case "user", "assistant":
		return r.codexSaid(Role(role), str(it.id), textOf(it.content, r.countBlock), fromItem, when)
	case "developer", "system":
		r.result.Counts.Meta++
	default:
		r.unknown("message role " + role)
	}
	return nil
}

func (r *reader) codexSaid(role Role, id, text string, from int, when dated) error {
	text, why := clean(text), asEmpty
	if role == User {
		text, why = unwrapped(text)
	}
	if text == "" {
		r.result.Counts.drop(why)
		return nil
	}
	if r.state.twin(role, text, from, when.at) {
		r.result.Counts.Repeats++
		return nil
	}
	return r.pass(r.message(role, Said, id, text, when.at, when.undated))
}

func (r *reader) codexEvent(raw []byte, when dated) error {
	it := parseItem(raw)
	switch typ := str(it.typ); typ {
	case "user_message":
		return r.codexSaid(User, "", str(it.message), fromEvent, when)
	case "agent_message":
		return r.codexSaid(Assistant, "", str(it.message), fromEvent, when)
	case "agent_reasoning", "agent_reasoning_raw_content":
		r.result.Counts.Thinking++
	case "context_compacted":
		r.result.Counts.Compactions++
	default:
		r.result.Counts.Meta++ // some seventy kinds, of which none holds words that an item does not
	}
	return nil
}

func (r *reader) codexCall(it item, name string, input []byte, when dated) error {
	return r.pass(r.message(Tool, Call, callID(it), call(name, input), when.at, when.undated))
}

func callID(it item) string {
	if isString(it.call) {
		return str(it.call)
	}
	return str(it.id)
}

func (r *reader) codexOutput(it item, when dated) error {
	if isLong(it.output) && endedWell(it.output) {
		r.result.Counts.Results++
		return nil
	}
	text, failed := outputOf(it.output, r.countBlock)
	return r.toolResult(callID(it), text, failed, when)
}

// endedWell says of an output that is not decoded yet that it is no error: it
// has an exit code of zero on top, or none at all.
func endedWell(raw []byte) bool {
	head := raw[:min(len(raw), 400)]
	for _, code := range [...]string{"exited with code 0\\n", "Exit code: 0\\n"} {
		if bytes.Contains(head, []byte(code)) {
			return true
		}
	}
	return isString(raw) && !bytes.HasPrefix(raw, []byte(`"{`)) &&
		!bytes.Contains(head, []byte("exited with code")) && !bytes.Contains(head, []byte("Exit code:"))
}

// outputOf reads the output of a tool: text, blocks, an object, or a string
// that holds an object with the exit code beside the output.
func outputOf(raw []byte, count func(string, []byte)) (text string, failed bool) {
	if isObject(raw) {
		return outputObject(raw)
	}
	text = textOf(raw, count)
	if strings.HasPrefix(text, "{") && valid([]byte(text)) && strings.Contains(text, `"output"`) {
		return outputObject([]byte(text))
	}
	return text, exitedWrong(text)
}

func outputObject(raw []byte) (text string, failed bool) {
	var output, content, success, exit []byte
	members(raw, func(key, value []byte) {
		switch string(key) {
		case "output":
			output = value
		case "content":
			content = value
		case "success":
			success = value
		case "metadata":
			exit = member(value, "exit_code")
		}
	})
	if output == nil {
		output = content
	}
	return textOf(output, nil), string(success) == "false" || (exit != nil && string(exit) != "0")
}

// exitedWrong reads the exit code in the head that Codex writes before an output.
func exitedWrong(text string) bool {
	head, _, _ := strings.Cut(text, "\nOutput:")
	for line := range strings.Lines(head[:min(len(head), 400)]) {
		for _, label := range [...]string{"Process exited with code ", "Exit code: "} {
			if code, ok := strings.CutPrefix(line, label); ok {
				return strings.TrimSpace(code) != "0"
			}
		}
	}
	return false
}
