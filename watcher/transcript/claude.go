package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

func (r *reader) claude(line object) {
	// A fork repeats the messages of its parent under its own id; only the assistant's
	// name the session that they were requested in.
	if id := cmp.Or(line.str("requestSessionId"), line.str("sessionId")); id != "" {
		r.setSession(id)
	}
	r.setFolder(line)
	r.date(line.get("timestamp"))
	r.grow(line)
	source, origin := line.str("promptSource"), line.in("origin").str("kind")
	r.typed = origin == "human" || slices.Contains([]string{"typed", "queued", "suggestion_accepted"}, source)
	entry := line.str("entrypoint") // sdk-cli is claude -p
	r.throughSDK = entry != "sdk-cli" && (source == "sdk" || strings.HasPrefix(entry, "sdk"))
	switch kind, id := line.str("type"), line.str("uuid"); {
	case line.isTrue("isCompactSummary"), line.isTrue("isMeta"), line.isTrue("isApiErrorMessage"),
		line.isTrue("isSidechain"), source == "system" && !r.typed:
	case kind == "attachment": // a prompt typed while the assistant worked is nowhere else
		queued := line.in("attachment")
		mode, origin := cmp.Or(queued.str("commandMode"), "prompt"), cmp.Or(queued.in("origin").str("kind"), "human")
		if queued.str("type") == "queued_command" && mode == "prompt" && origin == "human" {
			r.said(User, id, spoken(queued.get("prompt"), nil))
		}
	case kind == "user", kind == "assistant":
		r.claudeMessage(kind, id, line)
	default:
		r.unknown(!slices.Contains(claudeTypes, kind))
	}
}

// claudeTypes are the types of lines that hold no message.
var claudeTypes = []string{"attachment", "summary", "system", "progress", "queue-operation", "file-history-snapshot"}

func (r *reader) claudeMessage(kind, uuid string, line object) {
	message := line.in("message")
	content := message.get("content")
	switch who := cmp.Or(message.str("role"), kind); {
	case who == "user":
		text := spoken(content, func(block object) { // tools answer in the place of the person
			if block.str("type") == "tool_result" && !r.claudeAnswer(block, line.in("toolUseResult")) {
				r.toolResult(block.str("tool_use_id"), block.get("content"), block.isTrue("is_error"))
			}
		})
		if text != "" && !line.isTrue("isSidechain") {
			r.rewound(uuid, line.get("parentUuid"))
		}
		r.said(User, uuid, text)
	case who == "assistant" && message.str("model") == "<synthetic>": // "No response requested." and the like
	case who == "assistant":
		for i := range r.held { // what it answers
			r.held[i].Session = r.session
		}
		r.claudeAssistant(cmp.Or(message.str("id"), uuid), content)
	}
}

// claudeAssistant reads the blocks of one line of an assistant's message.
func (r *reader) claudeAssistant(id string, content gjson.Result) {
	r.begin(id)
	if isString(content) {
		r.claudeText(content)
		return
	}
	elements(content, func(raw gjson.Result) {
		block := objectIn(raw)
		switch block.str("type") {
		case "text":
			r.claudeText(block.get("text"))
		case "tool_use", "server_tool_use", "mcp_tool_use":
			r.call(block.str("id"), block.str("name"), block.get("input"))
		}
	})
}

func (r *reader) claudeText(raw gjson.Result) {
	if text := clean(str(raw)); text != "" {
		r.hold(r.message(Assistant, Said, r.stream.block(text), text))
	}
}
