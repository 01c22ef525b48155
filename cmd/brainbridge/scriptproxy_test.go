package main

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// proxy stands between the program and a server, and can be away for a while.
type proxy struct {
	server, address string

	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
	all      sync.WaitGroup
}

// back opens the way to the server.
func (p *proxy) back() error {
	l, err := net.Listen("tcp", p.address)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.listener, p.address = l, l.Addr().String()
	p.mu.Unlock()
	p.all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.join(conn)
		}
	})
	return nil
}

func (p *proxy) join(conn net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		conn.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, conn, server)
	p.mu.Unlock()
	for _, ends := range [][2]net.Conn{{conn, server}, {server, conn}} {
		p.all.Go(func() {
			_, _ = io.Copy(ends[0], ends[1]) // it ends when either side does
			ends[0].Close()
		})
	}
}

// away closes the way and every connection on it.
func (p *proxy) away() {
	p.mu.Lock()
	if p.listener != nil {
		p.listener.Close()
	}
	for _, c := range p.conns {
		c.Close()
	}
	p.listener, p.conns = nil, nil
	p.mu.Unlock()
	p.all.Wait()
}

type proxyKey struct{}

// storeIs makes the server of a script away or back: store away|back.
func storeIs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: store away|back")
	}
	p, ok := ts.Value(proxyKey{}).(*proxy)
	if !ok {
		ts.Fatalf("the embedded store is never away")
	}
	switch args[0] {
	case "away":
		p.away()
	case "back":
		ts.Check(p.back())
	}
}

// addProxy puts a proxy between a script and its server.
func addProxy(e *testscript.Env, uri string) error {
	u, err := url.Parse(uri)
	if err != nil {
		return err
	}
	p := &proxy{server: u.Host, address: "127.0.0.1:0"}
	if err := p.back(); err != nil {
		return err
	}
	e.Values[proxyKey{}] = p
	e.Defer(p.away)
	e.Setenv("BRAINBRIDGE_STORE", "bolt://"+p.address)
	return nil
}

func TestProxyLeavesNothingOpen(t *testing.T) {
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Close()
	p := &proxy{server: echo.Addr().String(), address: "127.0.0.1:0"}
	if err := p.back(); err != nil {
		t.Fatal(err)
	}
	p.away()
	if _, err := net.Dial("tcp", p.address); err == nil {
		t.Error("the proxy answers though it is away")
	}
	if err := p.back(); err != nil {
		t.Errorf("it cannot come back: %v", err)
	}
	p.away()
}
