package watcher

import (
	"bytes"
	"context"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeNotifier behaves like fsnotify but says only what a test tells it to.
type fakeNotifier struct {
	fail   func(path string) error
	events chan fsnotify.Event
	errs   chan error

	mu      sync.Mutex
	watched map[string]bool
	closed  bool
}

func (n *fakeNotifier) Add(path string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail != nil {
		if err := n.fail(path); err != nil {
			return err
		}
	}
	n.watched[path] = true
	return nil
}

func (n *fakeNotifier) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	return nil
}

func (n *fakeNotifier) watches(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.watched[path]
}

// rig is a watcher over a real directory, with made-up events and the fake
// time of a synctest bubble.
type rig struct {
	t    *testing.T
	dir  string
	cfg  Config
	w    *Watcher
	log  bytes.Buffer
	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex         // for what follows
	openErr error              // what Open answers
	addErr  func(string) error // what Add answers
	emitErr error              // what the consumer answers
	emit    func()             // what it does meanwhile

	notifiers []*fakeNotifier
	batches   []Batch
	times     []time.Time

	emitting int // the consumer's own: it must never be called concurrently
}

func newRig(t *testing.T, files ...string) *rig {
	r := &rig{t: t, dir: t.TempDir(), done: make(chan struct{})}
	write(t, r.dir, files...)
	r.cfg = Config{
		Dir: r.dir, Match: markdown, Log: zerolog.New(&r.log),
		Open: r.open,
	}
	return r
}

// set changes the faults.
func (r *rig) set(change func(*rig)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

func (r *rig) open() (Notifier, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.openErr != nil {
		return Notifier{}, r.openErr
	}
	n := &fakeNotifier{
		events: make(chan fsnotify.Event, 10_000), errs: make(chan error, 10),
		watched: map[string]bool{}, fail: r.fail,
	}
	r.notifiers = append(r.notifiers, n)
	return Notifier{Add: n.Add, Close: n.Close, Events: n.events, Errors: n.errs}, nil
}

func (r *rig) fail(path string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.addErr == nil {
		return nil
	}
	return r.addErr(path)
}

// consume is what the watcher calls with each batch.
func (r *rig) consume(_ context.Context, b Batch) error {
	r.emitting++
	if r.emitting > 1 {
		r.t.Error("emit is called while it is running")
	}
	r.mu.Lock()
	r.batches, r.times = append(r.batches, b), append(r.times, time.Now())
	meanwhile, err := r.emit, r.emitErr
	r.mu.Unlock()
	if meanwhile != nil {
		meanwhile()
	}
	r.emitting--
	return err
}

// start runs the watcher until nothing moves but the clock.
func (r *rig) start() {
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	r.w = New(r.cfg)
	go func() {
		defer close(r.done)
		if err := r.w.Run(ctx, r.consume); err != nil {
			r.t.Errorf("Run: %v", err)
		}
	}()
	synctest.Wait()
}

func (r *rig) end() {
	r.stop()
	<-r.done
}

// pass lets d of fake time go by.
func (r *rig) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// take returns the batches since the last call.
func (r *rig) take() []Batch {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.batches
	r.batches, r.times = nil, nil
	return got
}

func (r *rig) notifier() *fakeNotifier { return r.notifiers[len(r.notifiers)-1] }

func (r *rig) path(rel string) string { return filepath.Join(r.dir, rel) }

func (r *rig) event(op fsnotify.Op, rels ...string) {
	for _, rel := range rels {
		r.notifier().events <- fsnotify.Event{Name: r.path(rel), Op: op}
	}
	synctest.Wait()
}
