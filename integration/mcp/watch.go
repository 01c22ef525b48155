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

// The graph is read after each call that may have changed it, and, because other
// processes change it too, again after a pause: two seconds, or longer if reading
// takes more than a fiftieth of the time.
const (
	lookAgain = 2 * time.Second
	lookShare = 50
)

// watch notifies subscribers of changes of the graph.
type watch struct {
	server *Server
	nudge  chan struct{} // has a value when a call may have changed the graph

	mu          sync.Mutex
	subscribers map[*mcp.ServerSession]bool
	stop        context.CancelFunc // of the goroutine; nil if there is none
	running     sync.WaitGroup
	seen        uint64 // hash of the graph when it was last read
}

func newWatch(s *Server) *watch {
	return &watch{server: s, nudge: make(chan struct{}, 1), subscribers: map[*mcp.ServerSession]bool{}}
}

// subscribe starts the goroutine with the first subscriber. The graph is read before
// the client has its response.
func (w *watch) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	seen, err := w.hash(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subscribers[r.Session] = true
	if w.stop != nil {
		return nil
	}
	if err == nil { // else the first successful read counts as a change
		w.seen = seen
	}
	ctx, w.stop = context.WithCancel(context.WithoutCancel(ctx))
	w.running.Go(func() { w.run(ctx) })
	return nil
}

func (w *watch) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.subscribers, r.Session)
	return nil
}

// changed reports that a call may have changed the graph.
func (w *watch) changed() {
	select {
	case w.nudge <- struct{}{}:
	default: // it will be read anyway
	}
}

// close ends the goroutine and waits for it.
func (w *watch) close() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
	w.running.Wait()
}

// run watches the graph until there are no subscribers or ctx ends.
func (w *watch) run(ctx context.Context) {
	for pause := lookAgain; w.wait(ctx, pause); {
		began := time.Now()
		seen, err := w.hash(ctx)
		pause = max(lookAgain, lookShare*time.Since(began))
		if err != nil || seen == w.seen { // the store may come back
			continue
		}
		w.seen = seen
		// The transport notices that a client is gone.
		_ = w.server.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: GraphURI})
	}
}

// wait waits until the next read; it is false if there are no subscribers.
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
	connected := slices.Collect(w.server.server.Sessions())
	for session := range w.subscribers {
		if !slices.Contains(connected, session) {
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

// hash returns a hash of the graph.
func (w *watch) hash(ctx context.Context) (uint64, error) {
	g, err := w.server.o.UseCases(app.Caller{}).Graph(ctx).ReadGraph(ctx)
	if err != nil {
		return 0, err
	}
	h := xxh3.New()
	err = json.NewEncoder(h).Encode(g)
	return h.Sum64(), err
}
