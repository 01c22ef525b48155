package e2e

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// proxy stands between the program and a server that all tests share, and
// fails in ways in which networks fail.
type proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	limit func() int64  // bytes of the server that the next connection gets; nil: all
	held  chan struct{} // connections wait until it is closed; nil: none does
}

// behindProxy makes a home whose store is only reached through a proxy.
func behindProxy(t *testing.T) (*home, *proxy) {
	t.Helper()
	shared := neo4jtest.Server(t)
	u, err := url.Parse(shared)
	must(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{listener: l, target: u.Host}
	var inside sync.WaitGroup
	inside.Go(func() { p.run(&inside) })
	t.Cleanup(func() {
		must(t, l.Close())
		inside.Wait()
	})
	h := newHome(t).on(t, shared, "")
	h.env = append(h.env, fmt.Sprintf("BRAINBRIDGE_STORE=bolt://%s", l.Addr()))
	return h, p
}

// pass lets everything through, refuse nothing, and cut ends each connection
// after a random number of the server's bytes.
func (p *proxy) pass()   { p.set(nil) }
func (p *proxy) refuse() { p.set(func() int64 { return 0 }) }

func (p *proxy) cut(seed uint64, most int64) {
	rnd := rand.New(rand.NewPCG(seed, 0))
	p.set(func() int64 { return rnd.Int64N(most) })
}

// hold accepts connections and is silent, until release.
func (p *proxy) hold() (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := make(chan struct{})
	p.held = held
	return sync.OnceFunc(func() { close(held) })
}

func (p *proxy) set(limit func() int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = limit
}

// next is the limit of the next connection, below 0 for none.
func (p *proxy) next() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit == nil {
		return -1
	}
	return p.limit()
}

func (p *proxy) run(inside *sync.WaitGroup) {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		inside.Go(func() { p.carry(c, p.next()) })
	}
}

// carry goes between both ends until one of them, or the limit, is at its end.
func (p *proxy) carry(client net.Conn, limit int64) {
	defer client.Close()
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	if held != nil {
		<-held
	}
	if limit == 0 {
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	var up sync.WaitGroup
	up.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	if limit < 0 {
		_, _ = io.Copy(client, server)
	} else {
		_, _ = io.CopyN(client, server, limit)
	}
	_, _ = client.Close(), server.Close()
	up.Wait()
}

// A connection that is cut anywhere, also between a commit and its answer:
// what was acknowledged is stored or spooled, and in the end there once.
func TestConnectionsThatAreCut(t *testing.T) {
	t.Parallel()
	h, p := behindProxy(t)
	l := &ledger{acked: map[string]string{}}
	h.ok("init")
	spooled := 0
	for i := range 20 {
		// In turn early, where nothing can be stored, and anywhere.
		p.cut(uint64(i), []int64{600, 20_000}[i%2])
		content := fmt.Sprint("capture ", i)
		a := h.run("--json", "remember", content)
		c, err := decode[captured](a.out)
		switch {
		case a.code == 0 && err == nil:
			l.note(content, answer{out: c.MemoryID + "\n"})
		case a.code == 5 && a.out == "":
			l.note(content, answer{})
		default:
			t.Errorf("neither done nor said to be away: %s", a)
		}
		if c.Spooled {
			spooled++
		}
	}
	p.pass()
	want(t, "spooled", h.status().Spooled, 0)
	l.count(t, h)
	t.Logf("%d of them spooled", spooled)
	if spooled == 0 || spooled == len(l.acked) {
		t.Errorf("%d of %d were spooled: the cuts hit nothing, or everything", spooled, len(l.acked))
	}
}
