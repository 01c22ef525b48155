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

// fault is what is wrong with what was sent, as JSON-RPC answers it.
type fault struct {
	id      string // as it was written; "" where there is none to answer
	code    int
	message string
}

// encoded is the answer.
func (f fault) encoded() []byte {
	if f.id == "" {
		f.id = "null"
	}
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": json.RawMessage(f.id), "error": map[string]any{"code": f.code, "message": f.message},
	})
	if err != nil {
		panic(err) // two texts, a number and what was JSON before always encode
	}
	return raw
}

// decodeMessage reads one message. Its id comes back with the answer as it was
// given, or it is refused: the SDK keeps whole numbers and texts alone.
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

// answerable is an id as it can be given back; "" where it cannot.
func answerable(id gjson.Result) string {
	if id.Type == gjson.Number || id.Type == gjson.String && utf8.ValidString(id.Raw) {
		return id.Raw
	}
	return ""
}

// maxID is the largest number that every reader of JSON keeps whole (2^53).
const maxID = 1 << 53

// wrongID says why an id would not come back as it is; "" where it would.
func wrongID(id gjson.Result) string {
	switch id.Type {
	case gjson.Number:
		n, err := strconv.ParseInt(id.Raw, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != id.Raw || n > maxID || n < -maxID {
			return "is no whole number up to 9007199254740992, written plainly"
		}
	case gjson.String:
		const lost = "\ufffd" // what stands for letters that are none
		spelled := strings.Count(id.Raw, lost) + strings.Count(strings.ToLower(id.Raw), `\ufffd`)
		if !utf8.ValidString(id.Raw) || strings.Count(id.Str, lost) != spelled {
			return "is no text in Unicode"
		}
	default:
		if id.Exists() {
			return "is neither a text nor a number"
		}
	}
	return ""
}
