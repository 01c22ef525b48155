package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A body has at most 2 MiB, and comes within ten seconds (here less), whether its sender has the
// token or not. Others keep no connection.
func TestBodiesAreLimited(t *testing.T) {
	const token, limit = "abcdefghijklmnopqrstuvwxyz", 300 * time.Millisecond
	served := make(chan int64, 10)
	a := newAccess(token, time.Now)
	if a.bodyTime != 10*time.Second {
		t.Errorf("a body may take %s", a.bodyTime)
	}
	a.bodyTime = limit
	s := httptest.NewServer(a.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		served <- n
		<-time.After(2 * limit) // an answer may take longer than the limit
		if r.Context().Err() != nil {
			t.Error("the request was given up")
		}
		_, _ = io.WriteString(w, "in")
	})))
	defer s.Close()
	address := strings.TrimPrefix(s.URL, "http://")
	send := func(text string) (took time.Duration, answer string) {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		began := time.Now()
		_ = c.SetDeadline(began.Add(5 * time.Second))
		_, _ = io.WriteString(c, text) // which a server that refuses it may not read to its end
		raw, _ := io.ReadAll(c)
		status, _, _ := strings.Cut(string(raw), "\r\n")
		return time.Since(began), status
	}
	post := func(header string, length int, body string) string {
		return fmt.Sprintf("POST /x HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: %d\r\n\r\n%s", address, header, length, body)
	}
	bearer := "Authorization: Bearer " + token + "\r\n"
	if _, got := send(post(bearer, maxBody, strings.Repeat("x", maxBody))); got != "HTTP/1.1 200 OK" || <-served != maxBody {
		t.Errorf("2 MiB: %s", got)
	}
	if _, got := send(post(bearer, maxBody+1, strings.Repeat("x", maxBody+1))); !strings.Contains(got, " 413 ") {
		t.Errorf("a byte more: %s", got)
	}
	for header, want := range map[string]string{bearer: " 408 ", "": " 401 ", "Origin: http://evil.example\r\n": " 403 "} {
		if took, got := send(post(header, 1000, "slow")); took > 4*time.Second || !strings.Contains(got, want) {
			t.Errorf("a slow body with %q: %s after %s", header, got, took)
		}
	}
	if took, got := send("GET / HTTP/1.1\r\nHost: " + address + "\r\n\r\n"); took > 4*time.Second || !strings.Contains(got, " 401 ") {
		t.Errorf("a connection without the token is kept: %s after %s", got, took)
	}
	if len(served) > 0 {
		t.Errorf("%d refused requests were served", len(served))
	}
}

// At most 256 connections are open at once; the next one waits for one to end.
func TestConnectionsAreLimited(t *testing.T) {
	const token, limit = "abcdefghijklmnopqrstuvwxyz", 256
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") })
	s, err := Listen(t.Context(), "127.0.0.1:0", token, slog.New(slog.DiscardHandler), handler, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if s.http.ReadHeaderTimeout != 10*time.Second || s.http.MaxHeaderBytes > 1<<20 {
		t.Errorf("a header may take %s and have %d bytes", s.http.ReadHeaderTimeout, s.http.MaxHeaderBytes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	address := strings.TrimPrefix(s.URL(), "http://")
	open := make([]net.Conn, 0, limit+1)
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	get := func(c net.Conn) string {
		_ = c.SetDeadline(time.Now().Add(500 * time.Millisecond))
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+address+"\r\nAuthorization: Bearer "+token+"\r\n\r\n")
		raw := make([]byte, 12)
		n, _ := io.ReadFull(c, raw)
		return string(raw[:n])
	}
	for range limit + 1 {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	for i, c := range open[:limit] {
		if got := get(c); got != "HTTP/1.1 200" {
			t.Fatalf("connection %d: %q", i, got)
		}
	}
	if got := get(open[limit]); got != "" {
		t.Errorf("connection %d is served: %q", limit, got)
	}
	_ = open[0].Close()
	_ = open[limit].SetDeadline(time.Now().Add(5 * time.Second))
	raw := make([]byte, 12)
	if n, err := io.ReadFull(open[limit], raw); string(raw[:n]) != "HTTP/1.1 200" {
		t.Errorf("once one has ended: %q %v", raw[:n], err)
	}
	for _, c := range open {
		_ = c.Close()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
