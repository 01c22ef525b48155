package transcript

// formatOf returns the format of a line, "" if the line fits several.
func formatOf(line []byte) Format {
	var kind, id, role, timestamp, message, payload, record []byte
	var session, uuid, parent, leaf []byte
	pick(line,
		field{"type", &kind}, field{"id", &id}, field{"role", &role}, field{"timestamp", &timestamp},
		field{"message", &message}, field{"payload", &payload}, field{"record_type", &record},
		field{"sessionId", &session}, field{"uuid", &uuid}, field{"parentUuid", &parent}, field{"leafUuid", &leaf},
	)
	typ := str(kind)
	switch {
	case payload != nil && isCodexType(typ), record != nil:
		return Codex
	case typ == "" && isString(id) && isString(timestamp) && message == nil && uuid == nil:
		return Codex // the header before September 2025
	case typ == "message" && role != nil && message == nil, isBareCodexType(typ):
		return Codex
	case typ == "session" && id != nil, typ == "message" && isObject(message):
		return OpenClaw
	case session != nil, uuid != nil, parent != nil, leaf != nil:
		return ClaudeCode
	case isClaudeType(typ) && isObject(message), typ == "file-history-snapshot":
		return ClaudeCode
	}
	return ""
}

func isCodexType(typ string) bool {
	switch typ {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		return true
	}
	return false
}

// isBareCodexType reports whether a line without envelope is of a type that Codex
// wrote before September 2025.
func isBareCodexType(typ string) bool {
	switch typ {
	case "function_call", "function_call_output", "reasoning", "local_shell_call":
		return true
	}
	return false
}

func isClaudeType(typ string) bool { return typ == "user" || typ == "assistant" || typ == "system" }
