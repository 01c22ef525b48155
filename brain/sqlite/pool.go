package sqlite

import (
	"context"
	"errors"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// pool lends connections, each to one goroutine at a time. It lends the idle one
// that was used last, so that few stay warm: a goroutine that reads and writes in
// turn does both on one connection, whose cache stays valid after its own writes.
type pool struct {
	path             string
	cache            int           // KiB of the file that a connection may hold
	kept             int           // number of idle connections that stay open
	readers, writers chan struct{} // turns: a value for each lent connection, their limit is the capacity
	closed           chan struct{}

	mu   sync.Mutex
	idle []*conn
}

func newPool(path string) *pool {
	return &pool{
		path: path, cache: 6000, kept: 2,
		readers: make(chan struct{}, maxReaders), writers: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// take waits for its turn and returns a connection, which must be given back to
// the same turns.
func (p *pool) take(ctx context.Context, of chan struct{}) (*conn, error) {
	select {
	case of <- struct{}{}:
	case <-p.closed:
		return nil, brain.Errorf(brain.ErrUnavailable, "", "%s is closed", p.path)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := p.pop(); c != nil {
		return c, nil
	}
	c, err := connect(ctx, p.path, p.cache)
	if err != nil {
		<-of
	}
	return c, err
}

// pop returns the idle connection that was used last, nil for none.
func (p *pool) pop() (c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.idle) - 1; last >= 0 {
		c, p.idle = p.idle[last], p.idle[:last]
	}
	return c
}

// push keeps an idle connection, unless there are enough.
func (p *pool) push(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case c.broken:
	case len(p.idle) < p.kept:
		p.idle = append(p.idle, c)
	default:
		_ = c.close() // nothing is lost: what it wrote is committed
	}
}

func (p *pool) give(c *conn, of chan struct{}) {
	p.push(c)
	<-of
}

// close waits until all connections are back, and closes them.
func (p *pool) close() (err error) {
	close(p.closed)
	for _, of := range []chan struct{}{p.readers, p.writers} {
		for range cap(of) {
			of <- struct{}{}
		}
	}
	for c := p.pop(); c != nil; c = p.pop() {
		err = errors.Join(err, c.close())
	}
	return err
}
