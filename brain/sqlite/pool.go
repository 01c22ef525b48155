package sqlite

import (
	"context"
	"errors"
	"sync"
)

// pool lends connections, each to one goroutine at a time. It opens one when
// none is idle, and lends the one that was used last, so that few stay warm.
type pool struct {
	path     string
	readOnly bool

	slots  chan struct{} // one for each connection that may be lent; served in turn
	closed chan struct{}

	mu   sync.Mutex
	idle []*conn
}

func newPool(path string, readOnly bool, size int) *pool {
	p := &pool{path: path, readOnly: readOnly, slots: make(chan struct{}, size), closed: make(chan struct{})}
	for range size {
		p.slots <- struct{}{}
	}
	return p
}

// take waits for its turn and returns a connection, which must be given back.
func (p *pool) take(ctx context.Context) (*conn, error) {
	select {
	case <-p.closed:
		return nil, errClosed
	default:
	}
	select {
	case <-p.slots:
	case <-p.closed:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.pop(); c != nil {
		return c, nil
	}
	c, err := connect(ctx, p.path, p.readOnly)
	if err != nil {
		p.slots <- struct{}{}
	}
	return c, err
}

func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	c := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return c
}

// give takes a connection back; a broken one is forgotten.
func (p *pool) give(c *conn) {
	if !c.broken {
		p.mu.Lock()
		p.idle = append(p.idle, c)
		p.mu.Unlock()
	}
	p.slots <- struct{}{}
}

// close waits until all connections are back, and closes them.
func (p *pool) close() (err error) {
	close(p.closed)
	for range cap(p.slots) {
		<-p.slots
	}
	for c := p.pop(); c != nil; c = p.pop() {
		err = errors.Join(err, c.close())
	}
	return err
}
