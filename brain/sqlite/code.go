package sqlite

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// A code has one bit of each dimension of a vector: whether it is above the mean of all
// vectors. Two vectors are about as alike as their codes.

const (
	// blockBits is the number of bits of a doc that count within a block of codes.
	blockBits = 8
	// codesAtOnce is the number of codes in memory while all are computed.
	codesAtOnce = 1 << 14
)

// codes are the codes of a brain that a process has read; new ones are added.
type codes struct {
	mu sync.Mutex
	codesRead
}

// codesRead is one state of codes. What it refers to is not changed.
type codesRead struct {
	model, changes int64
	coded          int // see [model]
	mean           []float32
	sample         [][]byte    // vectors as they are stored
	blocks         []codeBlock // ascending
}

// codeBlock has the codes of 256 docs, one after the other.
type codeBlock struct {
	no   int64 // doc >> blockBits
	bits []byte
}

// codeSize is the size of a code in bytes, a multiple of 8.
func codeSize(dimensions int) int { return (dimensions + 63) / 64 * 8 }

// encodeCode returns the code of a vector, zero for no vector.
func encodeCode(mean, v []float32) []byte {
	code := make([]byte, codeSize(len(mean)))
	for i, x := range v {
		if x > mean[i] {
			code[i/8] |= 1 << (i % 8)
		}
	}
	return code
}

// read returns the codes of a model as of a transaction, or later ones.
func (c *codes) read(t *tx, m model) (codesRead, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model != m.no || c.coded != m.coded {
		c.codesRead = codesRead{model: m.no, coded: m.coded, changes: -1}
		if err := c.readMean(t, m); err != nil {
			return codesRead{}, err
		}
	}
	if c.changes >= m.changes {
		return c.codesRead, nil
	}
	dest := func(b *codeBlock) []any { return []any{&b.no, &b.bits} }
	changed, err := collect(t, dest, codesAfterQuery, t.s.brain, c.changes)
	if err != nil {
		return codesRead{}, err
	}
	blocks := slices.Clone(c.blocks)
	for _, b := range changed {
		at, found := slices.BinarySearchFunc(blocks, b.no, func(a codeBlock, no int64) int { return int(a.no - no) })
		if found {
			blocks[at] = b
		} else {
			blocks = slices.Insert(blocks, at, b)
		}
	}
	c.blocks, c.changes = blocks, m.changes
	return c.codesRead, nil
}

func (c *codes) readMean(t *tx, m model) error {
	var mean, sample []byte
	err := t.one(t.ctx, `SELECT mean, sample FROM model WHERE no = ?`, []any{m.no}, &mean, &sample)
	if err != nil {
		c.codesRead = codesRead{}
		return err
	}
	c.mean, c.sample = decodeVector(mean), slices.Collect(slices.Chunk(sample, 4*m.dimensions))
	return nil
}

// codesAfterQuery reads the blocks that were written after a number of changes.
const codesAfterQuery = `SELECT block, bits FROM code WHERE brain = ? AND changed > ?`

// nearest returns the docs of the n codes that differ least from one, of equals those
// with the lowest numbers.
func (c *codesRead) nearest(code []byte, n int) []int64 {
	differences := make([]uint16, len(c.blocks)<<blockBits)
	counts := make([]int, 8*len(code)+2) // of codes by their difference; the last one is for a missing code
	for i, b := range c.blocks {
		compareCodes(code, b.bits, differences[i<<blockBits:(i+1)<<blockBits], counts)
	}
	most, found := 0, 0 // the largest difference that counts, and the codes up to it
	for ; most < len(counts)-1 && found < n; most++ {
		found += counts[most]
	}
	docs := make([]int64, 0, found)
	for i, d := range differences {
		if int(d) < most {
			docs = append(docs, c.blocks[i>>blockBits].no<<blockBits|int64(i&(1<<blockBits-1)))
		}
	}
	return docs
}

// compareCodes counts the bits in which each code of a block differs. A place without a
// code differs most.
func compareCodes(code, block []byte, differences []uint16, counts []int) {
	words := make([]uint64, len(code)/8)
	_, _ = binary.Decode(code, binary.LittleEndian, words) // code is long enough
	for i := range differences {
		different, some := 0, uint64(0)
		for _, w := range words {
			x := binary.LittleEndian.Uint64(block)
			block = block[8:]
			different += bits.OnesCount64(x ^ w)
			some |= x
		}
		if some == 0 {
			different = len(counts) - 1
		}
		differences[i] = uint16(different)
		counts[different]++
	}
}

// makeCodes computes the codes of all vectors of a model, with their mean and a sample.
func (t *tx) makeCodes(m model) error {
	mean := make([]float32, m.dimensions)
	var sample []byte
	n := 0
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
	if err != nil {
		return err
	}
	for i := range mean {
		mean[i] /= float32(max(1, n))
	}
	t.dropCodes()
	t.exec(`UPDATE model SET vectors = ?1, coded = ?1, mean = ?2, sample = ?3 WHERE no = ?4`, n, encodeVector(mean), sample, m.no)
	codes := map[int64][]byte{}
	err = t.everyVector(func(r vectorRow) error {
		if len(codes) == codesAtOnce {
			if err := t.putCodes(m, codes); err != nil {
				return err
			}
			clear(codes)
		}
		codes[r.doc] = encodeCode(mean, decodeVector(r.value))
		return nil
	})
	if err != nil {
		return err
	}
	return t.putCodes(m, codes)
}

func (t *tx) putCodes(m model, codes map[int64][]byte) error {
	blocks := map[int64][]byte{}
	for doc, code := range codes {
		no := doc >> blockBits
		if blocks[no] == nil {
			var block []byte
			const query = `SELECT ifnull((SELECT bits FROM code WHERE brain = ? AND block = ?), zeroblob(?))`
			if err := t.one(t.ctx, query, []any{t.s.brain, no, len(code) << blockBits}, &block); err != nil {
				return err
			}
			blocks[no] = block
		}
		copy(blocks[no][int(doc&(1<<blockBits-1))*len(code):], code)
	}
	for no, block := range blocks {
		t.exec(`INSERT OR REPLACE INTO code (brain, block, changed, bits) VALUES (?, ?, ?, ?)`, t.s.brain, no, m.changes, block)
	}
	return t.changes.failed
}

func (t *tx) dropCodes() {
	t.exec(`DELETE FROM code WHERE brain = ?`, t.s.brain)
}
