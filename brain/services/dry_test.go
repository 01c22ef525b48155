package services_test

import (
	"context"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/services"
)

// readOnly fails a test that writes.
type readOnly struct {
	brain.Store
	t *testing.T
}

func (s readOnly) Update(context.Context, func(brain.Tx) error) error {
	s.t.Error("a dry run opened a transaction for writing")
	return nil
}

func TestADryRunOpensNoTransactionForWriting(t *testing.T) {
	l := newLab(t)
	id := l.learn("port", "Postgres listens on 5432")
	dry := services.Dry(readOnly{l.Base.Store, t}, services.Options{Now: l.Base.Now})
	c := must[brain.Capture](l)(dry.Capture.New(brain.Source{Kind: brain.Learning, Concept: "port", Learned: "Redis listens on 6379"}, brain.Details{}))
	if got := must[brain.Captured](l)(dry.Capture.Capture(l.ctx(), c)); got.MemoryID == "" || got.Energy == 0 {
		t.Errorf("the plan of a capture is %+v", got)
	}
	before := l.energy(id)
	if got := must[brain.Memory](l)(dry.Capture.Boost(l.ctx(), id, 1)); got.Energy <= before {
		t.Errorf("the plan of a boost gives %v, before it is %v", got.Energy, before)
	}
	if now := l.energy(id); now != before {
		t.Errorf("the energy is %v after a dry run, want %v", now, before)
	}
}
