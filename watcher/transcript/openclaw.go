package transcript

import (
	"strings"
	"unicode/utf8"
)

// openclaw reads a line of OpenClaw.
func (r *reader) openclaw(rec *record) error {
	c := &r.result.Counts
	switch typ := str(rec.typ); typ {
	case "session":
		r.openclawHeader(rec)
	case "message":
		return r.openclawMessage(rec)
	case "compaction", "branch_summary":
		c.Compactions++
	case "custom", "custom_message", "model_change", "thinking_level_change", "session_info", "label", "leaf":
		c.Meta++
	default:
		r.unknown(typ)
	}
	return nil
}

func (r *reader) openclawHeader(rec *record) {
	r.result.Counts.Meta++
	if isString(rec.id) {
		r.state.Session = str(rec.id)
	}
	if at, ok := r.believed(rec.timestamp); ok {
		r.state.Started = at
	}
}

// entry is the inner message of an OpenClaw line.
type entry struct {
	role, content, timestamp, callID, tool, failed []byte
	provider, model, command, output, exit         []byte
}

func parseEntry(raw []byte) entry {
	var e entry
	members(raw, func(key, value []byte) {
		switch string(key) {
		case "role":
			e.role = value
		case "content":
			e.content = value
		case "timestamp":
			e.timestamp = value
		case "toolCallId":
			e.callID = value
		case "toolName":
			e.tool = value
		case "isError":
			e.failed = value
		case "provider":
			e.provider = value
		case "model":
			e.model = value
		case "command":
			e.command = value
		case "output":
			e.output = value
		case "exitCode":
			e.exit = value
		}
	})
	return e
}

func (r *reader) openclawMessage(rec *record) error {
	e := parseEntry(rec.message)
	stamp := rec.timestamp
	if stamp == nil || string(stamp) == "null" {
		stamp = e.timestamp
	}
	at, undated := r.date(stamp)
	when, id := dated{at, undated}, str(rec.id)
	switch role := str(e.role); role {
	case "user":
		return r.openclawUser(id, e.content, when)
	case "assistant":
		return r.openclawAssistant(id, e, when)
	case "toolResult":
		return r.openclawResult(e, when)
	case "bashExecution":
		return r.openclawBash(id, e, when)
	case "compactionSummary", "branchSummary":
		r.result.Counts.Compactions++
	case "custom", "hookMessage", "system":
		r.result.Counts.Meta++
	default:
		r.unknown("message role " + role)
	}
	return nil
}

func (r *reader) openclawUser(id string, content []byte, when dated) error {
	text, why := fromChannel(clean(textOf(content, r.countBlock)))
	if text == "" {
		r.result.Counts.drop(why)
		return nil
	}
	return r.pass(r.message(User, Said, id, text, when.at, when.undated))
}

// Two places of an OpenClaw file say what the assistant said: its own answer,
// and a mirror of what was delivered to a channel.
const (
	fromModel = iota
	fromMirror
)

