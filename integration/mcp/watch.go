package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/integration/app"
)

// The graph is looked at after each call that may have changed it and, since
// other processes change it too, again after some time: two seconds, or so long
// that looking takes at most a fiftieth of it.
const (
	lookAgain = 2 * time.Second
	lookShare = 50
)

// watch tells subscribers that the graph has changed, as long as there are any.
type watch struct {
	server *Server
	nudge  chan struct{} // has a value when a call may have changed the graph

	mu          sync.Mutex
	subscribers map[*mcp.ServerSession]bool
	stop        context.CancelFunc // of the goroutine that looks; nil: none does
	looking     sync.WaitGroup
	seen        uint64 // of the graph when it was looked at last
}

func newWatch(s *Server) *watch {
	return &watch{server: s, nudge: make(chan struct{}, 1), subscribers: map[*mcp.ServerSession]bool{}}
}

// subscribe begins to look with the first subscriber. What the graph is then
// is known before the client has its answer.
func (w *watch) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	seen, err := w.look(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers[r.Session] = true
	if w.stop != nil {
		return nil
	}
	if err == nil { // else the first look that succeeds is news
		w.seen = seen
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.looking.Go(func() { w.run(ctx) })
	return nil
}

func (w *watch) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.subscribers, r.Session)
	return nil
}

// changed says that a call may have changed the graph.
func (w *watch) changed() {
	select {
	case w.nudge <- struct{}{}:
	default: // it will be looked at anyway
	}
}

// close ends the looking and waits for it.
func (w *watch) close() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
	w.looking.Wait()
}

// run looks until nobody is left or ctx ends.
func (w *watch) run(ctx context.Context) {
	for pause := lookAgain; w.wait(ctx, pause); {
		began := time.Now()
		seen, err := w.look(ctx)
		pause = max(lookAgain, lookShare*time.Since(began))
		if err != nil || seen == w.seen { // a store that is away comes back
			continue
		}
		w.seen = seen
		// A client that cannot be told is about to be noticed by the transport.
		_ = w.server.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: GraphURI})
	}
}

// wait waits until it is time to look; false when there is nobody to tell.
func (w *watch) wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.nudge:
	case <-ctx.Done():
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	here := slices.Collect(w.server.server.Sessions())
	for session := range w.subscribers {
		if !slices.Contains(here, session) {
			delete(w.subscribers, session)
		}
	}
	if len(w.subscribers) == 0 {
		w.stop()
		w.stop = nil
		return false
	}
	return true
}

// look is a number that stands for the graph as it is.
func (w *watch) look(ctx context.Context) (uint64, error) {
	s, err := w.server.o.UseCases(app.Caller{}).Graph(ctx)
	if err != nil {
		return 0, err
	}
	g, err := s.ReadGraph(ctx)
	if err != nil {
		return 0, err
	}
	h := xxh3.New()
	err = json.NewEncoder(h).Encode(g)
	return h.Sum64(), err
}
