package main

import (
	"net/http/httptest"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

type embeddingsKey struct{}

// embeddings is the embedding endpoint of a script: embeddings start puts its address
// into EMBEDDINGS, fail STATUS has it fail until fail 0, texts N wants that it has
// embedded so many texts since the last embeddings texts.
func embeddings(ts *testscript.TestScript, neg bool, args []string) {
	e, ok := ts.Value(embeddingsKey{}).(*scriptEmbeddings)
	n := 0
	if len(args) == 2 {
		var err error
		n, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	switch {
	case !ok || neg:
	case len(args) == 1 && args[0] == "start":
		server := httptest.NewServer(&e.endpoint)
		ts.Defer(server.Close)
		ts.Setenv("EMBEDDINGS", server.URL+"/v1")
		return
	case len(args) == 2 && args[0] == "fail":
		e.endpoint.Fail(n)
		return
	case len(args) == 2 && args[0] == "texts":
		all := e.endpoint.Texts()
		if all-e.seen != n {
			ts.Fatalf("%d texts were embedded, want %d", all-e.seen, n)
		}
		e.seen = all
		return
	}
	ts.Fatalf("usage: embeddings start | fail STATUS | texts N")
}

// scriptEmbeddings is the endpoint, and the number of texts that a script knows of.
type scriptEmbeddings struct {
	endpoint embedtest.Endpoint
	seen     int
}
