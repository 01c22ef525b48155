package neo4j

import (
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// starting stands before a server that all tests share, as one that is starting.
type starting struct {
	t       *testing.T
	server  string
	started chan struct{} // closed once it serves
	all     sync.WaitGroup
}

func newStarting(t *testing.T) *starting {
	u, err := url.Parse(neo4jtest.Server(t))
	if err != nil {
		t.Fatal(err)
	}
	return &starting{t: t, server: u.Host, started: make(chan struct{})}
}

// listen accepts connections. Until the server has started, it holds them, or ends them.
func (s *starting) listen(address string, holds bool) net.Listener {
	l, err := net.Listen("tcp", address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.all.Go(func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			s.all.Go(func() { s.carry(c, holds) })
		}
	})
	s.t.Cleanup(func() {
		_ = l.Close()
		s.all.Wait()
	})
	return l
}

func (s *starting) carry(client net.Conn, holds bool) {
	defer func() { _ = client.Close() }()
	select {
	case <-s.started:
	default:
		if !holds {
			return
		}
		<-s.started
	}
	server, err := net.Dial("tcp", s.server)
	if err != nil {
		return
	}
	s.all.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	_, _ = io.Copy(client, server)
}

// A server that is starting is waited for, which is said after a second.
func TestAServerThatIsStartingIsWaitedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		patience Patience
		holds    bool // it accepts connections and is silent
		ends     bool // it accepts connections and ends them
		want     time.Duration
	}{
		"silent":             {Patience{}, true, false, answerTimeout},
		"silent, for long":   {Patience{Ready: time.Minute, Up: time.Second}, true, false, time.Minute},
		"ending connections": {Patience{Ready: time.Minute}, false, true, time.Minute},
		"nothing listens":    {Patience{Ready: time.Minute, Up: 50 * time.Second}, false, false, 50 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStarting(t)
			l := s.listen("127.0.0.1:0", tt.holds)
			address := l.Addr().String()
			if !tt.holds && !tt.ends {
				_ = l.Close()
			}
			told := make(chan time.Duration, 1)
			tt.patience.Waiting = func(most time.Duration) {
				told <- most
				close(s.started)
				if !tt.holds && !tt.ends {
					s.listen(address, false)
				}
			}
			openOwn(t, Config{URI: "bolt://" + address, Brain: fresh(t), Patience: tt.patience})
			if most := <-told; most != tt.want {
				t.Errorf("it is waited for up to %v, want %v", most, tt.want)
			}
		})
	}
}

// Without patience a server that is not there is not waited for.
func TestAServerThatIsAwayIsNotWaitedFor(t *testing.T) {
	for _, scheme := range []string{"bolt://", "neo4j://"} {
		for _, ends := range []bool{false, true} {
			s := &starting{t: t, started: make(chan struct{})}
			l := s.listen("127.0.0.1:0", false)
			p := Patience{Waiting: func(time.Duration) { t.Error("it was waited for") }}
			if !ends {
				_ = l.Close()
				p.Ready = time.Hour // which is for what listens
			}
			if _, err := Open(t.Context(), Config{URI: scheme + l.Addr().String(), Brain: "b", Patience: p}); !errors.Is(err, brain.ErrUnavailable) {
				t.Errorf("%s, ends connections %v: error is %v, want ErrUnavailable", scheme, ends, err)
			}
		}
	}
}
