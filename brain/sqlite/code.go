package sqlite

import (
	"encoding/binary"
	"math/bits"

	"github.com/brainbridge/brainbridge/brain"
)

// A code has one bit of each dimension of a vector: whether it is above the mean of all
// vectors. Two vectors are about as alike as their codes. Codes stay when their vectors go,
// until all are made again.

// blockBits is the number of bits of a doc that count within a block of codes.
const blockBits = 8

// codeBlock has the codes of 256 docs, one after the other, each a multiple of 8 bytes. Zero
// is the code of no vector.
type codeBlock struct {
	no   int64 // doc >> blockBits
	bits []byte
}

// put writes a code to its place.
func (b *codeBlock) put(doc int64, code []byte) {
	copy(b.bits[int(doc&(1<<blockBits-1))*len(code):], code)
}

func encodeCode(mean, v []float32) []byte {
	code := make([]byte, (len(mean)+63)/64*8)
	for i, x := range v {
		if x > mean[i] {
			code[i/8] |= 1 << (i % 8)
		}
	}
	return code
}

// nearestCodes returns the docs of the n codes that differ least from one, and of those that
// differ as much as the last; unless passing is nil, only docs that it has.
func nearestCodes(blocks []codeBlock, code []byte, n int, passing map[int64]bool) (docs []int64) {
	words := make([]uint64, len(code)/8)
	_, _ = binary.Decode(code, binary.LittleEndian, words) // code is long enough
	differences := make([]int, len(blocks)<<blockBits)
	counts := make([]int, 8*len(code)+2) // of codes by their difference; the last one is for a missing code
	for i := range differences {
		at := blocks[i>>blockBits].bits[(i&(1<<blockBits-1))*len(code):]
		some := uint64(0)
		for j, w := range words {
			x := binary.LittleEndian.Uint64(at[8*j:])
			differences[i] += bits.OnesCount64(x ^ w)
			some |= x
		}
		if some == 0 || passing != nil && !passing[docAt(blocks, i)] {
			differences[i] = len(counts) - 1
		}
		counts[differences[i]]++
	}
	most, found := 0, 0 // the largest difference that counts, and the codes up to it
	for ; most < len(counts)-1 && found < n; most++ {
		found += counts[most]
	}
	for i, d := range differences {
		if d < most {
			docs = append(docs, docAt(blocks, i))
		}
	}
	return docs
}

// docAt returns the doc of the code at a place in blocks.
func docAt(blocks []codeBlock, i int) int64 {
	return blocks[i>>blockBits].no<<blockBits | int64(i&(1<<blockBits-1))
}

// makeCodes computes the codes of all vectors of a model, with their mean and a sample.
func (t *tx) makeCodes(m model) error {
	mean, n := make([]float32, m.dimensions), 0
	var sample []byte
	err := t.everyVector(func(r vectorRow) error {
		for i, x := range decodeVector(r.value) {
			mean[i] += x
		}
		if n%max(1, m.vectors/brain.SampledVectors) == 0 {
			sample = append(sample, r.value...)
		}
		n++
		return nil
	})
	for i := range mean {
		mean[i] /= float32(max(1, n))
	}
	t.dropCodes()
	t.exec(`UPDATE model SET vectors = ?1, coded = ?1, mean = ?2, sample = ?3 WHERE no = ?4`, n, encodeVector(mean), sample, m.no)
	b := codeBlock{no: -1}
	if err == nil {
		err = t.everyVector(func(r vectorRow) error { // in the order of the docs
			code := encodeCode(mean, decodeVector(r.value))
			if no := r.doc >> blockBits; no != b.no {
				t.putBlock(b)
				b = codeBlock{no, make([]byte, len(code)<<blockBits)}
			}
			b.put(r.doc, code)
			return t.changes.failed
		})
	}
	t.putBlock(b)
	return err
}

// putCodes stores the codes of some vectors by their docs.
func (t *tx) putCodes(m model, vectors map[int64][]float32) error {
	var stored []byte
	err := t.one(`SELECT mean FROM model WHERE no = ?`, []any{m.no}, &stored)
	mean := decodeVector(stored)
	for doc, v := range vectors {
		b, code := codeBlock{no: doc >> blockBits}, encodeCode(mean, v)
		const query = `SELECT ifnull((SELECT bits FROM code WHERE brain = ? AND block = ?), zeroblob(?))`
		if err == nil {
			err = t.one(query, []any{t.s.brain, b.no, len(code) << blockBits}, &b.bits)
		}
		if err != nil {
			return err
		}
		b.put(doc, code)
		t.putBlock(b)
	}
	return err
}

func (t *tx) putBlock(b codeBlock) {
	if b.no >= 0 {
		t.exec(`INSERT OR REPLACE INTO code (brain, block, bits) VALUES (?, ?, ?)`, t.s.brain, b.no, b.bits)
	}
}

func (t *tx) dropCodes() { t.exec(`DELETE FROM code WHERE brain = ?`, t.s.brain) }
