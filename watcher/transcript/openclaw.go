package transcript

import (
	"strings"
	"unicode/utf8"
)

func (r *reader) openclaw(line object) {
	switch line.str("type") {
	case "session":
		if id := line.str("id"); id != "" {
			r.setSession(id)
		}
		r.setFolder(line)
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
		mirrored := message.str("provider") == "openclaw" && message.str("model") == "delivery-mirror" // a copy of text sent to a channel
		r.saidUnlessRepeated(Assistant, id, toChannel(clean(textOf(content))), mirrored)
		textsOf(content, func(block object) {
			if block.str("type") == "toolCall" {
				r.call(block.str("id"), block.str("name"), block.get("arguments"))
			}
		})
	case "toolResult":
		r.toolResult(message.str("toolCallId"), content, message.isTrue("isError"))
	case "bashExecution": // a command that the person ran
		exit := message.get("exitCode")
		r.hold(r.message(Tool, Call, id, callLine("bash", message.get("command"))))
		r.output(id, message.str("output"), !isNull(exit) && exit.Raw != "0")
	}
}

// Prompt returns the words of the person in a prompt as a note of OpenClaw about a session has it.
func Prompt(text string) string { return unwrapped(fromChannel(text)) }

// fromChannel returns the words of the person in a prompt of OpenClaw.
func fromChannel(text string) string {
	switch {
	case strings.Contains(text, "HEARTBEAT_OK") && strings.Contains(text, "HEARTBEAT.md"),
		strings.HasPrefix(text, "Pre-compaction memory flush"),
		strings.HasPrefix(text, "A new session was started via /new or /reset"):
		return ""
	}
	text = strings.TrimSpace(withoutMetadata(withoutNotices(text)))
	return strings.TrimSpace(withoutImages(withoutTags(withoutEnvelope(text))))
}

// These leave out what OpenClaw adds to the words of a person: lines of the gateway; blocks
// such as
//
//	Conversation info (untrusted metadata):
//	```json
//	{"message_id": "4542"}
//	```
//
// and a leading [Sat 2026-02-14 18:49 GMT-3]. The words of an assistant may begin with
// directives such as [[reply_to_current]].
var (
	withoutNotices    = without("[", `(?m)^System: \[.*\n?|^\[message_id: .*\]$\n?`)
	withoutMetadata   = without("(untrusted", "(?m)^.*\\(untrusted.*\\):\n```(?s:.*?)\n```.*\n?")
	withoutEnvelope   = without("[", `^\[[^\]\n]*\d{4}-\d{2}-\d{2}[^\]\n]*\]\s*`)
	withoutDirectives = without("[[", `^(\[\[[^ \n]*?\]\]\s*)+`)
)

// shortAck is how many characters beside HEARTBEAT_OK say nothing.
const shortAck = 30

// toChannel returns the words of an assistant of OpenClaw to the person.
func toChannel(text string) string {
	text, acknowledged := withoutToken(withoutDirectives(text), "HEARTBEAT_OK")
	if acknowledged && utf8.RuneCountInString(text) <= shortAck {
		return ""
	}
	text, _ = withoutToken(text, "NO_REPLY")
	return text
}

// withoutToken leaves out a token, with marks around it, at the beginning or the end of a text.
func withoutToken(text, token string) (rest string, ok bool) {
	const marks = "*`_~.! \n"
	bare := strings.Trim(text, marks)
	switch {
	case strings.HasPrefix(bare, token):
		return strings.Trim(bare[len(token):], marks), true
	case strings.HasSuffix(bare, token):
		return strings.TrimSpace(strings.TrimRight(bare[:len(bare)-len(token)], "*`_~ \n")), true
	}
	return text, false
}
