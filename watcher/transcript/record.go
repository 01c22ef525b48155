package transcript

// record is the top level of one line: the members that any of the formats
// needs, as they are.
type record struct {
	raw                               []byte
	typ, subtype, timestamp, id, role []byte
	session, uuid, parentUUID, leaf   []byte
	sidechain, meta, compact, api     []byte
	message, payload, attachment      []byte
	state                             []byte
}

func parseRecord(raw []byte) *record {
	rec := &record{raw: raw}
	members(raw, func(key, value []byte) {
		if field := rec.field(key); field != nil {
			*field = value
		}
	})
	return rec
}

func (rec *record) field(key []byte) *[]byte {
	switch string(key) {
	case "type":
		return &rec.typ
	case "subtype":
		return &rec.subtype
	case "timestamp":
		return &rec.timestamp
	case "id":
		return &rec.id
	case "role":
		return &rec.role
	case "message":
		return &rec.message
	case "payload":
		return &rec.payload
	}
	return rec.rare(key)
}

func (rec *record) rare(key []byte) *[]byte {
	switch string(key) {
	case "sessionId":
		return &rec.session
	case "uuid":
		return &rec.uuid
	case "parentUuid":
		return &rec.parentUUID
	case "isSidechain":
		return &rec.sidechain
	case "isMeta":
		return &rec.meta
	case "isCompactSummary":
		return &rec.compact
	case "isApiErrorMessage":
		return &rec.api
	case "attachment":
		return &rec.attachment
	case "record_type":
		return &rec.state
	case "leafUuid":
		return &rec.leaf
	}
	return nil
}

// format tells the format from one line; "" if the line fits several.
func (rec *record) format() Format {
	switch typ := str(rec.typ); {
	case rec.payload != nil && isCodexType(typ):
		return Codex
	case rec.state != nil || isBareCodex(rec, typ):
		return Codex
	case typ == "session" && rec.id != nil:
		return OpenClaw
	case typ == "message" && isObject(rec.message):
		return OpenClaw
	case rec.session != nil || rec.uuid != nil || rec.parentUUID != nil || rec.leaf != nil:
		return ClaudeCode
	case isClaudeType(typ) && isObject(rec.message), typ == "file-history-snapshot":
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

// isBareCodex knows the form before September 2025, without envelopes.
func isBareCodex(rec *record, typ string) bool {
	if typ == "" {
		return isString(rec.id) && isString(rec.timestamp) && rec.message == nil && rec.uuid == nil
	}
	switch typ {
	case "message":
		return rec.role != nil && rec.message == nil
	case "function_call", "function_call_output", "reasoning", "local_shell_call":
		return true
	}
	return false
}

func isClaudeType(typ string) bool { return typ == "user" || typ == "assistant" || typ == "system" }
