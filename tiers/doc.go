// Package tiers has the lifecycle rules of memories: the tier of a memory, how its
// energy fades, when it is due for promotion and when it expires.
//
// Everything here is a pure function of a State, a Timeline of policies and an
// instant. Between two events the energy of a memory is
//
//	E(t) = energy * exp(-lambda * hours)
//
// and is computed when it is read; no timer updates it. The instants at which a
// memory falls due (ExpiresAt, PromoteDue) are computed when it is written.
// Settle moves it as of those instants, so the result does not depend on how
// often or how late maintenance runs. This is exact for tiers and instants; State
// describes how.
//
// Instants are UTC, truncated to whole milliseconds. Rates are per hour. Energies
// have no unit. A zero time.Time means that there is no such instant.
package tiers
