package mcp

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"
)

// inbox queues messages. Calls are handled one at a time, so that each sees the
// effects of those before it. Pings, cancellations and responses of the client do not
// wait.
type inbox struct {
	mu      sync.Mutex
	wake    chan struct{} // has a value when something changed
	ahead   []jsonrpc.Message
	waiting []jsonrpc.Message
	busy    *jsonrpc.ID         // the call in progress
	listens bool                // it is a subscription, which lasts: the next call waits until it has started
	pings   map[jsonrpc.ID]bool // under way
	ended   bool                // the input has ended
	closed  bool
}

// change runs fn and wakes the reader.
func (b *inbox) change(fn func()) {
	b.mu.Lock()
	fn()
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default: // the reader is about to look
	}
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
		case r.Method == "ping" && !b.inUse(r):
			b.ahead = append(b.ahead, m)
			if r.IsCall() { // otherwise there is no response
				b.pings[r.ID] = true
			}
		default:
			b.waiting = append(b.waiting, m)
		}
	})
}

// inUse reports whether a call in progress has the id of r. The SDK would drop r without a
// response, so it has to wait.
func (b *inbox) inUse(r *jsonrpc.Request) bool {
	return r.IsCall() && (b.pings[r.ID] || b.busy != nil && *b.busy == r.ID)
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
			return
		}
		delete(b.pings, id)
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

func (b *inbox) end()   { b.change(func() { b.ended = true }) }
func (b *inbox) close() { b.change(func() { b.closed = true }) }

// next waits for the next message to handle. It is io.EOF after the last response if
// the input has ended, and when the session is closed.
func (b *inbox) next(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if m, err := b.pop(); m != nil || err != nil {
			return m, err
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (b *inbox) pop() (jsonrpc.Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, io.EOF
	case len(b.ahead) > 0:
		m := b.ahead[0]
		b.ahead = b.ahead[1:]
		return m, nil
	case b.busy == nil && len(b.waiting) > 0:
		m := b.waiting[0]
		r, ok := m.(*jsonrpc.Request)
		if ok && b.inUse(r) {
			return nil, nil
		}
		b.waiting = b.waiting[1:]
		if ok && r.IsCall() {
			b.busy, b.listens = &r.ID, r.Method == "subscriptions/listen"
		}
		return m, nil
	case b.ended && b.busy == nil && len(b.pings) == 0:
		return nil, io.EOF
	}
	return nil, nil
}
