package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxLine is the longest message that is read, in bytes (64 MiB). A longer one is refused.
const maxLine = 64 << 20

// errGone is the error of a write after the client has disconnected.
var errGone = errors.New("the client is gone")

// Stdio is the transport over two streams, with one JSON message a line. The SDK's own ends the
// session at an invalid line and drops calls at the end of the input. This one answers an
// invalid line with an error and all calls that it read. It handles calls one after the other,
// so that each sees the effects of those before it, and answers pings meanwhile.
type Stdio struct {
	In  io.Reader
	Out io.Writer
}

// Connect starts reading.
func (t Stdio) Connect(context.Context) (mcp.Connection, error) {
	c := &conn{out: t.Out, incoming: make(chan jsonrpc.Message, 64), answered: make(chan jsonrpc.ID, 64), closed: make(chan struct{})}
	go c.readLines(bufio.NewReaderSize(t.In, 64<<10))
	return c, nil
}

// conn is one session.
type conn struct {
	incoming chan jsonrpc.Message
	answered chan jsonrpc.ID // calls with a response
	calling  *jsonrpc.ID     // the call in progress, nil for none; only Read uses it
	closed   chan struct{}
	closing  sync.Once
	writing  sync.Mutex
	out      io.Writer
}

var _ mcp.Connection = (*conn)(nil)

// SessionID is empty: there is only one session.
func (*conn) SessionID() string { return "" }

// Close ends the session.
func (c *conn) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message after the call in progress has its response. It is io.EOF at
// the end of the input, and when the session is closed.
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	for c.calling != nil {
		select {
		case id := <-c.answered:
			if id == *c.calling {
				c.calling = nil
			}
		case <-c.closed:
			return nil, io.EOF
		}
	}
	select {
	case m, more := <-c.incoming:
		if !more {
			return nil, io.EOF
		}
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" { // which lasts
			c.calling = &r.ID
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	}
}

// Write writes one message as a line.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	raw, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	err = c.writeLine(raw)
	if r, ok := m.(*jsonrpc.Response); ok {
		select {
		case c.answered <- r.ID:
		case <-c.closed:
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

// readLines reads messages until the input ends or the session is closed.
func (c *conn) readLines(in *bufio.Reader) {
	defer close(c.incoming)
	for {
		line, tooLong, err := readLine(in)
		switch line = bytes.TrimSpace(line); {
		case tooLong:
			c.refuse(nil, jsonrpc.CodeParseError, fmt.Sprintf("Parse error: the message has more than %d bytes", maxLine))
		case len(line) > 0:
			c.take(line)
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

// take queues a message, answers a ping at once, and refuses an invalid message.
func (c *conn) take(line []byte) {
	if !json.Valid(line) {
		c.refuse(nil, jsonrpc.CodeParseError, "Parse error: this is not JSON")
		return
	}
	m, err := jsonrpc.DecodeMessage(line)
	answer, _ := m.(*jsonrpc.Response)
	r, _ := m.(*jsonrpc.Request)
	switch {
	case err != nil, answer != nil && answer.Result == nil && answer.Error == nil:
		c.refuse(line, jsonrpc.CodeInvalidRequest, "Invalid Request: JSON-RPC 2.0 needs a method, and an id that is a string or an integer")
	case r != nil && r.Method == "ping":
		if raw, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")}); err == nil && r.IsCall() {
			_ = c.writeLine(raw)
		}
	default:
		select {
		case c.incoming <- m:
		case <-c.closed:
		}
	}
}

// refuse answers a line with an error, under its id if that is a string or an integer. A failed
// write shows at the next response.
func (c *conn) refuse(line []byte, code int, message string) {
	var head struct{ ID json.RawMessage }
	_ = json.Unmarshal(line, &head)
	if json.Unmarshal(head.ID, new(int64)) != nil && json.Unmarshal(head.ID, new(string)) != nil {
		head.ID = []byte("null")
	}
	_ = c.writeLine(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, head.ID, code, plaintext.Quote(message)))
}
