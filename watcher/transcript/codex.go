package transcript

import (
	"cmp"
	"strings"
)

// codex reads a line of Codex, with its envelope or in the form before
// September 2025 without.
func (r *reader) codex(line []byte) {
	var kind, id, timestamp, payload []byte
	pick(line, field{"type", &kind}, field{"id", &id}, field{"timestamp", &timestamp}, field{"payload", &payload})
	typ := str(kind)
	switch {
	case payload == nil:
		r.codexBare(line, kind, id, timestamp)
		return
	case typ == "session_meta":
		r.codexHeader(timestamp, payload)
		return
	}
	r.date(timestamp)
	if r.replayed(typ, payload) {
		return
	}
	switch typ {
	case "response_item", "event_msg":
		if r.state.Side && !r.opts.SideChains {
			return
		}
		if typ == "event_msg" {
			r.codexEvent(payload)
			return
		}
		r.codexItem(payload)
	case "compacted", "turn_context", "inter_agent_communication", "world_state", "session_state", "token_usage_record",
		"ghost_commit": // nothing said
	default:
		r.unknown("line", "type", typ)
	}
}

// codexBare reads a line without envelope. Such files have one timestamp, in
// their header.
func (r *reader) codexBare(line, typ, id, timestamp []byte) {
	switch {
	case typ != nil:
		r.date(timestamp)
		r.codexItem(line)
	case isString(id):
		r.state.Session = str(id)
		r.started(timestamp)
	}
}

// codexHeader reads a session_meta. The first is that of the session; a fork
// repeats those of its parents.
func (r *reader) codexHeader(timestamp, payload []byte) {
	if r.state.Session != "" {
		return
	}
	var id, other, started, parent, source, thread, cwd []byte
	pick(payload,
		field{"id", &id}, field{"session_id", &other}, field{"timestamp", &started},
		field{"forked_from_id", &parent}, field{"source", &source}, field{"thread_source", &thread},
		field{"cwd", &cwd},
	)
	r.state.Session = cmp.Or(str(id), str(other))
	r.folder(cwd)
	r.started(timestamp)
	r.started(started)
	r.state.Side = is(thread, "subagent") || member(source, "subagent") != nil
	if isString(parent) {
		r.state.Fork = forkOf(r.state.Session, r.state.Started)
	}
}

// Two places of a Codex file have the words that were said.
const (
	fromItem = iota
	fromEvent
)

func (r *reader) codexItem(item []byte) {
	var kind, role, content, id, callID, name, arguments, input, output, action []byte
	pick(item,
		field{"type", &kind}, field{"role", &role}, field{"content", &content}, field{"id", &id},
		field{"call_id", &callID}, field{"name", &name}, field{"arguments", &arguments}, field{"input", &input},
		field{"output", &output}, field{"action", &action},
	)
	tool := cmp.Or(str(callID), str(id))
	switch typ := str(kind); typ {
	case "message":
		r.codexMessage(str(role), str(id), content)
	case "function_call":
		r.pass(r.message(Tool, Call, tool, call(str(name), arguments)))
	case "custom_tool_call":
		r.pass(r.message(Tool, Call, tool, call(str(name), input)))
	case "local_shell_call":
		r.pass(r.message(Tool, Call, tool, call("shell", action)))
	case "web_search_call":
		r.pass(r.message(Tool, Call, tool, call("web_search", action)))
	case "tool_search_call":
		r.pass(r.message(Tool, Call, tool, call("tool_search", arguments)))
	case "function_call_output", "custom_tool_call_output":
		r.codexOutput(tool, output)
	case "reasoning", "compaction", "context_compaction", "compaction_summary", "ghost_snapshot", "agent_message",
		"additional_tools", "tool_search_output", "image_generation_call", "other": // nothing said
	default:
		r.unknown("line", "type", typ)
	}
}

func (r *reader) codexMessage(role, id string, content []byte) {
	switch role {
	case "user":
		r.saidUnlessRepeated(User, id, unwrapped(clean(textOf(content, r.reportUnknownBlock))), fromItem)
	case "assistant":
		r.saidUnlessRepeated(Assistant, id, clean(textOf(content, r.reportUnknownBlock)), fromItem)
	case "developer", "system": // nothing said
	default:
		r.unknown("line", "role", role)
	}
}

// codexEvent reads an event. There are some seventy kinds, and none but these
// two holds words that no item has.
func (r *reader) codexEvent(event []byte) {
	var kind, message []byte
	pick(event, field{"type", &kind}, field{"message", &message})
	switch {
	case is(kind, "user_message"):
		r.saidUnlessRepeated(User, "", unwrapped(clean(str(message))), fromEvent)
	case is(kind, "agent_message"):
		r.saidUnlessRepeated(Assistant, "", clean(str(message)), fromEvent)
	}
}

// codexOutput reads the output of a tool: text, blocks, an object, or a string
// that holds an object with the exit code beside the output.
func (r *reader) codexOutput(id string, raw []byte) {
	if isObject(raw) {
		r.codexOutputObject(id, raw)
		return
	}
	if isString(raw) && raw[1] != '{' && isLong(raw) && !exitedWrong(string(raw[1:min(len(raw), headSize)]), `\n`) {
		return // nobody needs it decoded
	}
	text := textOf(raw, r.reportUnknownBlock)
	if strings.HasPrefix(text, "{") && strings.Contains(text, `"output"`) && valid([]byte(text)) {
		r.codexOutputObject(id, []byte(text))
		return
	}
	r.output(id, text, exitedWrong(text[:min(len(text), headSize)], "\n"))
}

func (r *reader) codexOutputObject(id string, raw []byte) {
	var output, content, success, metadata []byte
	pick(raw, field{"output", &output}, field{"content", &content}, field{"success", &success}, field{"metadata", &metadata})
	if output == nil {
		output = content
	}
	exit := member(metadata, "exit_code")
	r.output(id, textOf(output, r.reportUnknownBlock), string(success) == "false" || exit != nil && string(exit) != "0")
}

// headSize is how many bytes of an output are searched for the exit code that
// Codex writes before it.
const headSize = 400

// exitedWrong reports whether the head of an output, with lines that end in eol,
// has another exit code than 0.
func exitedWrong(head, eol string) bool {
	head, _, _ = strings.Cut(head, eol+"Output:")
	for line := range strings.SplitSeq(head, eol) {
		for _, label := range [...]string{"Process exited with code ", "Exit code: "} {
			if code, ok := strings.CutPrefix(line, label); ok {
				return strings.TrimSpace(code) != "0"
			}
		}
	}
	return false
}
