// Package tiers holds the rules by which a memory lives: which tier it is in,
// how its energy fades, when it is due to move up and when it expires.
//
// Everything here is a pure function of a State, a Timeline of policies and an
// instant. Between two events the energy of a memory is
//
//	E(t) = energy * exp(-lambda * hours)
//
// and is computed when it is read, never ticked. The instants at which a
// memory falls due (ExpiresAt, PromoteDue) are known when it is written.
// Settle moves it as of those instants, so the outcome does not depend on how
// often, or how late, maintenance ran. That law is exact for tiers and
// instants; see State for how.
//
// Instants are UTC with a precision of whole milliseconds; finer parts are cut
// off. Rates are per hour. Energies have no unit. A zero time.Time is "null".
package tiers
