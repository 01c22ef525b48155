package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

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
	switch kind, id := line.str("type"), line.str("uuid"); {
	case line.isTrue("isCompactSummary"), line.isTrue("isMeta"), line.isTrue("isApiErrorMessage"),
		line.isTrue("isSidechain") && !r.opts.SideChains:
	case kind == "attachment": // a prompt typed while the assistant worked is nowhere else
		queued := line.in("attachment")
		mode, origin := cmp.Or(queued.str("commandMode"), "prompt"), cmp.Or(queued.in("origin").str("kind"), "human")
		if queued.str("type") == "queued_command" && mode == "prompt" && origin == "human" {
			r.said(User, id, spoken(queued.get("prompt"), nil))
		}
	case kind == "user", kind == "assistant":
		r.claudeMessage(kind, id, line.in("message"), line.in("toolUseResult").get("answers"))
	}
}

// claudeMessage reads a message. answers has those to the questions of a form, by question.
func (r *reader) claudeMessage(kind, uuid string, message object, answers gjson.Result) {
	content := message.get("content")
	switch who := cmp.Or(message.str("role"), kind); {
	case who == "user":
		r.said(User, uuid, spoken(content, func(block object) { // tools answer in the place of the person
			if block.str("type") == "tool_result" && !r.answered(block, answers) {
				r.toolResult(block.str("tool_use_id"), block.get("content"), block.isTrue("is_error"))
			}
		}))
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
			r.hold(r.message(Tool, Call, block.str("id"), call(block.str("name"), block.get("input"))))
		}
	})
}

func (r *reader) claudeText(raw gjson.Result) {
	if text := clean(str(raw)); text != "" {
		r.hold(r.message(Assistant, Said, r.stream.block(text), text))
	}
}

// answered emits what the person answered in a question form, or said when they refused a
// tool call or a plan. It reports whether a tool's result is such an answer.
func (r *reader) answered(block object, answers gjson.Result) bool {
	content := block.get("content")
	if len(content.Raw) > maxAnswer {
		return false
	}
	id, text := block.str("tool_use_id"), textOf(content)
	switch {
	case block.isTrue("is_error") && strings.HasPrefix(text, "The user doesn't want to"):
		_, said, found := strings.Cut(text, "the user said:")
		if !found {
			_, said, found = strings.Cut(text, "reason for the rejection:")
		}
		said, _, _ = strings.Cut(said, "\n\nNote: The user's next message")
		if said = clean(said); found && said != "" {
			r.hold(r.message(User, Answer, id, said))
			return true
		}
	case strings.HasPrefix(text, "User has answered your question"):
		n := 0
		emit := func(question, answer string) {
			if n++; n > 1 {
				id = block.str("tool_use_id") + "#" + strconv.Itoa(n)
			}
			r.hold(r.message(User, Answer, id, clean(question)+"\n"+clean(answer)))
		}
		answers.ForEach(func(question, answer gjson.Result) bool {
			emit(question.String(), answer.String())
			return true
		})
		for _, m := range answerPair().FindAllStringSubmatch(text, -1) {
			if !answers.Exists() {
				emit(m[1], m[2])
			}
		}
		return n > 0
	}
	return false
}

// maxAnswer is the size of the longest answer that is looked for, in bytes.
const maxAnswer = 16 << 10

var answerPair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]+)"="([^"]*)"`) })
