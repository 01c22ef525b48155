// Package tiers has the lifecycle rules of memories: the tier of a memory, how its
// energy fades, when it is due for promotion and when it expires.
//
// Everything here is a pure function of a State, a Policy and an instant. Between two events the
// energy of a memory is
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

// Tier is a stage in the life of a memory. Stores store its text.
type Tier string

// The tiers, in the order in which status prints them.
const (
	Working           Tier = "working"
	ShortTerm         Tier = "shortTerm"
	LongTerm          Tier = "longTerm"
	Core              Tier = "core"
	ArchivedWorking   Tier = "archivedWorking"
	ArchivedShortTerm Tier = "archivedShortTerm"
	Expired           Tier = "expired"
	Superseded        Tier = "superseded"
)

// All returns every tier, in the order of status.
func All() []Tier {
	return []Tier{
		Working, ShortTerm, LongTerm, Core,
		ArchivedWorking, ArchivedShortTerm, Expired, Superseded,
	}
}

// Live reports whether t is working, shortTerm, longTerm or core. Default lists show live
// memories.
func (t Tier) Live() bool {
	return t == Core || t.fading()
}

// Current reports whether t is live or expired. A memory in t is then the newest of its chain,
// neither archived by a promotion nor superseded.
func (t Tier) Current() bool { return t.Live() || t == Expired }

// Next returns the tier to which energy or use promotes a memory in t. It never returns
// Core, which is reached only by core promotion or by hand.
func (t Tier) Next() (Tier, bool) {
	switch t {
	case Working:
		return ShortTerm, true
	case ShortTerm:
		return LongTerm, true
	}
	return "", false
}

// Archived returns the tier of the archived original after a promotion out of t.
func (t Tier) Archived() (Tier, bool) {
	switch t {
	case Working:
		return ArchivedWorking, true
	case ShortTerm:
		return ArchivedShortTerm, true
	}
	return "", false
}

// fading reports whether t has its own lambda.
func (t Tier) fading() bool {
	return t == Working || t == ShortTerm || t == LongTerm
}
