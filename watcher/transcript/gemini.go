package transcript

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"
)

// gemini reads a header, a message, or a change, in which messages are copies.
func (r *reader) gemini(line object) {
	switch change := line.in("$set"); {
	case line.str("$rewindTo") != "":
		r.rewindTo(line.str("$rewindTo"))
	case line.get("projectHash").Exists():
		r.setSession(line.str("sessionId"))
		r.start(line.get("startTime"))
		r.side = line.str("kind") == "subagent"
	case change.str("sessionId") != "":
		r.setSession(change.str("sessionId"))
	default:
		r.geminiMessage(line)
	}
}

// geminiMessage reads a message, which is written again whenever it has grown.
func (r *reader) geminiMessage(message object) {
	if r.side {
		return
	}
	id := message.str("id")
	if _, known := r.promptsBefore[id]; !known && id != "" {
		if r.promptsBefore == nil {
			r.promptsBefore = map[string]int{}
		}
		r.promptsBefore[id] = len(r.prompts)
	}
	switch message.str("type") {
	case "user":
		r.date(message.get("timestamp"))
		r.said(User, id, spoken(message.get("displayContent", "content"), nil)) // the content has files and commands in it
	case "gemini":
		r.date(message.get("timestamp"))
		r.begin(id)
		if text := clean(textOf(message.get("content"))); text != "" {
			r.hold(r.message(Assistant, Said, id, text))
		}
		elements(message.get("toolCalls"), r.geminiCall)
	}
}

func (r *reader) geminiCall(raw gjson.Result) {
	tool := objectIn(raw)
	id := tool.str("id")
	r.call(id, tool.str("name"), tool.get("args"))
	elements(tool.get("result"), func(part gjson.Result) {
		response := objectIn(part).in("functionResponse").in("response")
		text := cmp.Or(response.str("output"), response.str("error"))
		text = strings.TrimSuffix(strings.TrimPrefix(text, "<untrusted_context>\n"), "\n</untrusted_context>")
		feedback, refused := strings.CutPrefix(text, "Plan rejected. User feedback: ")
		switch {
		case refused && tool.str("name") == "exit_plan_mode":
			feedback, _, _ = strings.Cut(feedback, "\n\nThe plan is stored at:")
			r.refused(id, feedback)
		case !r.answersByID(id, r.forms[id], text):
			r.output(id, text, tool.str("status") != "success")
		}
	})
}
