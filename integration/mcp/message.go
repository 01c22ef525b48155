package mcp

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// fault is the JSON-RPC error for a message.
type fault struct {
	id      string // as the client wrote it; "" if there is none
	code    int
	message string
}

// encoded returns the response.
func (f fault) encoded() []byte {
	if f.id == "" {
		f.id = "null"
	}
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": json.RawMessage(f.id), "error": map[string]any{"code": f.code, "message": f.message},
	})
	if err != nil {
		panic(err) // strings, a number and valid JSON always encode
	}
	return raw
}

// decodeMessage reads one message. A message is refused if its response could not
// have the same id: the SDK supports only integers and strings.
func decodeMessage(data []byte) (jsonrpc.Message, *fault) {
	if !json.Valid(data) {
		return nil, &fault{code: jsonrpc.CodeParseError, message: "Parse error: this is not JSON"}
	}
	id := gjson.GetBytes(data, "id")
	m, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, &fault{id: answerable(id), code: jsonrpc.CodeInvalidRequest, message: "Invalid Request: " + err.Error()}
	}
	if r, ok := m.(*jsonrpc.Response); ok && r.Result == nil && r.Error == nil {
		return nil, &fault{id: answerable(id), code: jsonrpc.CodeInvalidRequest, message: "Invalid Request: it has no method"}
	}
	if wrong := wrongID(id); wrong != "" {
		f := &fault{code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("Invalid Request: the id %.40s %s", id.Raw, wrong)}
		if id.Type == gjson.Number {
			f.id = id.Raw
		}
		return nil, f
	}
	return m, nil
}

// answerable returns an id as JSON, "" if a response cannot have it.
func answerable(id gjson.Result) string {
	if id.Type == gjson.Number || id.Type == gjson.String && utf8.ValidString(id.Raw) {
		return id.Raw
	}
	return ""
}

// maxID is the largest integer that every JSON parser keeps exactly (2^53).
const maxID = 1 << 53

// wrongID returns why a response could not have the same id, "" if it can.
func wrongID(id gjson.Result) string {
	switch id.Type {
	case gjson.Number:
		n, err := strconv.ParseInt(id.Raw, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != id.Raw || n > maxID || n < -maxID {
			return "is not an integer up to 9007199254740992 in plain notation"
		}
	case gjson.String:
		const lost = "\ufffd" // replaces invalid characters
		spelled := strings.Count(id.Raw, lost) + strings.Count(strings.ToLower(id.Raw), `\ufffd`)
		if !utf8.ValidString(id.Raw) || strings.Count(id.Str, lost) != spelled {
			return "is not valid Unicode"
		}
	default:
		if id.Exists() {
			return "is neither a string nor a number"
		}
	}
	return ""
}
