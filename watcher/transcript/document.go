package transcript

import (
	"bytes"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// isDocument reports whether a file is one JSON document, as older versions of Gemini CLI and
// Codex wrote them, and not lines.
func isDocument(file string) bool { return strings.HasSuffix(file, ".json") }

// readDocument reads a document: a header with the messages of a session. The header counts as
// line 1, and each message as a line.
func (r *reader) readDocument(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, MaxLine+1))
	if err != nil {
		return err
	}
	r.result.Lines, r.result.Bytes, r.line.end = 1, int64(len(data)), int64(len(data))
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case r.line.end > MaxLine:
		r.problem("this document has more than %d bytes; it was left out", MaxLine)
	case len(data) == 0:
	case !valid(data):
		r.problem("this document is not JSON, or not complete; it was left out")
	default:
		header := objectIn(gjson.ParseBytes(data))
		if session := header.in("session"); len(session) > 0 {
			r.readObject(session)
		} else {
			r.readObject(header)
		}
		elements(header.get("messages", "items"), func(message gjson.Result) {
			if r.result.Lines++; r.err == nil {
				r.readObject(objectIn(message))
			}
		})
		r.flush()
	}
	return r.err
}
