package sqlite

import (
	"encoding/binary"
	"slices"
	"sort"
)

// The counts of a doc say how often each term occurs in it, so that BM25 costs
// one small row a candidate. Five bytes for each distinct term, ordered: its
// hash (big endian), and its weighted count: 2 for each time in the name, 1
// elsewhere, at most 255 (BM25 saturates long before). Two terms with the same
// hash (one pair in 4 billion) are counted together.
const countSize = 5

// hash is FNV-1a with 32 bits. It is in the file: never change it.
func hash(term string) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h
}

// encodeCounts makes the counts of a doc; each field has its weight.
func encodeCounts(fields [3][]string, weights [3]int) []byte {
	n := map[uint32]int{}
	for i, terms := range fields {
		for _, t := range terms {
			n[hash(t)] += weights[i]
		}
	}
	hashes := make([]uint32, 0, len(n))
	for h := range n {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	out := make([]byte, 0, countSize*len(hashes))
	for _, h := range hashes {
		out = append(binary.BigEndian.AppendUint32(out, h), byte(min(n[h], 255)))
	}
	return out
}

// count looks a term up.
func count(counts []byte, term uint32) int {
	n := len(counts) / countSize
	i := sort.Search(n, func(i int) bool {
		return binary.BigEndian.Uint32(counts[i*countSize:]) >= term
	})
	if i == n || binary.BigEndian.Uint32(counts[i*countSize:]) != term {
		return 0
	}
	return int(counts[i*countSize+4])
}
