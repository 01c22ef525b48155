package neo4j

import (
	"context"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// The full-text indexes: that of transcripts is one by itself, because talk is
// far more than notes. Their analyzer cuts at blanks and nowhere else, because
// the terms are made in Go, the same for every store.
const (
	wordsIndex    = "brainbridge_words"
	talkIndex     = "brainbridge_talk"
	wordsAnalyzer = "whitespace"
)

// fulltext is a full-text index as it should be.
type fulltext struct {
	name           string
	labels, fields []string
}

// fulltexts are the full-text indexes, by the version whose step makes them.
func fulltexts() map[int]fulltext {
	return map[int]fulltext{
		2: {wordsIndex, []string{memoryLabel, sectionLabel}, wordsFields()},
		4: {talkIndex, []string{sectionLabel}, talkFields()},
	}
}

func (f fulltext) create() string {
	return "CREATE FULLTEXT INDEX " + f.name + " IF NOT EXISTS FOR (n:" + strings.Join(f.labels, "|") + ") " +
		"ON EACH [n." + strings.Join(f.fields, ", n.") + "] " +
		"OPTIONS {indexConfig: {`fulltext.analyzer`: '" + wordsAnalyzer + "', `fulltext.eventually_consistent`: false}}"
}

const readWords = `SHOW FULLTEXT INDEXES YIELD name, labelsOrTypes, properties, options WHERE name = $name
RETURN labelsOrTypes, properties, options.indexConfig['fulltext.analyzer']`

// state returns whether a full-text index is there, and whether it is as it
// should be: one with another analyzer under the same name or over the same
// properties makes the server keep it silently.
func (s *Store) state(ctx context.Context, f fulltext) (there, right bool, err error) {
	rows, err := s.ask(ctx, driver.AccessModeRead, readWords, map[string]any{"name": f.name})
	if err != nil || len(rows) == 0 {
		return false, false, err
	}
	labels := props{"v": rows[0].Values[0]}.list("v")
	properties := props{"v": rows[0].Values[1]}.list("v")
	slices.Sort(labels)
	slices.Sort(properties)
	right = slices.Equal(labels, f.labels) && rows[0].Values[2] == wordsAnalyzer &&
		slices.Equal(properties, slices.Sorted(slices.Values(f.fields)))
	return true, right, nil
}

func (s *Store) dropForeign(ctx context.Context, f fulltext) error {
	there, right, err := s.state(ctx, f)
	if err != nil || !there || right {
		return err
	}
	return s.define(ctx, "DROP INDEX "+f.name+" IF EXISTS")
}

func (s *Store) check(ctx context.Context, f fulltext) error {
	_, right, err := s.state(ctx, f)
	if err == nil && !right {
		return brain.Errorf(brain.ErrRefused, "drop the full-text index over the same labels and properties (SHOW FULLTEXT INDEXES)",
			"the full-text index %s cannot be made in %s: another one is in its place", f.name, s.uri)
	}
	return err
}
