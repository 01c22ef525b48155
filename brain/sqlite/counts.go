package sqlite

import (
	"encoding/binary"
	"slices"
	"sort"
)

// The counts of a doc hold how often each term occurs in it, so that BM25 reads
// one small row for each candidate: four bytes for each distinct term, ordered.
// The upper three are a hash of the term, the lowest its weighted count: 2 for
// each time in the name, 1 elsewhere, at most 255 (BM25 saturates long before).
// Terms with the same hash, one pair in 16 million, are counted together.
const countSize = 4

// hash returns FNV-1a with 32 bits, without the lowest 8. It is part of the file
// format.
func hash(term string) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h &^ 255
}

// encodeCounts returns the counts of a doc; each field has its weight.
func encodeCounts(fields [3][]string, weights [3]int) []byte {
	var all []uint32
	for i, terms := range fields {
		for _, t := range terms {
			all = append(all, hash(t)|uint32(weights[i]))
		}
	}
	slices.Sort(all)
	counts := all[:0]
	for _, c := range all {
		if last := len(counts) - 1; last >= 0 && counts[last]&^255 == c&^255 {
			counts[last] = c&^255 | min(counts[last]&255+c&255, 255)
		} else {
			counts = append(counts, c)
		}
	}
	out := make([]byte, 0, countSize*len(counts))
	for _, c := range counts {
		out = binary.BigEndian.AppendUint32(out, c)
	}
	return out
}

// count returns the count of a term by its hash.
func count(counts []byte, term uint32) int {
	n := len(counts) / countSize
	at := func(i int) uint32 { return binary.BigEndian.Uint32(counts[i*countSize:]) }
	i := sort.Search(n, func(i int) bool { return at(i) >= term })
	if i == n || at(i)&^255 != term {
		return 0
	}
	return int(at(i) & 255)
}
