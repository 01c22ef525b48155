package sqlite

import (
	"cmp"
	"database/sql"
	"errors"
	"math"

	"github.com/brainbridge/brainbridge/brain"
)

const (
	// exactVectors is the number of vectors up to which a search compares them all. Reading
	// one takes some 3 µs.
	exactVectors = 2000
	// rescored is the number of vectors that are compared exactly, of those that have codes. Of
	// 28,000 paragraphs, 500 hold 99.9 % of the ten nearest and 98.6 % of the fifty nearest,
	// 1,000 hold 100 % and 99.6 %, and the first query of a process takes 3 ms more.
	rescored = 500
)

// model is the embedding model whose vectors a brain has.
type model struct {
	name                string
	no                  int64
	dimensions, vectors int
	coded               int // number of vectors when its codes were made, 0 without codes
}

// model returns the model of the brain; its number is 0 if there is none.
func (t *tx) model() (m model, err error) {
	const query = `SELECT name, no, dimensions, vectors, coded FROM model WHERE brain = ?`
	err = t.c.one(t.ctx, query, []any{t.s.brain}, &m.name, &m.no, &m.dimensions, &m.vectors, &m.coded)
	if errors.Is(err, sql.ErrNoRows) {
		return model{}, nil
	}
	return m, t.fail(err)
}

// modelNamed returns the model of the brain if it has this name; its number is 0 if not.
func (t *tx) modelNamed(name string) (model, error) {
	m, err := t.model()
	if m.name != name {
		return model{}, err
	}
	return m, err
}

// The texts of a brain without a vector of a model, and their docs. Each model has a higher number
// than those before it.
const (
	otherModels = `FROM doc WHERE past = 0 AND talk = 0 AND brain = ?2 AND model < ?1`

	vectorCountsQuery = `SELECT (SELECT count(*) FROM doc WHERE past = 0 AND talk = 0 AND brain = ?2 AND model = ?1), (SELECT count(*) ` + otherModels + `)`

	unembeddedQuery = `SELECT ` + memoryPassage + `(SELECT doc ` + otherModels + ` LIMIT +?3) j CROSS JOIN memory m ON m.brain = ?2 AND m.doc = j.doc AND ` + isCurrent + `
		UNION ALL SELECT ` + sectionPassage + `(SELECT doc ` + otherModels + ` LIMIT +?3) j CROSS JOIN section m ON m.doc = j.doc`

	embeddableQuery = `SELECT ` + memoryPassage + `json_each(?1) j CROSS JOIN memory m ON m.brain = ?2 AND m.id = j.value AND ` + isCurrent + `
		UNION ALL SELECT ` + sectionPassage + `json_each(?1) j CROSS JOIN section m ON m.brain = ?2 AND m.id = j.value AND m.transcript = 0`

	// noModel is the number of a model that none of the docs has yet.
	noModel = math.MaxInt64
)

// Vectors counts in an index.
func (t *tx) Vectors(name string) (v brain.Vectors, err error) {
	m, err := t.model()
	if v.Model = m.name; err != nil || name == "" {
		return v, err
	}
	no := int64(noModel)
	if m.name == name && m.no != 0 {
		no = m.no
	}
	err = t.one(vectorCountsQuery, []any{no, t.s.brain}, &v.With, &v.Without)
	return v, err
}

// Unembedded reads an index. Copies of one text have one vector.
func (t *tx) Unembedded(name string, limit int) ([]brain.Passage, error) {
	m, err := t.modelNamed(name)
	if err != nil {
		return nil, err
	}
	return t.passages(unembeddedQuery, cmp.Or(m.no, noModel), t.s.brain, limit)
}

// docsOf returns the docs of texts that are as they were.
func (t *tx) docsOf(es []brain.Embedded) (map[string]int64, error) {
	ids := make([]string, len(es))
	was := map[string]brain.IndexedText{}
	for i, e := range es {
		ids[i], was[e.ID] = e.ID, e.Text
	}
	now, err := byKeys(t, (*passageRow).dest, embeddableQuery, ids)
	docs := map[string]int64{}
	for _, r := range now {
		if p := r.passage(); p.Text == was[p.ID] {
			docs[p.ID] = r.doc
		}
	}
	return docs, err
}

// PutVectors stores vectors, and codes if the brain has many.
func (t *tx) PutVectors(name string, es ...brain.Embedded) error {
	if len(es) == 0 {
		return nil
	}
	dimensions := 0
	for _, e := range es {
		dimensions = max(dimensions, len(e.Values))
	}
	m, err := t.takeModel(name, dimensions)
	if err != nil {
		return err
	}
	docs, err := t.docsOf(es)
	if err != nil {
		return err
	}
	vectors := map[int64][]float32{}
	for _, e := range es {
		doc, same := docs[e.ID]
		if len(e.Values) != m.dimensions && len(e.Values) > 0 {
			return t.fail(brain.Errorf(brain.ErrInvalid, "use the endpoint that made the others, or give the model another name",
				"the vectors of the model %s have %d dimensions, and this one has %d", name, m.dimensions, len(e.Values)))
		}
		if !same {
			continue
		}
		t.exec(`UPDATE doc SET model = ? WHERE doc = ?`, m.no, doc)
		if len(e.Values) > 0 {
			t.exec(`INSERT OR REPLACE INTO vector (doc, brain, value) VALUES (?, ?, ?)`, doc, t.s.brain, encodeVector(e.Values))
			vectors[doc] = e.Values
		}
	}
	m.vectors += len(vectors)
	t.exec(`UPDATE model SET vectors = ? WHERE no = ?`, m.vectors, m.no)
	switch {
	case m.vectors > max(t.s.exact, 2*m.coded):
		return t.makeCodes(m)
	case m.coded > 0:
		return t.putCodes(m, vectors)
	}
	return t.changes.failed
}

// dropVectors deletes the model of the brain and its vectors.
func (t *tx) dropVectors() {
	t.exec(`DELETE FROM model WHERE brain = ?`, t.s.brain)
	t.exec(`DELETE FROM vector WHERE brain = ?`, t.s.brain)
	t.dropCodes()
}

// takeModel returns the model with a name. If the brain has another one, it takes its
// place, and the vectors of that one go.
func (t *tx) takeModel(name string, dimensions int) (model, error) {
	m, err := t.modelNamed(name)
	if err != nil || m.no != 0 {
		return m, err
	}
	if dimensions == 0 {
		return m, t.fail(brain.Errorf(brain.ErrInvalid, "embed a text that the model takes first", "the model %s takes none of the texts", name))
	}
	t.dropVectors()
	t.exec(`INSERT INTO model (brain, name, dimensions, vectors, coded) VALUES (?, ?, ?, 0, 0)`, t.s.brain, name, dimensions)
	return t.modelNamed(name)
}
