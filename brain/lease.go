package brain

import "context"

// Leaser grants leases: named locks that one process at a time holds. With Neo4j the
// processes may be on several machines.
type Leaser interface {
	// Lease takes the lease with this name or fails at once with a [HeldError].
	// A lease lasts 60 seconds by the clock of the store and is renewed every 20
	// seconds until it is released. The lease of another holder can be taken when
	// it has expired, or at once if dead returns true for the holder.
	Lease(ctx context.Context, name string, h Holder, dead func(Holder) bool) (Lease, error)
}

// Holder names a process.
type Holder struct {
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Token string `json:"token"` // random, new for each lease taken
}

// Lease is a lock that is held.
type Lease interface {
	// Lost is closed when the lease could not be kept.
	Lost() <-chan struct{}
	// Release ends the lease and waits for its renewal to end. It may be called
	// more than once.
	Release() error
}
