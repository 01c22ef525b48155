package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// vectorModel is the property with the name of the embedding model, noVector for texts that
// are to get a vector. Other nodes do not have it.
const (
	vectorModel = "vectorModel"
	noVector    = ""
)

// vectorProperty returns the property with the vectors of a number of dimensions, which have
// indexes of their own. Brains share them: hits are filtered.
func vectorProperty(dimensions int) string { return fmt.Sprintf("vector%d", dimensions) }

func vectorIndexes(dimensions int) (all []definition) {
	for _, label := range []string{memoryLabel, sectionLabel} {
		d := index(strings.ToLower(label)+"_"+vectorProperty(dimensions), label, vectorProperty(dimensions))
		d.kind, d.config = "VECTOR", map[string]any{"vector.dimensions": dimensions, "vector.similarity_function": "cosine"}
		all = append(all, d)
	}
	return all
}

const setDimensions = "MATCH (b:BrainbridgeBrain {name: $brain}) SET b.dimensions = $dimensions RETURN count(b)"

// makeVectorIndexes creates the indexes over vectors with a number of dimensions, and records
// that number for the brain.
func (s *Store) makeVectorIndexes(ctx context.Context, dimensions int) error {
	if err := s.define(ctx, vectorIndexes(dimensions)...); err != nil {
		return fmt.Errorf("make the index over vectors: %w", err)
	}
	err := s.awaitIndexes(ctx)
	if err == nil {
		_, err = s.count(ctx, setDimensions, map[string]any{"dimensions": dimensions})
	}
	if err == nil {
		s.dimensions.Store(int64(dimensions))
	}
	return err
}

// indexError ends a transaction that needs indexes over vectors, because they are created
// outside of transactions.
type indexError struct{ dimensions int }

func (e *indexError) Error() string {
	return fmt.Sprintf("there is no index over vectors of %d dimensions", e.dimensions)
}

// eachText returns a query with each part for memories and for sections.
func eachText(parts ...string) string {
	var all []string
	for _, part := range parts {
		all = append(all, strings.ReplaceAll(part, "LABEL", memoryLabel), strings.ReplaceAll(part, "LABEL", sectionLabel))
	}
	return "CALL () {\n" + strings.Join(all, "\nUNION ALL\n") + "\n}\n"
}

// modelled matches texts whose model compares with $model in this way: a range of an index.
func modelled(operator string) string {
	return "MATCH (n:LABEL) WHERE n.brain = $brain AND n." + vectorModel + " " + operator + " $model RETURN "
}

func vectorCountsCypher() string {
	const with, without = "count(n) AS vectors, 0 AS missing", "0 AS vectors, count(n) AS missing"
	return eachText(modelled("=")+with, modelled("<")+without, modelled(">")+without) + "RETURN sum(vectors), sum(missing)"
}

func vectorModelCypher() string {
	return eachText("MATCH (n:LABEL) WHERE n.brain = $brain AND n."+vectorModel+" > '' RETURN n LIMIT 1") + "RETURN n." + vectorModel + " LIMIT 1"
}

// Vectors reads the model of one text, and counts in the indexes over models.
func (t *tx) Vectors(model string) (v brain.Vectors, err error) {
	rows, err := t.query(vectorModelCypher(), nil)
	if err == nil && len(rows) > 0 {
		v.Model = value[string](rows[0], 0)
	}
	if err != nil || model == "" {
		return v, err
	}
	rows, err = t.query(vectorCountsCypher(), map[string]any{"model": model})
	if err == nil && len(rows) > 0 {
		v.With, v.Without = int(value[int64](rows[0], 0)), int(value[int64](rows[0], 1))
	}
	return v, err
}

func unembeddedCypher() string {
	return eachText(modelled("<")+"n LIMIT $limit", modelled(">")+"n LIMIT $limit") + "WITH n LIMIT $limit" + asPassages
}

// Unembedded reads the indexes over models.
func (t *tx) Unembedded(model string, limit int) ([]brain.Passage, error) {
	return t.passages(unembeddedCypher(), map[string]any{"model": model, "limit": limit})
}

// putVectors stores vectors of nodes whose text has not changed.
const putVectors = "UNWIND $rows AS row MATCH (n:LABEL {brain: $brain, id: row.id}) SET n._lock = true REMOVE n._lock WITH n, row WHERE n.words = row.words\n" +
	"FOREACH (k IN [k IN keys(n) WHERE k =~ 'vector[0-9]+'] | REMOVE n[k]) SET n." + vectorModel + " = $model WITH n, row WHERE row.vector IS NOT NULL CALL db.create.setNodeVectorProperty(n, $property, row.vector)"

