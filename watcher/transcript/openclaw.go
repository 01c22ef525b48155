package transcript

import "github.com/tidwall/gjson"

func (r *reader) openclaw(line object) {
	switch line.str("type") {
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
	}
}

func (r *reader) openclawMessage(id string, message object) {
	content := message.get("content")
	switch message.str("role") {
	case "user":
		r.said(User, id, fromChannel(clean(textOf(content))))
	case "assistant":
		mirrored := message.str("provider") == "openclaw" && message.str("model") == "delivery-mirror"
		r.openclawAssistant(id, content, mirrored)
	case "toolResult":
		r.toolResult(message.str("toolCallId"), content, message.isTrue("isError"))
	case "bashExecution": // a command that the person ran
		exit := message.get("exitCode")
		r.hold(r.message(Tool, Call, id, call("bash", message.get("command"))))
		r.output(id, message.str("output"), !isNull(exit) && exit.Raw != "0")
	}
}

// openclawAssistant reads a message; a mirrored one is a copy of text sent to a channel.
func (r *reader) openclawAssistant(id string, content gjson.Result, mirrored bool) {
	r.saidUnlessRepeated(Assistant, id, toChannel(clean(textOf(content))), mirrored)
	textsOf(content, func(block object) {
		if block.str("type") == "toolCall" {
			r.hold(r.message(Tool, Call, block.str("id"), call(block.str("name"), block.get("arguments"))))
		}
	})
}
