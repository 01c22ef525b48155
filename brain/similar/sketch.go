package similar

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// A sketch has one byte of so many minimum hashes of each set, eight to a block.
// The words of unlike texts overlap more than their 5-grams do, so they get more.
const (
	termRows   = 136
	gramRows   = 72
	termBlocks = termRows / 8
	blocks     = (termRows + gramRows) / 8
)

// Sketch is the fixed-size summary of a text in an [Index]. It has 224 bytes, whatever the length
// of the text, and depends on nothing else.
type Sketch struct {
	same  uint64         // hash of the normalised text
	marks uint64         // hash of the marks that [Guard] compares
	rows  [blocks]uint64 // minimum hashes of the words, then those of the 5-grams
}

// SketchOf returns the sketch of a named text. It is faster than preparing the text.
func SketchOf(name, content string) Sketch {
	text := joinName(name, content)
	normalised := Normalise(text)
	s := Sketch{same: xxh3.HashString(normalised), marks: hashMarks(read(text))}
	minimums(s.rows[:termBlocks], hashTerms(text), s.same)
	minimums(s.rows[termBlocks:], hashGrams(normalised), s.same)
	return s
}

func hashMarks(s *statement) uint64 {
	var all []byte
	for _, marks := range s.marks {
		for _, mark := range marks {
			all = append(append(all, mark...), 1)
		}
		all = append(all, 0)
	}
	return xxh3.Hash(all)
}

// minimums fills the blocks with one byte of each minimum hash of a set. Two sets
// agree in a byte with a probability of their Jaccard index, or by chance in one
// of 256. An empty set is like nothing but itself.
//
// This is fast similarity sketching (Dahlgaard, Knudsen, Thorup 2017). In each
// round every member falls into one of the rows, and a row keeps the least hash
// of the first round in which a member fell into it. From round n on, for n rows,
// one row a round takes the least hash of all members. A large set is done after
// a round or two; the estimate of a small one is as good as with n hash functions.
func minimums(into []uint64, set []uint32, empty uint64) {
	n := uint32(len(into) * 8)
	var least [termRows]uint64 // the round, then the hash; the top bit marks it as set
	free := n
	if len(set) == 0 {
		set = []uint32{uint32(empty), uint32(empty >> 32)}
	}
	for round := uint32(0); free > 0; round++ {
		for _, member := range set {
			h := mixed(member, round)
			row := uint32((h >> 32) * uint64(n) >> 32)
			if round >= n {
				row = round - n
			}
			was := least[row]
			now := 1<<63 | uint64(round)<<32 | h&math.MaxUint32
			if was == 0 {
				free--
			}
			if was == 0 || now < was {
				least[row] = now
			}
		}
	}
	var block [8]byte
	for i := range into {
		for j := range block {
			block[j] = byte(least[i*8+j])
		}
		into[i] = binary.LittleEndian.Uint64(block[:])
	}
}

// mixed returns the hash of a member in a round: the finaliser of SplitMix64.
func mixed(member, round uint32) uint64 {
	z := (uint64(round)<<32 | uint64(member)) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// agreeing returns the number of bytes in which two runs of blocks agree.
func agreeing(a, b []uint64) int {
	const low = 0x7f7f7f7f7f7f7f7f
	n := 0
	for i, x := range a {
		x ^= b[i]
		differs := (x&low + low) | x | low // the top bit of each byte that is not zero
		n += bits.OnesCount64(^differs)
	}
	return n
}
