package transcript

import "github.com/tidwall/gjson"

// openclaw reads a line of OpenClaw.
func (r *reader) openclaw(line object) {
	switch kind := line.str("type"); kind {
	case "session":
		if id := line.str("id"); id != "" {
			r.inSession(id)
		}
		r.inFolder(line)
		r.start(line.get("timestamp"))
	case "message":
		message := line.in("message")
		timestamp := line.get("timestamp")
		if isNull(timestamp) {
			timestamp = message.get("timestamp")
		}
		r.date(timestamp)
		r.openclawMessage(line.str("id"), message)
	case "compaction", "branch_summary", "custom", "custom_message", "model_change", "thinking_level_change",
		"session_info", "label", "leaf": // nothing said
	default:
		r.unknown("line", "type", kind)
	}
}

func (r *reader) openclawMessage(id string, message object) {
	content := message.get("content")
	switch who := message.str("role"); who {
	case "user":
		r.said(User, id, fromChannel(clean(textOf(content, r.reportUnknownBlock))))
	case "assistant":
		mirrored := message.str("provider") == "openclaw" && message.str("model") == "delivery-mirror"
		r.openclawAssistant(id, content, mirrored)
	case "toolResult":
		r.toolResult(message.str("toolCallId"), content, message.isTrue("isError"))
	case "bashExecution": // a command that the person ran
		exit := message.get("exitCode")
		r.pass(r.message(Tool, Call, id, call("bash", message.get("command"))))
		r.output(id, message.str("output"), !isNull(exit) && exit.Raw != "0")
	case "compactionSummary", "branchSummary", "custom", "hookMessage", "system": // nothing said
	default:
		r.unknown("line", "role", who)
	}
}

// openclawAssistant reads an answer. A mirrored one is a copy of the text that was
// delivered to a channel.
func (r *reader) openclawAssistant(id string, content gjson.Result, mirrored bool) {
	var calls []Message
	text := textOf(content, func(typ string, block object) {
		if typ == "toolCall" {
			calls = append(calls, r.message(Tool, Call, block.str("id"), call(block.str("name"), block.get("arguments"))))
			return
		}
		r.reportUnknownBlock(typ, block)
	})
	r.saidUnlessRepeated(Assistant, id, toChannel(clean(text)), mirrored)
	for _, m := range calls {
		r.pass(m)
	}
}
