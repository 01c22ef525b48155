package sqlite

import (
	"database/sql"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"github.com/brainbridge/brainbridge/brain"
)

// A code has one bit of each dimension of a vector: whether it is above the mean of all
// vectors. Two vectors are about as alike as their codes.

// blockBits is the number of bits of a doc that count within a block of codes.
const blockBits = 8

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
	bits []uint64
}

// codeWords is the number of words of a code.
func codeWords(dimensions int) int { return (dimensions + 63) / 64 }

// encodeCode returns the code of a vector.
func encodeCode(mean, v []float32) []uint64 {
	code := make([]uint64, codeWords(len(v)))
	for i, x := range v {
		if x > mean[i] {
			code[i/64] |= 1 << (i % 64)
		}
	}
	return code
}

// spread returns how the cosines of a vector with the sample are spread.
func (c *codesRead) spread(v []float32) brain.Spread {
	cosines := make([]float64, len(c.sample))
	for i, s := range c.sample {
		cosines[i] = cosineOf(v, s)
	}
	return brain.SpreadOf(cosines)
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
	changed, err := t.codesAfter(m, c.changes)
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
	c.mean = decodeVector(mean)
	for one := range slices.Chunk(sample, 4*m.dimensions) {
		c.sample = append(c.sample, one)
	}
	if err != nil {
		c.codesRead = codesRead{}
	}
	return err
}

// codesAfterQuery uses the index on changed: most reads want few of the blocks.
const codesAfterQuery = `SELECT block, bits FROM code WHERE changed > ? AND +block BETWEEN ? AND ?`

// codesAfter reads the blocks of codes that were written after a number of changes.
func (t *tx) codesAfter(m model, changes int64) ([]codeBlock, error) {
	type row struct {
		no   int64
		bits sql.RawBytes
	}
	dest := func(r *row) []any { return []any{&r.no, &r.bits} }
	first, last := t.notes()
	var blocks []codeBlock
	err := scan(t.ctx, t, dest, codesAfterQuery, []any{changes, first >> blockBits, last >> blockBits}, func(r row) error {
		b := codeBlock{no: r.no, bits: make([]uint64, codeWords(m.dimensions)<<blockBits)}
		for i := range b.bits {
			b.bits[i] = binary.LittleEndian.Uint64(r.bits[8*i:])
		}
		blocks = append(blocks, b)
		return nil
	})
	return blocks, err
}

// nearest returns the docs of the n codes that differ least from one, of equals those
// with the lowest numbers.
func (c *codesRead) nearest(code []uint64, n int) []int64 {
	differences := make([]uint16, len(c.blocks)<<blockBits)
	counts := make([]int, 64*len(code)+2) // of codes by their difference; the last one is for a missing code
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
func compareCodes(code, block []uint64, differences []uint16, counts []int) {
	size := len(code)
	for i := range differences {
		different, some := 0, uint64(0)
		for w, x := range block[i*size : (i+1)*size] {
			different += bits.OnesCount64(x ^ code[w])
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
	if err := t.dropCodes(); err != nil {
		return err
	}
	if err := t.exec(`UPDATE model SET vectors = ?1, coded = ?1, mean = ?2, sample = ?3 WHERE no = ?4`, n, encodeVector(mean), sample, m.no); err != nil {
		return err
	}
	block := codeBlock{no: -1}
	err = t.everyVector(func(r vectorRow) error {
		if no := r.doc >> blockBits; no != block.no {
			if err := t.putBlock(m, block); err != nil {
				return err
			}
			block = codeBlock{no: no, bits: make([]uint64, codeWords(m.dimensions)<<blockBits)}
		}
		block.set(r.doc, encodeCode(mean, decodeVector(r.value)))
		return nil
	})
	if err != nil {
		return err
	}
	return t.putBlock(m, block)
}

func (b codeBlock) set(doc int64, code []uint64) {
	copy(b.bits[int(doc&(1<<blockBits-1))*len(code):], code)
}

// putCodes adds codes of vectors to the stored ones; a nil vector has no code.
func (t *tx) putCodes(m model, vectors map[int64][]float32) error {
	var stored []byte
	if err := t.one(t.ctx, `SELECT mean FROM model WHERE no = ?`, []any{m.no}, &stored); err != nil {
		return err
	}
	mean := decodeVector(stored)
	blocks := map[int64]codeBlock{}
	for doc, v := range vectors {
		no := doc >> blockBits
		b, known := blocks[no]
		if !known {
			var err error
			if b, err = t.block(m, no); err != nil {
				return err
			}
			blocks[no] = b
		}
		code := make([]uint64, codeWords(m.dimensions))
		if v != nil {
			code = encodeCode(mean, v)
		}
		b.set(doc, code)
	}
	for _, b := range blocks {
		if err := t.putBlock(m, b); err != nil {
			return err
		}
	}
	return nil
}

// block returns a stored block of codes, an empty one if there is none.
func (t *tx) block(m model, no int64) (codeBlock, error) {
	b := codeBlock{no: no, bits: make([]uint64, codeWords(m.dimensions)<<blockBits)}
	var stored []byte
	if err := t.one(t.ctx, `SELECT (SELECT bits FROM code WHERE block = ?)`, []any{no}, &stored); err != nil {
		return b, err
	}
	for i := range len(stored) / 8 {
		b.bits[i] = binary.LittleEndian.Uint64(stored[8*i:])
	}
	return b, nil
}

func (t *tx) putBlock(m model, b codeBlock) error {
	if b.no < 0 {
		return nil
	}
	stored := make([]byte, 0, 8*len(b.bits))
	for _, w := range b.bits {
		stored = binary.LittleEndian.AppendUint64(stored, w)
	}
	return t.exec(`INSERT OR REPLACE INTO code (block, changed, bits) VALUES (?, ?, ?)`, b.no, m.changes, stored)
}

func (t *tx) dropCodes() error {
	first, last := t.notes()
	return t.exec(`DELETE FROM code WHERE block BETWEEN ? AND ?`, first>>blockBits, last>>blockBits)
}
