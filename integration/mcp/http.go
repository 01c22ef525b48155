package mcp

import (
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionIdle is how long a session over HTTP lasts without a request: a client does
// not report that it ends.
const sessionIdle = 24 * time.Hour

// Handler serves any number of clients over streamable HTTP. It does not
// authenticate them.
func (s *Server) Handler() http.Handler {
	return refusing(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server }, &mcp.StreamableHTTPOptions{
		JSONResponse: true, SessionTimeout: sessionIdle, MaxRequestBodyBytes: maxLine, Logger: s.o.Log,
	}))
}

// Close ends all sessions, each after its calls under way.
func (s *Server) Close() {
	var closing sync.WaitGroup
	for session := range s.server.Sessions() {
		closing.Go(func() { _ = session.Close() }) // the client sees the end of its streams
	}
	closing.Wait()
	s.watch.close()
}
