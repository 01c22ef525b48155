package transcript

// openclaw reads a line of OpenClaw.
func (r *reader) openclaw(line []byte) {
	var typ, id, timestamp, message, cwd []byte
	pick(line, field{"type", &typ}, field{"id", &id}, field{"timestamp", &timestamp}, field{"message", &message}, field{"cwd", &cwd})
	switch kind := str(typ); kind {
	case "session":
		if isString(id) {
			r.inSession(str(id))
		}
		r.folder(cwd)
		r.started(timestamp)
	case "message":
		r.openclawMessage(str(id), timestamp, message)
	case "compaction", "branch_summary", "custom", "custom_message", "model_change", "thinking_level_change",
		"session_info", "label", "leaf": // nothing said
	default:
		r.unknown("line", "type", kind)
	}
}

func (r *reader) openclawMessage(id string, timestamp, message []byte) {
	var role, content, inner, callID, failed, provider, model, command, output, exit []byte
	pick(message,
		field{"role", &role}, field{"content", &content}, field{"timestamp", &inner}, field{"toolCallId", &callID},
		field{"isError", &failed}, field{"provider", &provider}, field{"model", &model},
		field{"command", &command}, field{"output", &output}, field{"exitCode", &exit},
	)
	if isNull(timestamp) {
		timestamp = inner
	}
	r.date(timestamp)
	switch who := str(role); who {
	case "user":
		r.said(User, id, fromChannel(clean(textOf(content, r.reportUnknownBlock))))
	case "assistant":
		from := fromModel
		if is(provider, "openclaw") && is(model, "delivery-mirror") {
			from = fromMirror
		}
		r.openclawAssistant(id, content, from)
	case "toolResult":
		r.toolResult(str(callID), content, isTrue(failed))
	case "bashExecution": // a command that the person ran
		r.pass(r.message(Tool, Call, id, call("bash", command)))
		r.output(id, str(output), !isNull(exit) && string(exit) != "0")
	case "compactionSummary", "branchSummary", "custom", "hookMessage", "system": // nothing said
	default:
		r.unknown("line", "role", who)
	}
}

// Two places of an OpenClaw file have the words of the assistant: its own
// answer, and a mirror of the text that was delivered to a channel.
const (
	fromModel = iota
	fromMirror
)

func (r *reader) openclawAssistant(id string, content []byte, from int) {
	var calls []Message
	text := textOf(content, func(typ string, block []byte) {
		if typ != "toolCall" {
			r.reportUnknownBlock(typ, block)
			return
		}
		var id, name, arguments []byte
		pick(block, field{"id", &id}, field{"name", &name}, field{"arguments", &arguments})
		calls = append(calls, r.message(Tool, Call, str(id), call(str(name), arguments)))
	})
	r.saidUnlessRepeated(Assistant, id, toChannel(clean(text)), from)
	for _, m := range calls {
		r.pass(m)
	}
}
