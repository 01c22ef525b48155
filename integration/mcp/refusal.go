package mcp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// refusing turns responses of the SDK's handler that are plain text, or have another
// id than the request, into JSON-RPC errors.
func refusing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
		if err != nil {
			http.Error(w, fmt.Sprintf("the message cannot be read, or has more than %d bytes", maxLine), http.StatusRequestEntityTooLarge)
			return
		}
		m, f := decodeMessage(body)
		if f != nil {
			answerFault(w, http.StatusBadRequest, *f)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
			refused := &refusal{ResponseWriter: w}
			defer func() { refused.answer(call, gjson.GetBytes(body, "id").Raw) }()
			w = refused
		}
		next.ServeHTTP(w, r)
	})
}

func answerFault(w http.ResponseWriter, status int, f fault) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(f.encoded()) // the client may be gone
}

// refusal holds back the plain text of a response to a bad request.
type refusal struct {
	http.ResponseWriter
	text *strings.Builder // nil: another response
}

// Unwrap makes streams flushable.
func (r *refusal) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *refusal) WriteHeader(status int) {
	if status == http.StatusBadRequest && strings.HasPrefix(r.Header().Get("Content-Type"), "text/plain") {
		r.text = &strings.Builder{}
		return
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *refusal) Write(p []byte) (int, error) {
	if r.text != nil {
		return r.text.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

// answer sends the text that was held back as a JSON-RPC error.
func (r *refusal) answer(call *jsonrpc.Request, id string) {
	if r.text == nil {
		return
	}
	text := strings.TrimSpace(r.text.String())
	// The SDK has no error value for an unknown method, only this text.
	if strings.HasPrefix(text, "JSON RPC not handled") {
		answerFault(r.ResponseWriter, http.StatusOK, fault{id, jsonrpc.CodeMethodNotFound, fmt.Sprintf("method not found: %q", call.Method)})
		return
	}
	answerFault(r.ResponseWriter, http.StatusBadRequest, fault{id, jsonrpc.CodeInvalidRequest, text})
}