func (t *tx) PutVectors(model string, es ...brain.Embedded) error {
	if len(es) == 0 {
		return nil
	}
	dimensions := 0
	for _, e := range es {
		dimensions = max(dimensions, len(e.Values))
	}
	other := slices.ContainsFunc(es, func(e brain.Embedded) bool { return len(e.Values) > 0 && len(e.Values) != dimensions })
	indexed := dimensions == 0 || t.store.dimensions.Load() == int64(dimensions)
	if !indexed && !other {
		rows, err := t.query(otherDimensions(), map[string]any{"model": model, "property": vectorProperty(dimensions)})
		if err != nil {
			return err
		}
		other = len(rows) == 1 && value[int64](rows[0], 0) > 0
	}
	switch {
	case other:
		return brain.Errorf(brain.ErrInvalid, "use the endpoint that made the others, or give the model another name",
			"a vector has other dimensions (%d) than those that the model %s made before", dimensions, model)
	case !indexed:
		return &indexError{dimensions}
	}
	rows := map[string][]any{}
	for _, e := range es {
		label := memoryLabel
		if e.Section {
			label = sectionLabel
		}
		rows[label] = append(rows[label], map[string]any{"id": e.ID, "words": indexedWords(e.Text), "vector": vectorParam(e.Values)})
	}
	for label, some := range rows {
		params := map[string]any{"rows": some, "model": model, "property": vectorProperty(dimensions)}
		if _, err := t.query(strings.ReplaceAll(putVectors, "LABEL", label), params); err != nil {
			return err
		}
	}
	return nil
}

// otherDimensions returns a query for a text with a vector of the model that has another
// dimension.
func otherDimensions() string {
	return eachText(modelled("=")+"n LIMIT 1") +
		"WITH n LIMIT 1 WHERE any(k IN keys(n) WHERE k =~ 'vector[0-9]+' AND k <> $property) RETURN count(n)"
}

// vectorParam returns a vector as a parameter, nil for none.
func vectorParam(values []float32) any {
	if len(values) == 0 {
		return nil
	}
	return brain.Map(values, func(v float32) float64 { return float64(v) })
}

// cosine is that of the vector of n with $vector, between -1 and 1.
const cosine = "2 * vector.similarity.cosine(n[$property], $vector) - 1"

func spreadCypher() string {
	return eachText(modelled("=")+"n LIMIT $sample") +
		"WITH n WHERE n[$property] IS NOT NULL WITH " + cosine + " AS cosine RETURN count(cosine), avg(cosine), stDevP(cosine)"
}

const (
	// nearestCypher asks the indexes over vectors, and compares what they find exactly.
	nearestCypher = "UNWIND $indexes AS index CALL db.index.vector.queryNodes(index, $fetch, $vector) YIELD node\n" +
		"WITH node AS n WHERE " + passes + nearestFirst
	nearestFirst  = " AND n[$property] IS NOT NULL WITH n, " + cosine + " AS score, true AS passes ORDER BY score DESC, n.id LIMIT $limit\n" + returnHits
	cosinesCypher = "UNWIND $ids AS id CALL (id) { MATCH (n:Memory {brain: $brain, id: id}) RETURN n UNION ALL MATCH (n:Section {brain: $brain, id: id}) RETURN n }\n" +
		"WITH n WHERE n." + vectorModel + " = $model AND n[$property] IS NOT NULL RETURN n.id, " + cosine

	// exactTexts is the number of texts that pass a filter up to which all of them are compared.
	exactTexts = 2000
	// wider is how many times more texts are requested than needed at first, because brains share
	// the indexes, some do not match the filter, and the indexes are approximate; mostFetched is
	// the number that is requested if too few pass.
	wider, mostFetched = 5, 2000
)

// fewCypher returns a query that compares all texts that pass, none if there are more than a few.
func fewCypher() string {
	return eachText("MATCH (n:LABEL) WHERE n.brain = $brain AND n."+vectorModel+" = $model AND "+passes+" RETURN n LIMIT $exact + 1") +
		"WITH collect(n) AS few WHERE size(few) <= $exact UNWIND few AS n WITH n WHERE true" + nearestFirst
}

// Nearest compares all texts that pass the filter, or asks the indexes over vectors if they are
// many. Those know nothing of brains, so a few texts beside many of another brain are compared.
func (t *tx) Nearest(v brain.Vector, q brain.SearchQuery) (near brain.Nearest, err error) {
	property := vectorProperty(len(v.Values))
	params := searchParams(q)
	params["model"], params["property"], params["vector"], params["sample"] = v.Model, property, vectorParam(v.Values), brain.SampledVectors
	spread, err := t.query(spreadCypher(), params)
	if err != nil || len(spread) == 0 || value[int64](spread[0], 0) == 0 || q.Limit <= 0 {
		return near, err
	}
	params["indexes"] = brain.Map(vectorIndexes(len(v.Values)), func(d definition) string { return d.name })
	params["exact"], params["limit"] = exactTexts, q.Limit
	near.Spread = brain.NewSpread(int(value[int64](spread[0], 0)), value[float64](spread[0], 1), value[float64](spread[0], 2))
	_, near.Hits, err = t.hits(fewCypher(), params)
	if err != nil || len(near.Hits) > 0 {
		return near, err
	}
	for fetch := wider * q.Limit; ; fetch = mostFetched {
		params["fetch"] = fetch
		_, near.Hits, err = t.hits(nearestCypher, params)
		if err != nil || len(near.Hits) == q.Limit || fetch >= mostFetched {
			return near, err
		}
	}
}

// Cosines compares vectors on the server, which need not send them.
func (t *tx) Cosines(v brain.Vector, ids ...string) (map[string]float64, error) {
	params := map[string]any{"ids": brain.Unique(ids), "model": v.Model, "property": vectorProperty(len(v.Values)), "vector": vectorParam(v.Values)}
	rows, err := t.query(cosinesCypher, params)
	cosines := make(map[string]float64, len(rows))
	for _, r := range rows {
		cosines[value[string](r, 0)] = value[float64](r, 1)
	}
	return cosines, err
}
