package sqlite

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"math"
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// vectorRow is a vector as it is stored; value is valid until the next row.
type vectorRow struct {
	scoredDoc
	value sql.RawBytes
}

func (r *vectorRow) dest() []any { return []any{&r.doc, &r.value} }

// everyVector reads the vectors of the brain in the order of the docs.
func (t *tx) everyVector(each func(vectorRow) error) error {
	const query = `SELECT v.doc, v.value FROM vector v WHERE v.brain = ? ORDER BY v.doc`
	return scan(t.ctx, t, (*vectorRow).dest, query, []any{t.s.brain}, each)
}

func (t *tx) vectorsOf(docs []int64, each func(vectorRow) error) error {
	const query = `SELECT v.doc, v.value FROM json_each(?1) j CROSS JOIN vector v ON v.doc = j.value`
	return scan(t.ctx, t, (*vectorRow).dest, query, []any{distinctJSON(docs)}, each)
}

// wider is the factor by which each attempt compares more codes.
const wider = 8

// Nearest compares all vectors, or those whose codes are nearest to that of v.
func (t *tx) Nearest(v brain.Vector, q brain.SearchQuery) (near brain.Nearest, err error) {
	m, err := t.modelNamed(v.Model)
	if err != nil || m.no == 0 || m.dimensions != len(v.Values) || q.Limit <= 0 {
		return near, err
	}
	var found []scoredDoc
	add := func(r vectorRow) error {
		r.score = cosineOf(v.Values, r.value)
		found = append(found, r.scoredDoc)
		return nil
	}
	if m.coded == 0 {
		if err := t.everyVector(add); err != nil {
			return near, err
		}
		near.Spread = brain.SpreadOf(brain.Map(found, func(d scoredDoc) float64 { return d.score }))
		near.Hits, err = t.resolve(q, q.Limit, bestOf(found))
		return near, err
	}
	c, err := t.s.codes.read(t, m)
	if err != nil {
		return near, err
	}
	near.Spread = brain.SpreadOf(brain.Map(c.sample, func(stored []byte) float64 { return cosineOf(v.Values, stored) }))
	for n := rescored; ; n *= wider { // until enough of them pass the filter
		found = nil
		if err := t.vectorsOf(c.nearest(encodeCode(c.mean, v.Values), n), add); err != nil {
			return near, err
		}
		near.Hits, err = t.resolve(q, q.Limit, bestOf(found))
		if err != nil || len(near.Hits) == q.Limit || n >= len(c.blocks)<<blockBits {
			return near, err
		}
	}
}

// bestOf returns what resolve asks for.
func bestOf(found []scoredDoc) func(n int) ([]scoredDoc, error) {
	slices.SortFunc(found, func(a, b scoredDoc) int { return cmp.Compare(b.score, a.score) })
	return func(n int) ([]scoredDoc, error) { return found[:min(n, len(found))], nil }
}

// Cosines reads vectors by the ids of their texts.
func (t *tx) Cosines(v brain.Vector, ids ...string) (map[string]float64, error) {
	m, err := t.modelNamed(v.Model)
	if err != nil || m.no == 0 || m.dimensions != len(v.Values) {
		return nil, err
	}
	type row struct {
		id    string
		value sql.RawBytes
	}
	dest := func(r *row) []any { return []any{&r.id, &r.value} }
	const query = `SELECT m.id, v.value FROM json_each(?1) j CROSS JOIN memory m ON m.brain = ?2 AND m.id = j.value CROSS JOIN vector v ON v.doc = m.doc
		UNION ALL SELECT m.id, v.value FROM json_each(?1) j CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value CROSS JOIN vector v ON v.doc = m.doc`
	cosines := map[string]float64{}
	err = scan(brief(t.ctx), t, dest, query, []any{distinctJSON(ids), t.s.brain}, func(r row) error {
		cosines[r.id] = cosineOf(v.Values, r.value)
		return nil
	})
	return cosines, err
}

func encodeVector(values []float32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, values) // cannot fail for floats
	return b
}

func decodeVector(b []byte) []float32 {
	values := make([]float32, len(b)/4)
	_, _ = binary.Decode(b, binary.LittleEndian, values) // b is long enough
	return values
}

// cosineOf returns the cosine of a vector with one as it is stored. Two sums are faster than
// one: an addition need not wait for the one before.
func cosineOf(v []float32, stored []byte) float64 {
	var s0, s1 float32
	at := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(stored[4*i:])) }
	i := 0
	for ; i+2 <= len(v); i += 2 {
		s0 += v[i] * at(i)
		s1 += v[i+1] * at(i+1)
	}
	if i < len(v) {
		s0 += v[i] * at(i)
	}
	return float64(s0 + s1)
}
