package e2e

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// proxy stands between the program and a server that all tests share, and
// fails in ways in which networks fail.
type proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	limit func() int64  // bytes of the server that the next connection gets; nil: all
	half  bool          // behind the limit only the server's answers end
	lag   time.Duration // each answer waits
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

// pass lets everything through, refuse nothing, cut ends each connection after a random number
// of the server's bytes, and halfClose then ends only the way back: what the program still sends
// arrives. delay holds up each answer.
func (p *proxy) pass()                 { p.set(nil, false, 0) }
func (p *proxy) refuse()               { p.set(func() int64 { return 0 }, false, 0) }
func (p *proxy) delay(d time.Duration) { p.set(nil, false, d) }

func (p *proxy) cut(seed uint64, most int64)       { p.set(below(seed, most), false, 0) }
func (p *proxy) halfClose(seed uint64, most int64) { p.set(below(seed, most), true, 0) }

func below(seed uint64, most int64) func() int64 {
	rnd := rand.New(rand.NewPCG(seed, 0))
	return func() int64 { return 1 + rnd.Int64N(most) }
}

// hold accepts connections and is silent, until release.
func (p *proxy) hold() (release func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := make(chan struct{})
	p.held = held
	return sync.OnceFunc(func() { close(held) })
}

func (p *proxy) set(limit func() int64, half bool, lag time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.half, p.lag = limit, half, lag
}

func (p *proxy) run(inside *sync.WaitGroup) {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		limit, half, lag, held := int64(math.MaxInt64), p.half, p.lag, p.held
		if p.limit != nil {
			limit = p.limit()
		}
		p.mu.Unlock()
		inside.Go(func() {
			if held != nil {
				<-held
			}
			carry(c, p.target, limit, half, lag)
		})
	}
}

// carry goes between both ends until one of them, or the limit, is at its end.
func carry(client net.Conn, target string, limit int64, half bool, lag time.Duration) {
	defer client.Close()
	if limit == 0 {
		return
	}
	server, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	var up sync.WaitGroup
	up.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	_, _ = io.Copy(client, &late{io.LimitReader(server, limit), lag})
	if half {
		_ = client.(*net.TCPConn).CloseWrite()
		up.Wait()
		return
	}
	_, _ = client.Close(), server.Close()
	up.Wait()
}

// late reads with a delay.
type late struct {
	io.Reader
	by time.Duration
}

func (l *late) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	<-time.After(l.by)
	return n, err
}

// A connection that is cut, half-closed or slow anywhere, also between a commit and its answer:
// what was acknowledged is stored or spooled, and in the end there once.
func TestConnectionsThatAreCut(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(p *proxy, i int){
		// In turn early, where nothing can be stored, and anywhere.
		"cut":         func(p *proxy, i int) { p.cut(uint64(i), []int64{600, 20_000}[i%2]) },
		"half-closed": func(p *proxy, i int) { p.halfClose(uint64(i), []int64{600, 20_000}[i%2]) },
		"slow":        func(p *proxy, _ int) { p.delay(20 * time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, p := behindProxy(t)
			faultyConnections(t, h, p, func(i int) { fault(p, i) }, name != "slow")
		})
	}
}

func faultyConnections(t *testing.T, h *home, p *proxy, fault func(i int), someSpooled bool) {
	l := &ledger{acked: map[string]string{}}
	h.ok("init")
	spooled := 0
	for i := range 12 {
		fault(i)
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
	if got := spooled > 0; got != someSpooled || spooled == len(l.acked) {
		t.Errorf("%d of %d were spooled: the faults hit nothing, or everything", spooled, len(l.acked))
	}
}