func (r *reader) openclawAssistant(id string, e entry, when dated) error {
	var calls []Message
	said := textOf(e.content, func(typ string, block []byte) {
		if typ != "toolCall" {
			r.countBlock(typ, block)
			return
		}
		calls = append(calls, r.openclawCall(block, when))
	})
	if err := r.openclawSaid(id, clean(said), e, when); err != nil {
		return err
	}
	for _, m := range calls {
		if err := r.pass(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) openclawSaid(id, said string, e entry, when dated) error {
	text, why := toChannel(said)
	if text == "" {
		r.result.Counts.drop(why)
		return nil
	}
	from := fromModel
	if is(e.provider, "openclaw") && is(e.model, "delivery-mirror") {
		from = fromMirror
	}
	if r.state.twin(Assistant, text, from, when.at) {
		r.result.Counts.Repeats++
		return nil
	}
	return r.pass(r.message(Assistant, Said, id, text, when.at, when.undated))
}

func (r *reader) openclawCall(block []byte, when dated) Message {
	var id, name, args []byte
	members(block, func(key, value []byte) {
		switch string(key) {
		case "id":
			id = value
		case "name":
			name = value
		case "arguments":
			args = value
		}
	})
	return r.message(Tool, Call, str(id), call(str(name), args), when.at, when.undated)
}

func (r *reader) openclawResult(e entry, when dated) error {
	if !isTrue(e.failed) && isLong(e.content) {
		r.result.Counts.Results++
		return nil
	}
	return r.toolResult(str(e.callID), textOf(e.content, r.countBlock), isTrue(e.failed), when)
}

// openclawBash reads a command that the person ran.
func (r *reader) openclawBash(id string, e entry, when dated) error {
	line := call("bash", e.command)
	if err := r.pass(r.message(Tool, Call, id, line, when.at, when.undated)); err != nil {
		return err
	}
	failed := e.exit != nil && string(e.exit) != "0" && string(e.exit) != "null"
	return r.toolResult(id, str(e.output), failed, when)
}

// fromChannel is what the person said in a prompt of OpenClaw, which puts
// facts about the channel around it.
func fromChannel(text string) (said string, why reason) {
	switch {
	case text == "":
		return "", asEmpty
	case strings.Contains(text, "HEARTBEAT_OK") && strings.Contains(text, "HEARTBEAT.md"):
		return "", asHeartbeat
	case strings.HasPrefix(text, "Pre-compaction memory flush"),
		strings.HasPrefix(text, "A new session was started via /new or /reset"):
		return "", asWrapper
	}
	text = withoutFacts(text)
	return strings.TrimSpace(withoutImages(withoutTags(withoutEnvelope(text)))), asWrapper
}

// withoutFacts leaves out blocks such as
//
//	Conversation info (untrusted metadata):
//	```json
//	{"message_id": "4542"}
//	```
//
// and lines that the gateway writes.
func withoutFacts(text string) string {
	var kept strings.Builder
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if end := factEnd(line, rest); end >= 0 {
			text = rest[end:]
			continue
		}
		text = rest
		if strings.HasPrefix(line, "System: [") || (strings.HasPrefix(line, "[message_id: ") && strings.HasSuffix(line, "]")) {
			continue
		}
		kept.WriteString(line)
		kept.WriteByte('\n')
	}
	return strings.TrimSpace(kept.String())
}

// factEnd is where the block that line announces ends in rest, -1 if line
// announces none.
func factEnd(line, rest string) int {
	if !strings.Contains(line, "(untrusted") || !strings.HasSuffix(line, "):") || !strings.HasPrefix(rest, "```") {
		return -1
	}
	i := strings.Index(rest, "\n```")
	if i < 0 {
		return -1
	}
	end := i + len("\n```")
	if n := strings.IndexByte(rest[end:], '\n'); n >= 0 {
		return end + n + 1
	}
	return len(rest)
}

// withoutEnvelope leaves out a leading [Sat 2026-02-14 18:49 GMT-3].
func withoutEnvelope(text string) string {
	if !strings.HasPrefix(text, "[") {
		return text
	}
	head, rest, ok := strings.Cut(text[1:], "]")
	if !ok || strings.Contains(head, "\n") || !hasDate(head) {
		return text
	}
	return strings.TrimSpace(rest)
}

// hasDate says whether a text holds YYYY-MM-DD.
func hasDate(text string) bool {
	for i := 0; i+10 <= len(text); i++ {
		if isDate(text[i : i+10]) {
			return true
		}
	}
	return false
}

func isDate(text string) bool {
	for i, c := range []byte(text) {
		dash := i == 4 || i == 7
		if dash != (c == '-') || (!dash && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

// shortAck is the length in characters up to which what stands beside
// HEARTBEAT_OK says nothing of its own.
const shortAck = 30

// toChannel is what an assistant of OpenClaw said to the person.
func toChannel(text string) (said string, why reason) {
	text = withoutDirective(text)
	if rest, ok := withoutToken(text, "HEARTBEAT_OK"); ok {
		if utf8.RuneCountInString(rest) <= shortAck {
			return "", asHeartbeat
		}
		text = rest
	}
	if rest, ok := withoutToken(text, "NO_REPLY"); ok {
		return rest, asHeartbeat
	}
	return text, asEmpty
}

// withoutDirective leaves out a leading [[reply_to_current]].
func withoutDirective(text string) string {
	for strings.HasPrefix(text, "[[") {
		head, rest, ok := strings.Cut(text, "]]")
		if !ok || strings.ContainsAny(head, " \n") {
			return text
		}
		text = strings.TrimSpace(rest)
	}
	return text
}

// withoutToken leaves out a token at the beginning or the end of a text, with
// the marks around it.
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
