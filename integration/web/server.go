// Package web is the daemon's HTTP server on the loopback interface: listening,
// authentication and shutdown. Its handlers are given to it.
//
// A request needs the token of the brain, a local host name and no other origin, so
// that neither another user of the machine nor a page in a browser can read or write
// memories.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// Limits of how long a client may keep a connection open without a request, and of
// how long the server waits at its end for requests under way.
const (
	headerPatience = 10 * time.Second
	idlePatience   = 2 * time.Minute
	drainPatience  = 8 * time.Second
)

// Place is a handler at a path.
type Place struct {
	Path    string // as for [http.ServeMux]
	Handler http.Handler
	// Close ends streams and waits for calls under way; nil if there are none.
	Close func()
}

// Server listens on the loopback interface.
type Server struct {
	listener net.Listener
	http     *http.Server
	places   []Place
	// Taken is the requested address if another program has it; else empty.
	Taken string
}

// Listen opens an address of the loopback interface, or another port if that one is
// taken. Requests are answered by Run.
func Listen(ctx context.Context, address, token string, log *slog.Logger, places ...Place) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !Loopback(host) {
		return nil, fmt.Errorf("listen on %s: it is not an address of the loopback interface", address)
	}
	s := &Server{places: places}
	var lc net.ListenConfig
	s.listener, err = lc.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		s.Taken = address
		s.listener, err = lc.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	mux := http.NewServeMux()
	for _, p := range places {
		mux.Handle(p.Path, p.Handler)
	}
	s.http = &http.Server{
		Handler: guard(token, mux), ReadHeaderTimeout: headerPatience, IdleTimeout: idlePatience,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	return s, nil
}

// URL returns the URL of the server, without a path.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Run serves until ctx ends, then waits some seconds for requests under way.
func (s *Server) Run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(s.listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainPatience)
	defer cancel()
	var closing sync.WaitGroup
	for _, p := range s.places {
		if p.Close != nil {
			closing.Go(p.Close)
		}
	}
	err := s.http.Shutdown(draining)
	if err != nil {
		err = errors.Join(fmt.Errorf("end the HTTP server: %w", err), s.http.Close())
	} else {
		closing.Wait()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// Close closes the address; after Run it does nothing.
func (s *Server) Close() error {
	if err := s.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
