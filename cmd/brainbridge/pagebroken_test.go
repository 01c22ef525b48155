package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// What can go wrong while the page is open: the daemon ends and the store is away; and the page of
// a large brain.
func TestPageOfABrokenBrain(t *testing.T) {
	needBrowser(t)
	t.Run("sqlite", func(t *testing.T) {
		brokenBrain{home: t.TempDir(), many: 100_000}.look(t)
	})
	t.Run("neo4j", func(t *testing.T) {
		uri, name := neo4jtest.Server(t), "broken-"+brain.NewID()
		t.Cleanup(func() { dropBrains(t, uri, name) })
		createBrain(t, uri, name)
		server, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		p := &proxy{server: server.Host, address: "127.0.0.1:0"}
		if err := p.back(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.away)
		b := brokenBrain{home: t.TempDir(), many: 20_000, where: []string{"--store", "bolt://" + p.address, "--brain", name}}
		b.away, b.back = func() error { p.away(); return nil }, p.back
		b.look(t)
	})
}

// brokenBrain is a brain whose server can be away.
type brokenBrain struct {
	home       string
	where      []string     // flags
	away, back func() error // nil: an embedded store is never away
	many       int          // memories that fill it
}

// look runs the browser tests, which ask over HTTP for what shall happen to the daemon and the
// store: POST stop, start, away, back or fill.
func (b brokenBrain) look(t *testing.T) {
	_, stop, _ := servingOn(t, b.home, "127.0.0.1:0", b.where...)
	env := pageEnv(t, b.home, b.where...)
	address := ""
	for _, e := range env {
		if base, ok := strings.CutPrefix(e, "BASE=http://"); ok {
			address = base
		}
	}
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		switch r.URL.Path {
		case "/stop":
			stop()
		case "/start":
			_, stop, _ = servingOn(t, b.home, address, b.where...)
		case "/away":
			err = b.away()
		case "/back":
			err = b.back()
		case "/fill":
			err = fill(r.Context(), b.home, b.many, b.where...)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}))
	defer control.Close()
	if b.away != nil {
		env = append(env, "SERVER=1")
	}
	lookAt(t, "test/broken.test.mjs", append(env, "CONTROL="+control.URL))
	stop()
}
