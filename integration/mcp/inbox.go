package mcp

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// inbox queues what a connection reads. Calls are handled one at a time, so that each sees
// the effects of those before it. Cancellations and responses of the client do not wait.
type inbox struct {
	mu      sync.Mutex
	changed *sync.Cond // on mu
	ahead   []jsonrpc.Message
	waiting []jsonrpc.Message
	busy    *jsonrpc.ID // the call in progress
	listens bool        // it is a subscription, which lasts: the next call waits until it has started
	ended   bool        // the input has ended
	closed  bool
}

func newInbox() *inbox {
	b := &inbox{}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// change runs fn and wakes the reader.
func (b *inbox) change(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn()
	b.changed.Broadcast()
}

// put adds a message.
func (b *inbox) put(m jsonrpc.Message) {
	b.change(func() {
		r, ok := m.(*jsonrpc.Request)
		switch {
		case !ok:
			b.ahead = append(b.ahead, m)
		case r.Method == "notifications/cancelled":
			b.cancel(r)
		default:
			b.waiting = append(b.waiting, m)
		}
	})
}

// cancel removes a waiting call. A call in progress continues, and the next one does not
// wait for it, because its response may never come.
func (b *inbox) cancel(r *jsonrpc.Request) {
	named := gjson.GetBytes(r.Params, "requestId")
	id, err := jsonrpc.MakeID(named.Value())
	if err != nil || !named.Exists() {
		return // it does not name a call
	}
	if b.busy != nil && *b.busy == id {
		b.busy = nil
	}
	before := len(b.waiting)
	b.waiting = slices.DeleteFunc(b.waiting, func(m jsonrpc.Message) bool {
		w, ok := m.(*jsonrpc.Request)
		return ok && w.IsCall() && w.ID == id
	})
	if len(b.waiting) == before {
		b.ahead = append(b.ahead, r)
	}
}

// answered records that a call has its response.
func (b *inbox) answered(id jsonrpc.ID) {
	b.change(func() {
		if b.busy != nil && *b.busy == id {
			b.busy = nil
		}
	})
}

// began records that a subscription has started.
func (b *inbox) began() {
	b.change(func() {
		if b.listens {
			b.busy, b.listens = nil, false
		}
	})
}

func (b *inbox) end() { b.change(func() { b.ended = true }) }

// Close ends the session.
func (b *inbox) Close() error {
	b.change(func() { b.closed = true })
	return nil
}

// Read waits for the next message to handle. It is io.EOF after the last response if
// the input has ended, and when the session is closed.
func (b *inbox) Read(context.Context) (m jsonrpc.Message, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		switch {
		case b.closed:
			return nil, io.EOF
		case len(b.ahead) > 0:
			m, b.ahead = b.ahead[0], b.ahead[1:]
			return m, nil
		case b.busy == nil && len(b.waiting) > 0:
			m, b.waiting = b.waiting[0], b.waiting[1:]
			if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
				b.busy, b.listens = &r.ID, r.Method == "subscriptions/listen"
			}
			return m, nil
		case b.busy == nil && b.ended:
			return nil, io.EOF
		}
		b.changed.Wait()
	}
}
