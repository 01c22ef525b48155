package tiers

// Tier is a stage in the life of a memory. Its text is what the stores keep.
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

// Live reports whether a memory in t takes part in default lists: working,
// shortTerm, longTerm and core.
func (t Tier) Live() bool {
	return t == Core || t.fading()
}

// Next returns the tier to which energy or use promotes a memory in t. Core is
// never the answer: it is reached by core promotion or by hand only.
func (t Tier) Next() (Tier, bool) {
	switch t {
	case Working:
		return ShortTerm, true
	case ShortTerm:
		return LongTerm, true
	}
	return "", false
}

// Archived returns what the original in t becomes when it is promoted.
func (t Tier) Archived() (Tier, bool) {
	switch t {
	case Working:
		return ArchivedWorking, true
	case ShortTerm:
		return ArchivedShortTerm, true
	}
	return "", false
}

// fading reports whether t has a lambda of its own.
func (t Tier) fading() bool {
	return t == Working || t == ShortTerm || t == LongTerm
}
