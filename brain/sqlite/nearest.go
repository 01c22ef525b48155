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
	doc   int64
	id    string
	value sql.RawBytes
}

// everyVector reads the vectors of the brain in the order of the docs.
func (t *tx) everyVector(each func(vectorRow) error) error {
	dest := func(r *vectorRow) []any { return []any{&r.doc, &r.value} }
	return scan(t, dest, `SELECT doc, value FROM vector WHERE brain = ? ORDER BY doc`, []any{t.s.brain}, each)
}

// Nearest compares all vectors, or those whose codes are nearest to that of v.
func (t *tx) Nearest(v brain.Vector, q brain.SearchQuery) (near brain.Nearest, err error) {
	m, err := t.modelNamed(v.Model)
	if err != nil || m.no == 0 || m.dimensions != len(v.Values) || q.Limit <= 0 {
		return near, err
	}
	var found []scoredDoc
	add := func(r vectorRow) error {
		found = append(found, scoredDoc{r.doc, cosineOf(v.Values, r.value)})
		return nil
	}
	if m.coded == 0 {
		if err := t.everyVector(add); err != nil {
			return near, err
		}
		near.Spread = brain.SpreadOf(brain.Map(found, func(d scoredDoc) float64 { return d.score }))
		near.Hits, err = t.nearestOf(found, q)
		return near, err
	}
	var mean, sample []byte
	if err := t.one(`SELECT mean, sample FROM model WHERE no = ?`, []any{m.no}, &mean, &sample); err != nil {
		return near, err
	}
	cosines := make([]float64, 0, brain.SampledVectors)
	for stored := range slices.Chunk(sample, 4*m.dimensions) {
		cosines = append(cosines, cosineOf(v.Values, stored))
	}
	near.Spread = brain.SpreadOf(cosines)
	blocks, err := collect(t, func(b *codeBlock) []any { return []any{&b.no, &b.bits} }, `SELECT block, bits FROM code WHERE brain = ?`, t.s.brain)
	dest := func(r *vectorRow) []any { return []any{&r.doc, &r.value} }
	blocks = slices.DeleteFunc(blocks, func(b codeBlock) bool { return len(b.bits) != (m.dimensions+63)/64*8<<blockBits }) // damaged
	if len(mean) != 4*m.dimensions {
		return near, t.fail(brain.Errorf(ErrDamaged, restoreHint, "compare vectors: those of %s are damaged", t.s.path))
	}
	n, code := max(rescored, q.Limit), encodeCode(decodeVector(mean), v.Values)
	for passing := map[int64]bool(nil); err == nil; { // of all docs; if too few are still there and pass the filter, of those that do
		found = nil
		const query = `SELECT v.doc, v.value FROM json_each(?1) j CROSS JOIN vector v ON v.doc = j.value`
		if err = scan(t, dest, query, []any{distinctJSON(nearestCodes(blocks, code, n, passing))}, add); err == nil {
			near.Hits, err = t.nearestOf(found, q)
		}
		if passing != nil || err != nil || len(near.Hits) == q.Limit && len(found) >= n/2 {
			break
		}
		passing, err = t.passing(q)
	}
	return near, err
}

// passing returns the docs that pass the filter of a search. Sections of transcripts, which have no
// vector, are not read.
func (t *tx) passing(q brain.SearchQuery) (map[int64]bool, error) {
	passing := map[int64]bool{}
	read := func(from string, c conditions) error {
		return scan(t, func(doc *int64) []any { return []any{doc} }, "SELECT m.doc FROM "+from+" AND "+c.String(), append([]any{t.s.brain}, c.args...), func(doc int64) error {
			passing[doc] = true
			return nil
		})
	}
	err := read("memory m INDEXED BY memory_doc WHERE m.brain = ?", memoryConditions(q))
	if c, some := sectionConditions(q); some && err == nil {
		err = read("doc d CROSS JOIN section m ON m.doc = d.doc WHERE d.brain = ? AND d.past = 0 AND d.talk = 0", c)
	}
	return passing, err
}

// nearestOf returns the best docs that pass the filter of a search.
func (t *tx) nearestOf(found []scoredDoc, q brain.SearchQuery) ([]brain.Hit, error) {
	slices.SortFunc(found, func(a, b scoredDoc) int { return cmp.Compare(b.score, a.score) })
	return t.resolve(q, q.Limit, func(n int) ([]scoredDoc, error) { return found[:min(n, len(found))], nil })
}

// Cosines reads vectors by the ids of their texts.
func (t *tx) Cosines(v brain.Vector, ids ...string) (map[string]float64, error) {
	m, err := t.modelNamed(v.Model)
	if err != nil || m.no == 0 || m.dimensions != len(v.Values) {
		return nil, err
	}
	dest := func(r *vectorRow) []any { return []any{&r.id, &r.value} }
	const query = `SELECT m.id, v.value FROM json_each(?1) j CROSS JOIN memory m ON m.brain = ?2 AND m.id = j.value CROSS JOIN vector v ON v.doc = m.doc
		UNION ALL SELECT m.id, v.value FROM json_each(?1) j CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value CROSS JOIN vector v ON v.doc = m.doc`
	cosines := map[string]float64{}
	err = scan(t, dest, query, []any{distinctJSON(ids), t.s.brain}, func(r vectorRow) error {
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
	if len(stored) != 4*len(v) { // damaged
		return 0
	}
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
