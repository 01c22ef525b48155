package neo4j

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// Table is the answer to a query, with values for JSON (null, truth values, numbers,
// texts, lists, maps).
type Table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Query runs Cypher of a person, for reading unless write. The parameter $brain is
// the name of this brain, unless it is given; nothing else limits the query to it. A query
// that writes or reads anything but the graph without permission, or that the server does
// not understand, is [brain.ErrInvalid], and nothing of it is stored. A write runs once;
// after [brain.ErrUnavailable] it may be stored.
func (s *Store) Query(ctx context.Context, cypher string, params map[string]any, write bool) (Table, error) {
	leave, err := s.enter()
	if err != nil {
		return Table{}, err
	}
	defer leave()
	all := map[string]any{"brain": s.brain}
	maps.Copy(all, params)
	mode := driver.AccessModeRead
	if write {
		if err := s.Writable(); err != nil {
			return Table{}, err
		}
		mode = driver.AccessModeWrite
	}
	var answer driver.EagerResult
	began := time.Now()
	if !write {
		err = s.checkReadOnly(ctx, cypher, all)
	}
	if err == nil {
		answer, err = s.auto(ctx, s.timeout, mode, cypher, all)
	}
	switch {
	case err == nil:
		t := tableOf(answer.Records)
		t.Columns = answer.Keys // also without rows
		return t, nil
	case errors.Is(err, brain.ErrInvalid):
		return Table{}, err
	case ctx.Err() != nil:
		return Table{}, fmt.Errorf("neo4j at %s: %w", s.uri, ctx.Err())
	case kindOf(err) == invalid || kindOf(err) == duplicate:
		return Table{}, brain.Errorf(brain.ErrInvalid, "", "the query cannot be run: %v", innermost(err))
	}
	if kindOf(err) == unreachable && time.Since(began) >= s.timeout {
		if _, away := s.auto(ctx, answerTimeout, driver.AccessModeRead, "RETURN 1", nil); away == nil {
			return Table{}, brain.Errorf(brain.ErrUnavailable, "limit what it matches, or run it in Neo4j's browser",
				"the query took longer than %v and was ended; what CALL … IN TRANSACTIONS had committed by then is stored", s.timeout)
		}
	}
	return Table{}, s.explain(err)
}

// tableOf returns the columns and values of rows.
func tableOf(rows []*driver.Record) (t Table) {
	for _, r := range rows {
		t.Columns, t.Rows = r.Keys, append(t.Rows, brain.Map(r.Values, plainValue))
	}
	return t
}

// vectorName matches the names of [vectorProperty].
var vectorName = regexp.MustCompile(`^vector\d+$`)

// plainValue returns a value of the graph for JSON.
func plainValue(v any) any {
	switch v := v.(type) {
	case driver.Node:
		p := plainMap(v.Props)
		maps.DeleteFunc(p, func(name string, value any) bool { // only the indexes need them
			_, isList := value.([]any)
			return name == wordsKey || name == talkKey || isList && vectorName.MatchString(name)
		})
		return map[string]any{"labels": v.Labels, "properties": p}
	case driver.Relationship:
		return map[string]any{"type": v.Type, "properties": plainMap(v.Props)}
	case driver.Path: // its nodes and relationships in turn
		var parts []any
		for i, n := range v.Nodes {
			if i > 0 && i <= len(v.Relationships) {
				parts = append(parts, plainValue(v.Relationships[i-1]))
			}
			parts = append(parts, plainValue(n))
		}
		return parts
	case []any:
		return brain.Map(v, plainValue)
	case map[string]any:
		return plainMap(v)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case fmt.Stringer: // dates, local times, durations and points
		return v.String()
	}
	return v
}

func plainMap(m map[string]any) map[string]any {
	plain := make(map[string]any, len(m))
	for k, v := range m {
		plain[k] = plainValue(v)
	}
	return plain
}
