package transcript

import "slices"

// formatOf returns the format of a line, "" if the line fits several.
func formatOf(line object) Format {
	typ, message := line.str("type"), line.get("message")
	has := func(name string) bool { return line.get(name).Exists() }
	codexTypes := []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	switch {
	case has("sessionId") && has("projectHash"):
		return Gemini
	case has("payload") && slices.Contains(codexTypes, typ):
		return Codex
	case typ == "session" && has("id"), typ == "message" && message.IsObject():
		return OpenClaw
	case has("sessionId"), has("uuid"), has("parentUuid"), has("leafUuid"), typ == "file-history-snapshot",
		message.IsObject() && (typ == "user" || typ == "assistant" || typ == "system"):
		return ClaudeCode
	}
	return ""
}
