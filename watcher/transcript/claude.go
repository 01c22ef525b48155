package transcript

import "time"

// dated is a line's instant.
type dated struct {
	at      time.Time
	undated bool
}

// claude reads a line of Claude Code.
func (r *reader) claude(rec *record) error {
	if isString(rec.session) {
		r.state.Session = str(rec.session)
	}
	c := &r.result.Counts
	typ := str(rec.typ)
	known := typ == "user" || typ == "assistant" || typ == "attachment"
	if !known {
		r.claudeOther(typ, rec)
		return nil
	}
	at, undated := r.date(rec.timestamp)
	when := dated{at, undated}
	switch {
	case isTrue(rec.compact):
		c.Compactions++
		return nil
	case isTrue(rec.sidechain) && !r.opts.SideChains:
		c.SideChains++
		return nil
	case isTrue(rec.meta), isTrue(rec.api):
		c.Meta++
		return nil
	case typ == "attachment":
		return r.claudeQueued(rec, when)
	}
	return r.claudeMessage(typ, rec, when)
}

// claudeOther counts a line that holds nothing said.
func (r *reader) claudeOther(typ string, rec *record) {
	c := &r.result.Counts
	switch typ {
	case "system":
		if is(rec.subtype, "compact_boundary") || isTrue(rec.compact) {
			c.Compactions++
			return
		}
		c.Meta++
	case "summary", "file-history-snapshot", "queue-operation", "progress", "last-prompt", "custom-title",
		"ai-title", "agent-name", "agent-color", "agent-setting", "mode", "permission-mode", "tag", "pr-link",
		"task-summary", "worktree-state", "content-replacement", "attribution-snapshot", "marble-origami-commit",
		"speculation-accept", "started", "result":
		c.Meta++
	default:
		r.unknown(typ)
	}
	if rec.timestamp != nil {
		r.date(rec.timestamp)
	}
}

// claudeQueued reads what a person typed while the assistant was at work: it
// stands in an attachment and nowhere else.
func (r *reader) claudeQueued(rec *record, when dated) error {
	var prompt, typ, mode, origin []byte
	members(rec.attachment, func(key, value []byte) {
		switch string(key) {
		case "type":
			typ = value
		case "prompt":
			prompt = value
		case "commandMode":
			mode = value
		case "origin":
			origin = value
		}
	})
	kind := member(origin, "kind")
	if !is(typ, "queued_command") || (mode != nil && !is(mode, "prompt")) || (kind != nil && !is(kind, "human")) {
		r.result.Counts.Meta++
		return nil
	}
	return r.claudeSaid(rec, textOf(prompt, r.countBlock), when)
}

// claudeMessage reads a line with a message.
func (r *reader) claudeMessage(typ string, rec *record, when dated) error {
	var id, role, content []byte
	members(rec.message, func(key, value []byte) {
		switch string(key) {
		case "id":
			id = value
		case "role":
			role = value
		case "content":
			content = value
		}
	})
	if role == nil {
		role = rec.typ
	}
	switch str(role) {
	case "user":
		return r.claudeUser(rec, content, when)
	case "assistant":
		if !isString(id) {
			id = rec.uuid
		}
		return r.claudeAssistant(str(id), member(rec.message, "model"), content, when)
	}
	r.unknown(typ + " role " + str(role))
	return nil
}

// claudeUser reads a line of the person, or of tools that answer in their place.
func (r *reader) claudeUser(rec *record, content []byte, when dated) error {
	var err error
	said := textOf(content, func(typ string, block []byte) {
		if typ != "tool_result" {
			r.countBlock(typ, block)
			return
		}
		if err == nil {
			err = r.claudeResult(block, when)
		}
	})
	if err != nil || said == "" {
		return err
	}
	return r.claudeSaid(rec, said, when)
}

func (r *reader) claudeSaid(rec *record, said string, when dated) error {
	text, why := unwrapped(clean(said))
	if text == "" {
		r.result.Counts.drop(why)
		return nil
	}
	return r.pass(r.message(User, Said, str(rec.uuid), text, when.at, when.undated))
}

func (r *reader) claudeResult(block []byte, when dated) error {
	var id, content, failed []byte
	members(block, func(key, value []byte) {
		switch string(key) {
		case "tool_use_id":
			id = value
		case "content":
			content = value
		case "is_error":
			failed = value
		}
	})
	if !isTrue(failed) && isLong(content) {
		r.result.Counts.Results++
		return nil
	}
	return r.toolResult(str(id), textOf(content, r.countBlock), isTrue(failed), when)
}

// claudeAssistant reads the blocks of an assistant's line.
func (r *reader) claudeAssistant(id string, model, content []byte, when dated) error {
	if is(model, "<synthetic>") {
		r.result.Counts.Meta++ // "No response requested." and the like
		return nil
	}
	if err := r.begin(id); err != nil {
		return err
	}
	if isString(content) {
		return r.claudeText(str(content), when)
	}
	var err error
	elements(content, func(block []byte) {
		if err == nil {
			err = r.claudeBlock(block, when)
		}
	})
	return err
}

func (r *reader) claudeBlock(block []byte, when dated) error {
	var typ, text, id, name, input []byte
	members(block, func(key, value []byte) {
		switch string(key) {
		case "type":
			typ = value
		case "text":
			text = value
		case "id":
			id = value
		case "name":
			name = value
		case "input":
			input = value
		}
	})
	switch kind := str(typ); kind {
	case "text":
		return r.claudeText(str(text), when)
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return r.hold(r.message(Tool, Call, str(id), call(str(name), input), when.at, when.undated))
	default:
		r.countBlock(kind, block)
	}
	return nil
}

func (r *reader) claudeText(text string, when dated) error {
	text = clean(text)
	if text == "" {
		return nil
	}
	id, _ := r.state.Stream.block(text)
	return r.hold(r.message(Assistant, Said, id, text, when.at, when.undated))
}

// countBlock counts a block that is dropped, in any format.
func (r *reader) countBlock(typ string, _ []byte) {
	c := &r.result.Counts
	switch typ {
	case "thinking", "redacted_thinking", "reasoning", "summary_text":
		c.Thinking++
	case "image", "input_image", "document", "file", "input_file", "audio":
		c.Images++
	case "tool_reference", "web_search_tool_result", "mcp_tool_result", "code_execution_tool_result", "fallback":
		c.Results++
	default:
		r.unknown("block " + typ)
	}
}
