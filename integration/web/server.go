// Package web is the daemon's HTTP server on the loopback interface: listening,
// authentication and shutdown. Its handlers are given to it.
//
// So that neither another user of the machine nor a page of another site can read or write
// memories, a request needs
//
//   - the token of the brain, or the cookie of a browser that was let in,
//   - a local host name, and
//   - no origin, or that of this server.
package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/netutil"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Server listens on the loopback interface.
type Server struct {
	listener     net.Listener
	http         *http.Server
	access       *access
	closeStreams func()
	// Taken is the requested address if another program has it, such as the daemon of another
	// brain; otherwise empty.
	Taken string
}

// CodePath is where a program with the token gets the address that logs a browser in, as
// {"url": "http://127.0.0.1:4747/login?code=…"}. The code works once, for a minute.
const CodePath = "/api/v1/login"

const maxConnections = 256

// Listen opens an address of the loopback interface, or another port if that one is taken.
// closeStreams ends streams and waits for calls in progress.
func Listen(ctx context.Context, address, token string, log *slog.Logger, handler http.Handler, closeStreams func()) (*Server, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLoopback(host) {
		return nil, fmt.Errorf("listen on %s: it is not an address of the loopback interface", address)
	}
	s := &Server{closeStreams: closeStreams}
	var lc net.ListenConfig
	s.listener, err = lc.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		s.Taken = address
		s.listener, err = lc.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	// It accepts at most maxConnections at once; others wait.
	s.listener = netutil.LimitListener(s.listener, maxConnections)
	s.access = newAccess(token, time.Now)
	mux := http.NewServeMux()
	mux.Handle("/", handler)
	mux.HandleFunc("POST "+CodePath, s.giveCode)
	s.http = &http.Server{
		Handler: s.access.guard(mux), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	return s, nil
}

// LoginURL returns an address that logs a browser in, once, within a minute.
func (s *Server) LoginURL() string { return s.URL() + loginPath + "?code=" + s.access.code() }

func (s *Server) giveCode(w http.ResponseWriter, r *http.Request) {
	if !hasToken(r, s.access.token) { // a cookie may not create login codes
		http.Error(w, "send the token", http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"url": s.LoginURL()})
}

// URL returns the URL of the server, without a path.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// drainTime is how long requests in progress may take after the end.
const drainTime = 8 * time.Second

// Run serves until ctx ends, then waits up to 8 seconds for requests and streams in progress.
func (s *Server) Run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(s.listener) }()
	var err error
	select {
	case err = <-ended:
		err = fmt.Errorf("serve HTTP: %w", err)
		ended <- http.ErrServerClosed
	case <-ctx.Done():
	}
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.closeStreams()
	}()
	if failed := s.http.Shutdown(draining); failed != nil {
		err = errors.Join(err, fmt.Errorf("end the HTTP server: %w", failed), s.http.Close())
	}
	select {
	case <-closed:
	case <-draining.Done():
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

// Token reads the token from a file that only its owner may read. If there is no such file, or
// others could read it, Token creates a new one and fresh is true.
func Token(path string) (token string, fresh bool, err error) {
	token, err = readToken(path)
	if err != nil {
		return "", false, fmt.Errorf("read the token: %w", err)
	}
	if token != "" {
		return token, false, nil
	}
	token = rand.Text()
	if err := durable.WriteFile(path, []byte(token+"\n"), durable.Options{}); err != nil {
		return "", false, fmt.Errorf("store the token: %w", err)
	}
	return token, true, nil
}

// minToken is the length of a token that cannot be guessed.
const minToken = 26

// readToken returns the token of a file that only its owner can read, "" if there is none.
func readToken(path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", err
	}
	text, err := os.ReadFile(path)
	token := strings.TrimSpace(string(text))
	if err != nil || len(token) < minToken {
		return "", err
	}
	return token, nil
}
