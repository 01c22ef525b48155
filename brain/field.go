package brain

import (
	"math"

	"github.com/brainbridge/brainbridge/tiers"
)

// CellStep is the side of a [Cell] on both axes, in units of the natural logarithm.
const CellStep = 0.25

// IdleOffset is added to the hours since the last use before their logarithm is taken.
const IdleOffset = 0.03

// Cell is the number of live memories of a tier with about the same energy and the same time since
// their last use. The cell of a memory is ⌊ln(hours + [IdleOffset]) / [CellStep]⌋ and
// ⌊ln(energy) / CellStep⌋.
type Cell struct {
	Tier   tiers.Tier `json:"tier"`
	Idle   int        `json:"idle"`
	Energy int        `json:"energy"`
	Count  int        `json:"count"`
}

// CellOf returns the cell of a live memory on one axis, for a value above 0.
func CellOf(value float64) int { return int(math.Floor(math.Log(value) / CellStep)) }
