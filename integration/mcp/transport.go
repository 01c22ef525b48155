package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxLine is the longest message that is read, in bytes (64 MiB). A longer one is refused.
const maxLine = 64 << 20

// errGone is the error of a write after the client has disconnected.
var errGone = errors.New("the client is gone")

// Stdio is the transport over two streams, with one JSON message a line. Unlike the
// transport of the SDK, it answers an invalid line with an error and continues, and it
// answers all calls after the end of the input. Calls are handled one after the other, in
// the order of the input; pings and cancellations do not wait.
type Stdio struct {
	In  io.Reader
	Out io.Writer
}

// Connect starts reading.
func (t Stdio) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{out: t.Out, inbox: newInbox()}
	go c.read(bufio.NewReaderSize(t.In, 64<<10))
	return c, nil
}

// conn is one session.
type conn struct {
	*inbox
	writing sync.Mutex
	out     io.Writer
}

var _ mcp.Connection = (*conn)(nil)

// SessionID is empty: there is only one session.
func (*conn) SessionID() string { return "" }

// Write writes one message as a line.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	raw, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	err = c.writeLine(raw)
	switch m := m.(type) {
	case *jsonrpc.Response:
		c.answered(m.ID)
	case *jsonrpc.Request:
		if m.Method == "notifications/subscriptions/acknowledged" {
			c.began()
		}
	}
	return err
}

func (c *conn) writeLine(raw []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(raw, '\n')); err != nil {
		return errors.Join(errGone, err)
	}
	return nil
}

// read reads lines until the input ends.
func (c *conn) read(in *bufio.Reader) {
	defer c.end()
	for {
		line, tooLong, err := readLine(in)
		switch {
		case tooLong:
			c.refuse("", jsonrpc.CodeParseError, fmt.Sprintf("Parse error: the message has more than %d bytes", maxLine))
		case len(bytes.TrimSpace(line)) > 0:
			c.take(bytes.TrimSpace(line))
		}
		if err != nil {
			return
		}
	}
}

// readLine reads one line, and drops one that is too long.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// take answers a ping at once, refuses an invalid message, and queues any other. The SDK
// supports only integers and strings as ids. A failed write shows at the next response.
func (c *conn) take(line []byte) {
	if !json.Valid(line) {
		c.refuse("", jsonrpc.CodeParseError, "Parse error: this is not JSON")
		return
	}
	if refused := refusalOf(line); refused != nil {
		_ = c.writeLine(refused)
		return
	}
	m, err := jsonrpc.DecodeMessage(line)
	if r, ok := m.(*jsonrpc.Response); ok && r.Result == nil && r.Error == nil {
		err = errors.New("it has no method")
	}
	id := answerable(line)
	r, ok := m.(*jsonrpc.Request)
	switch {
	case err != nil:
		c.refuse(id, jsonrpc.CodeInvalidRequest, "Invalid Request: "+err.Error())
	case !ok || r.Method != "ping":
		c.put(m)
	case id != "":
		_ = c.writeLine([]byte(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`))
	}
}

// refuse answers a message with an error. id is as the client wrote it, "" for none.
func (c *conn) refuse(id string, code int, message string) {
	_ = c.writeLine(refusal(id, code, message))
}

func refusal(id string, code int, message string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, cmp.Or(id, "null"), code, plaintext.Quote(message))
}

// maxEcho is the length of a name from a message that an error repeats, in characters.
const maxEcho = 60

// refusalOf returns the response to a message that the SDK would not answer well, nil for any
// other: with the id null, which MCP forbids; with a number as id that the SDK would write in
// another way, such as 1.0 or one of twenty digits; and with a method so long that no error can
// repeat it.
func refusalOf(message []byte) []byte {
	id, method := gjson.GetBytes(message, "id"), gjson.GetBytes(message, "method").String()
	switch {
	case id.Exists() && id.Type == gjson.Null:
		return refusal("", jsonrpc.CodeInvalidRequest, "Invalid Request: the id is null; use an integer or a string, or leave it out of a notification")
	case id.Type == gjson.Number && id.Raw != strconv.FormatInt(int64(id.Num), 10):
		return refusal(answerable(message), jsonrpc.CodeInvalidRequest, fmt.Sprintf(
			"Invalid Request: the id %s is not an integer that can be answered exactly; use an integer below 2^53, or a string", plaintext.Shorten(id.Raw, maxEcho)))
	case id.Exists() && len(method) > maxAnswer:
		return refusal(answerable(message), jsonrpc.CodeMethodNotFound, "method not found: "+plaintext.Shorten(method, maxEcho))
	}
	return nil
}

// answerable returns the id of a message as JSON, "" if a response cannot have it.
func answerable(data []byte) string {
	id := gjson.GetBytes(data, "id")
	if id.Type == gjson.Number && !math.IsInf(id.Num, 0) || id.Type == gjson.String && utf8.ValidString(id.Raw) {
		return id.Raw
	}
	return ""
}
