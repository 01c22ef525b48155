package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func closeCases() []testCase {
	return []testCase{
		{"after closing every call is an error, and other handles have what was stored", closeUse},
		{"closing waits for what is under way", closeWaits},
	}
}

func closeUse(t *testing.T, b *db) {
	p := newParcel()
	other, q := b.again(), newParcel()
	b.update(q.put)
	works(t, "close", b.Close())
	_ = b.Close()
	ran := false
	read, write := func(brain.Reader) error { ran = true; return nil }, func(brain.Tx) error { ran = true; return nil }
	for name, err := range everyCall(b.ctx(), b, read, write) {
		if err == nil {
			t.Errorf("%s after Close: no error", name)
		}
	}
	same(t, "fn ran after Close", false, ran)
	same(t, "brain", b.name, b.Info().Brain)
	other.update(p.put)
	again := b.again()
	same(t, "stored before it was closed", q.whole(), q.in(again))
	same(t, "stored by another handle", p.whole(), p.in(again))
	same(t, "how many are found", 4, len(again.find("parcel")))
}

func closeWaits(t *testing.T, b *db) {
	p := newParcel()
	other := b.again()
	started, closing := make(chan struct{}), make(chan struct{})
	updated, closed := make(chan error, 1), make(chan error, 1)
	go func() {
		first := true
		updated <- b.Update(b.ctx(), func(tx brain.Tx) error {
			if first {
				close(started)
				first = false
			}
			<-closing
			return p.put(tx)
		})
	}()
	<-started
	go func() {
		close(closing)
		closed <- b.Close()
	}()
	works(t, "error of closing", ends(b.ctx(), closed))
	works(t, "error of what was under way", ends(b.ctx(), updated))
	same(t, "stored", p.whole(), p.in(other))
}
