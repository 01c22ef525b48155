package transcript

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"
)

func (r *reader) codex(line object) {
	typ, timestamp, payload := line.str("type"), line.get("timestamp"), line.in("payload")
	if !line.get("payload").Exists() { // the older form: a bare header, and bare items
		payload = line
		if typ = "response_item"; line.str("type") == "" {
			typ = "session_meta"
		}
	}
	if typ == "session_meta" {
		r.codexHeader(timestamp, payload)
		return
	}
	r.date(timestamp)
	if r.replayed(typ, payload) {
		return
	}
	switch typ {
	case "response_item", "event_msg":
		switch {
		case r.side:
		case payload.str("type") == "thread_rolled_back":
			r.rollBack(payload.get("num_turns").Int())
		case payload.str("type") == "user_message": // this and agent_message carry text, and some has no response_item
			r.codexMessage("user", "", payload.get("message"), true)
		case payload.str("type") == "agent_message":
			r.codexMessage("assistant", "", payload.get("message"), true)
		case typ == "event_msg":
		default:
			r.codexItem(payload)
		}
	case "compacted":
		r.dropSummary(clean(payload.str("message")))
	default:
		r.unknown(typ != "turn_context" && typ != "world_state")
	}
}

// dropSummary drops the summary that a compaction makes the agent write for itself. It looks like an
// answer, but was not shown to the user.
func (r *reader) dropSummary(summary string) {
	last := len(r.held) - 1
	for last >= 0 && r.held[last].Kind != Said {
		last--
	}
	if last >= 0 && r.held[last].Role == Assistant && strings.HasSuffix(summary, r.held[last].Text) {
		r.held = slices.Delete(r.held, last, last+1)
	}
}

// codexHeader reads the first session_meta; a fork repeats those of its parents.
func (r *reader) codexHeader(timestamp gjson.Result, payload object) {
	if r.session != "" {
		return
	}
	r.session = cmp.Or(payload.str("id"), payload.str("session_id"))
	r.throughSDK = strings.Contains(payload.str("originator")+payload.str("source"), "sdk")
	r.setFolder(payload)
	r.repository = payload.in("git").str("repository_url")
	r.start(timestamp)
	r.start(payload.get("timestamp"))
	r.side = payload.str("thread_source") == "subagent" || payload.in("source").get("subagent").Exists()
	if payload.str("forked_from_id") != "" {
		r.forked = r.started
		if at, ok := uuidTime(r.session); ok {
			r.forked = at
		}
	}
}

func (r *reader) codexItem(item object) {
	tool := cmp.Or(item.str("call_id"), item.str("id"))
	switch typ := item.str("type"); typ {
	case "message":
		r.codexMessage(item.str("role"), item.str("id"), item.get("content"), false)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call":
		name := cmp.Or(item.str("name"), strings.TrimPrefix(strings.TrimSuffix(typ, "_call"), "local_"))
		r.call(tool, name, item.get("arguments", "input", "action"))
	case "function_call_output", "custom_tool_call_output":
		r.codexOutput(tool, item.get("output"))
	}
}

// codexMessage reads words, in an item or in an event.
func (r *reader) codexMessage(role, id string, content gjson.Result, event bool) {
	switch role {
	case "user":
		if environment, found := inTag(textOf(content), "environment_context"); found && r.folder == "" {
			cwd, _ := inTag(environment, "cwd")
			r.folder = strings.TrimSpace(cwd)
		}
		r.saidUnlessRepeated(User, id, spoken(content, nil), event)
	case "assistant":
		r.saidUnlessRepeated(Assistant, id, clean(textOf(content)), event)
	}
}

// codexOutput reads the output of a tool: text, blocks, or an object, in a string or not.
func (r *reader) codexOutput(id string, raw gjson.Result) {
	if !raw.IsObject() {
		text := textOf(raw)
		if r.answersByID(id, r.forms[id], text) {
			return
		}
		if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"output"`) || !valid([]byte(text)) {
			text, failed := withoutHeader(text)
			r.output(id, text, failed)
			return
		}
		raw = gjson.Parse(text)
	}
	o := objectIn(raw)
	exit := o.in("metadata").get("exit_code")
	r.output(id, textOf(o.get("output", "content")), o.get("success").Type == gjson.False || exit.Exists() && exit.Raw != "0")
}

// codexOutputHeader matches the lines that Codex writes above the output of a tool, and
// codexExitCode one of them.
var (
	codexOutputHeader = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[A-Z][\w ]{1,30}: .*\n|Process .*\n)+Output:(?:\n|\z)`)
	})
	codexExitCode = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:Process exited with code|Exit code:) *(\S+)`)
	})
)

// withoutHeader returns the output of a tool without the lines above it. failed reports that they
// state an exit code other than 0.
func withoutHeader(text string) (output string, failed bool) {
	above := codexOutputHeader().FindString(text)
	code := codexExitCode().FindStringSubmatch(above)
	return text[len(above):], len(code) > 0 && code[1] != "0"
}

// copyTime is how long Codex may take to write the copy of a parent's lines.
const copyTime = 2500 * time.Millisecond

// replayed reports whether a line is a copy. A forked session begins with copies of the lines of
// its parent. They end where a turn id, a UUID of version 7, is newer than the fork. In a file
// without such ids they end at a line dated more than copyTime after the fork.
func (r *reader) replayed(typ string, payload object) bool {
	if r.forked.IsZero() {
		return false
	}
	copied := r.line.undated || r.line.at.Sub(r.forked) <= copyTime
	if kind := payload.str("type"); typ == "turn_context" || kind == "task_started" || kind == "turn_started" {
		if at, ok := uuidTime(payload.str("turn_id")); ok {
			copied = at.Before(r.forked)
		}
	}
	if !copied {
		r.forked = time.Time{}
	}
	return copied
}

// uuidTime returns the instant in a UUID of version 7.
func uuidTime(id string) (at time.Time, ok bool) {
	u, err := uuid.Parse(id)
	if err != nil || u.Version() != 7 {
		return at, false
	}
	return time.Unix(u.Time().UnixTime()).UTC(), true
}
