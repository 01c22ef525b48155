package transcript

import "cmp"

// claude reads a line of Claude Code.
func (r *reader) claude(line []byte) {
	var typ, timestamp, session, uuid, message, attachment []byte
	var side, meta, compact, api, cwd []byte
	pick(line,
		field{"type", &typ}, field{"timestamp", &timestamp}, field{"sessionId", &session}, field{"uuid", &uuid},
		field{"message", &message}, field{"attachment", &attachment}, field{"isSidechain", &side},
		field{"isMeta", &meta}, field{"isCompactSummary", &compact}, field{"isApiErrorMessage", &api},
		field{"cwd", &cwd},
	)
	if isString(session) {
		r.inSession(str(session))
	}
	r.folder(cwd)
	r.date(timestamp)
	kind := str(typ)
	switch {
	case isTrue(compact), isTrue(meta), isTrue(api), isTrue(side) && !r.opts.SideChains:
	case kind == "attachment":
		r.claudeQueued(str(uuid), attachment)
	case kind == "user", kind == "assistant":
		r.claudeMessage(kind, str(uuid), message)
	case !isClaudeNote(kind):
		r.unknown("line", "type", kind)
	}
}

// isClaudeNote reports whether a line holds nothing said.
func isClaudeNote(typ string) bool {
	switch typ {
	case "system", "summary", "file-history-snapshot", "queue-operation", "progress", "last-prompt", "custom-title",
		"ai-title", "agent-name", "agent-color", "agent-setting", "mode", "permission-mode", "tag", "pr-link",
		"task-summary", "worktree-state", "content-replacement", "attribution-snapshot", "marble-origami-commit",
		"speculation-accept", "started", "result":
		return true
	}
	return false
}

// claudeQueued reads a prompt that a person typed while the assistant was at
// work: it stands in an attachment and nowhere else.
func (r *reader) claudeQueued(id string, attachment []byte) {
	var prompt, typ, mode, origin []byte
	pick(attachment, field{"type", &typ}, field{"prompt", &prompt}, field{"commandMode", &mode}, field{"origin", &origin})
	kind := member(origin, "kind")
	if is(typ, "queued_command") && (mode == nil || is(mode, "prompt")) && (kind == nil || is(kind, "human")) {
		r.said(User, id, unwrapped(clean(textOf(prompt, r.reportUnknownBlock))))
	}
}

// claudeMessage reads a line with a message.
func (r *reader) claudeMessage(kind, uuid string, message []byte) {
	var id, role, model, content []byte
	pick(message, field{"id", &id}, field{"role", &role}, field{"model", &model}, field{"content", &content})
	switch who := cmp.Or(str(role), kind); {
	case who == "user":
		r.claudeUser(uuid, content)
	case who == "assistant" && is(model, "<synthetic>"): // "No response requested." and the like
	case who == "assistant":
		r.claudeAssistant(cmp.Or(str(id), uuid), content)
	default:
		r.unknown("line", "role", who)
	}
}

// claudeUser reads a message of the person, or of tools that answer in their
// place.
func (r *reader) claudeUser(id string, content []byte) {
	text := textOf(content, func(typ string, block []byte) {
		if typ != "tool_result" {
			r.reportUnknownBlock(typ, block)
			return
		}
		var call, output, failed []byte
		pick(block, field{"tool_use_id", &call}, field{"content", &output}, field{"is_error", &failed})
		r.toolResult(str(call), output, isTrue(failed))
	})
	r.said(User, id, unwrapped(clean(text)))
}

// claudeAssistant reads the blocks of one line of an assistant's message.
func (r *reader) claudeAssistant(id string, content []byte) {
	r.begin(id)
	if isString(content) {
		r.claudeText(content)
		return
	}
	elements(content, func(block []byte) {
		var typ, text, id, name, input []byte
		pick(block, field{"type", &typ}, field{"text", &text}, field{"id", &id}, field{"name", &name}, field{"input", &input})
		switch kind := str(typ); kind {
		case "text":
			r.claudeText(text)
		case "tool_use", "server_tool_use", "mcp_tool_use":
			r.hold(r.message(Tool, Call, str(id), call(str(name), input)))
		default:
			r.reportUnknownBlock(kind, block)
		}
	})
}

func (r *reader) claudeText(raw []byte) {
	if text := clean(str(raw)); text != "" {
		r.hold(r.message(Assistant, Said, r.state.Stream.block(text), text))
	}
}
