package brain

import "context"

// Leaser gives out leases: locks with a name that one process at a time holds,
// on one machine or, on Neo4j, on many.
type Leaser interface {
	// Lease takes the lease of that name or fails at once with a [HeldError].
	// A lease lasts 60 seconds by the store's clock and is renewed every 20
	// until it is released; one that its holder left behind can be taken when
	// it has run out, or at once when dead says that the holder is gone.
	Lease(ctx context.Context, name string, h Holder, dead func(Holder) bool) (Lease, error)
}

// Holder names a process.
type Holder struct {
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Token string `json:"token"` // random, one for each lease taken
}

// Lease is a lock that is held.
type Lease interface {
	// Lost is closed when the lease could not be kept.
	Lost() <-chan struct{}
	// Release gives the lease back and waits for its renewal to end. It may be
	// called more than once.
	Release() error
}
