package backups

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// home is a second handle on the brain, as another process would have it.
type home struct {
	*services.Services
	acknowledged []string // ids of the memories whose capture succeeded
}

func homeOn(t *testing.T, s brain.Store) *home {
	t.Helper()
	t.Cleanup(func() { _ = s.Close() })
	return &home{Services: services.New(s, services.Options{})}
}

// learn tries to store a memory, and records its id if that succeeds.
func (h *home) learn(ctx context.Context) {
	c, err := h.Capture.New(brain.Source{Kind: brain.Learning, Concept: "a concept", Learned: "written meanwhile"}, brain.Details{})
	if err != nil {
		return
	}
	if done, err := h.Capture.Capture(ctx, c); err == nil {
		h.acknowledged = append(h.acknowledged, done.MemoryID)
	}
}

// A capture that is acknowledged during a restore is in the brain afterwards, or in the
// backup of the state before the restore.
func TestARestoreLosesNothingThatIsStoredMeanwhile(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "brain.db")
		open := func() brain.Store {
			s, err := sqlite.Open(t.Context(), path, "one")
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		losesNothing(t, open)
	})
	t.Run("neo4j", func(t *testing.T) {
		c := neo4j.Config{URI: neo4jtest.Server(t), Brain: "meanwhile-" + brain.NewID()}
		losesNothing(t, func() brain.Store {
			s, err := neo4j.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
	})
}

func losesNothing(t *testing.T, open func() brain.Store) {
	p := placeOn(t, open())
	p.remember("a text")
	p.write("config.toml", "a file")
	b := p.create()
	during, busy := homeOn(t, open()), homeOn(t, open())
	o := p.restoreOptions(b.Path)
	for i, c := range o.Contents {
		if c.Text != nil { // called after the graph was read
			o.Contents[i].Text = func(held []byte) []byte {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				during.learn(ctx)
				return held
			}
		}
	}
	ended, written := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(written)
		for {
			busy.learn(t.Context())
			select {
			case <-ended:
				return
			default:
			}
		}
	}()
	r, err := Restore(t.Context(), o, Restored{})
	close(ended)
	<-written
	if err != nil {
		t.Fatal(err)
	}
	p.keeps(r.Saved, append(during.acknowledged, busy.acknowledged...))
}

// keeps checks that memories are in the brain or in a backup.
func (p *place) keeps(backup string, ids []string) {
	p.t.Helper()
	held := p.memories()
	for page, err := range pagesOf(p.t, backup) {
		if err != nil {
			p.t.Fatal(err)
		}
		for _, m := range page.Memories {
			held = append(held, m.ID)
		}
	}
	if len(ids) == 0 {
		p.t.Error("nothing was stored meanwhile")
	}
	for _, id := range ids {
		if !slices.ContainsFunc(held, func(h string) bool { return strings.Contains(h, id) }) {
			p.t.Errorf("%s was acknowledged and is lost; %d were acknowledged", id, len(ids))
		}
	}
}

// failingLoad is a store whose load fails at its end.
type failingLoad struct {
	brain.Store
	err error
}

func (s failingLoad) Load(_ context.Context, _ iter.Seq2[brain.Page, error], first func() error) error {
	return errors.Join(first(), s.err)
}

// The marker of a failed restore is removed only if the graph is unchanged.
func TestARestoreThatMayHaveChangedTheGraphIsFinished(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		left bool
	}{
		"changed, perhaps": {brain.ErrUnavailable, true},
		"not changed":      {context.Canceled, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			o := p.restoreOptions(p.create().Path)
			o.Brain = services.New(failingLoad{p.brain.Base.Store, c.err}, services.Options{})
			if _, err := Restore(t.Context(), o, Restored{}); !errors.Is(err, c.err) {
				t.Fatalf("restore: %v", err)
			}
			if _, err := os.Stat(o.Marker); (err == nil) != c.left {
				t.Errorf("the marker: %v", err)
			}
		})
	}
}
