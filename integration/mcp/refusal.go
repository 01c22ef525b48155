package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// refusing answers in the protocol what the SDK's handler answers with a plain
// text, or with another id than it was asked with.
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
		m, f := decodePosted(body)
		if f != nil {
			answerFault(w, http.StatusBadRequest, *f)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		call, ok := m.(*jsonrpc.Request)
		if ok && call.IsCall() || m == nil { // which is a list, and has no id
			refused := &refusal{ResponseWriter: w}
			defer func() { refused.answer(call, gjson.GetBytes(body, "id").Raw) }()
			w = refused
		}
		next.ServeHTTP(w, r)
	})
}

// decodePosted reads a message; of several in a list, as old clients send them,
// it says only what is wrong with one.
func decodePosted(body []byte) (jsonrpc.Message, *fault) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		return decodeMessage(body)
	}
	for _, one := range list {
		if _, f := decodeMessage(one); f != nil {
			return nil, f
		}
	}
	return nil, nil
}

func answerFault(w http.ResponseWriter, status int, f fault) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(f.encoded()) // who is gone reads no answer
}

// refusal holds back what is answered to a bad request in plain text.
type refusal struct {
	http.ResponseWriter
	text *strings.Builder // nil: it is something else
}

// Unwrap lets what streams be flushed.
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

// answer says in the protocol what was held back of a call.
func (r *refusal) answer(call *jsonrpc.Request, id string) {
	if r.text == nil {
		return
	}
	text := strings.TrimSpace(r.text.String())
	// The SDK names no error of its own here; this is the text of the one that
	// says that nobody handles the method.
	if call != nil && strings.HasPrefix(text, "JSON RPC not handled") {
		answerFault(r.ResponseWriter, http.StatusOK, fault{id, jsonrpc.CodeMethodNotFound, fmt.Sprintf("method not found: %q", call.Method)})
		return
	}
	answerFault(r.ResponseWriter, http.StatusBadRequest, fault{id, jsonrpc.CodeInvalidRequest, text})
}
