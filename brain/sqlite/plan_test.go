package sqlite

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// hotQueries are the queries whose cost must not grow with the store (but for
// Counts).
func hotQueries(x *tx) map[string]string {
	full := brain.SearchQuery{
		AsOf: time.Now(), ActiveOnly: time.Now(), Types: []string{"a"}, Tiers: []tiers.Tier{tiers.Core},
		Tags: []string{"a"}, Project: new(string), Since: time.Now(), Until: time.Now(),
	}
	timed := brain.SearchQuery{Since: time.Now(), Until: time.Now()}
	queries := map[string]string{
		"Memories":               memoriesByID(),
		"Matching":               matchingQuery,
		"Counts":                 tallyQuery,
		"Counts, faded":          fadedQuery,
		"Written":                writtenQuery(),
		"Sources":                sources().byColumn("id"),
		"Sections":               sections().byColumn("id"),
		"SectionsByFile":         sections().byFile(),
		"Relations":              relationsQuery,
		"Records":                recordsByID,
		"ListRecords, by owner":  recordsBy(brain.ByOwner),
		"ListRecords, by key":    recordsBy(brain.ByKey),
		"ListRecords, latest":    latestRecords(brain.RunRecord, false),
		"ListRecords, before":    latestRecords(brain.RunRecord, true),
		"Search, rank":           rankQuery(false),
		"Search, frequencies":    statisticsQuery(true),
		"StandIns":               vocabularyQuery,
		"embed":                  embeddableQuery,
		"Neighbours":             neighboursQuery(),
		"Unembedded":             unembeddedQuery,
		"Vectors":                vectorCountsQuery,
		"Search, memories":       lookups(1, brain.SearchQuery{})[0].query,
		"Search, all filters":    lookups(1, full)[0].query,
		"Search, memories, time": lookups(1, timed)[0].query,
		"Search, sections":       lookups(1, timed)[1].query,
		"index, docs":            docStateQuery,
		"relations, ends":        endsQuery,
		"relations, delete":      deleteRelationsQuery("to_id"),
		"relations, delete one":  deleteRelation,
		"relations, delete from": deleteRelationsQuery("from_id"),
	}
	queries["ListMemories, fresh"], _ = x.listQuery(brain.ListFilter{Group: brain.FreshOthers, Project: new(string)})
	queries["ListMemories, fresh, all projects"], _ = x.listQuery(brain.ListFilter{Group: brain.FreshOthers})
	for name, f := range listFilters() {
		queries["ListMemories, "+name], _ = x.listQuery(f)
	}
	for name, f := range sourceFilters() {
		queries["ListSources, "+name], _ = x.listSources(f)
	}
	return queries
}

func listFilters() map[string]brain.ListFilter {
	project := "p"
	return map[string]brain.ListFilter{
		"all":         {After: "x"},
		"of tiers":    {After: "x", Tiers: tiers.All()},
		"fallen due":  {After: "x", Due: time.Now()},
		"by entity":   {By: brain.ByEntity, Keys: []string{"a"}},
		"by name":     {By: brain.ByName, Keys: []string{"a"}},
		"by text":     {By: brain.ByText, Keys: []string{"a"}},
		"entities":    {Entities: true},
		"newest":      {Newest: true},
		"plain":       {Tier: tiers.Working},
		"due":         {Tier: tiers.Working, DueOnly: true},
		"unexpired":   {Tier: tiers.Working, Unexpired: time.Now()},
		"faded":       {Tier: tiers.Working, Faded: time.Now()},
		"project":     {Tier: tiers.LongTerm, Unexpired: time.Now(), Project: &project},
		"type":        {Tier: tiers.Expired, DueOnly: true, Type: "t", Unexpired: time.Now()},
		"in working":  {Tier: tiers.Working, Unexpired: time.Now(), Project: &project},
		"young type":  {Tier: tiers.ShortTerm, Type: "t", Unexpired: time.Now()},
		"due of type": {Tier: tiers.ShortTerm, DueOnly: true, Type: "t"},
		"everything": {
			Tier: tiers.Core, Unexpired: time.Now(), Type: "t", Tag: "g",
			Project: &project, Since: time.Now(),
		},
	}
}

func sourceFilters() map[string]brain.SourceFilter {
	return map[string]brain.SourceFilter{
		"all":      {},
		"kind":     {Kind: brain.Learning},
		"by key":   {By: brain.ByKey, Keys: []string{"a"}},
		"by title": {By: brain.ByTitle, Keys: []string{"a"}},
		"by file":  {By: brain.ByFile, Dir: "d", Keys: []string{"a"}},
		"open":     {Open: true},
	}
}

// sorts are the queries that return what was asked for by key in another
// order, or merge a few lists: they sort their few rows.
var sorts = []string{
	"ListMemories, by name", "ListMemories, by text", "ListMemories, by entity", "ListMemories, entities", "ListMemories, newest", "ListMemories, fallen due", "ListSources, by file", "ListSources, by title", "ListSources, by key", "SectionsByFile", "ListRecords, by owner", "ListRecords, by key",
	"index, docs", "Search, rank",
}

func TestPlansReadNoWholeTable(t *testing.T) {
	s := planStore(t)
	whole := regexp.MustCompile(`^SCAN (j|best|g|t|w|newer|json_each|\w+ VIRTUAL TABLE|\(subquery|CONSTANT)`)
	for name, q := range hotQueries(&tx{s: s}) {
		if strings.Contains(q, "LIMIT ?") {
			t.Errorf("%s: a bare parameter as limit, write LIMIT +?", name)
		}
		for _, line := range plan(t, s, q) {
			scan := strings.HasPrefix(line, "SCAN") && !whole.MatchString(line)
			if scan || strings.Contains(line, "AUTOMATIC") {
				t.Errorf("%s: %s", name, line)
			}
			if strings.Contains(line, "TEMP B-TREE FOR ORDER BY") && !slices.Contains(sorts, name) {
				t.Errorf("%s sorts: %s", name, line)
			}
		}
	}
}

// TestPlansUseTheirIndex: a query that is driven by another index is right,
// but reads far more.
func TestPlansUseTheirIndex(t *testing.T) {
	s := planStore(t)
	queries := hotQueries(&tx{s: s})
	for name, want := range map[string]string{
		"Memories":                          "memory_id (brain=? AND id=?)",
		"ListMemories, by entity":           "memory_entity (brain=? AND entity_key=?)",
		"ListMemories, by text":             "memory_text (brain=? AND text_key=?)",
		"ListMemories, entities":            "memory_entity (brain=?",
		"ListMemories, newest":              "memory_name (brain=?)",
		"ListMemories, by name":             "memory_name (brain=? AND name_key=?)",
		"ListMemories, all":                 "memory_id (brain=? AND id>?)",
		"ListMemories, plain":               "memory_strength (brain=? AND tier=?)",
		"ListMemories, due":                 "memory_due_strength (brain=? AND tier=?)",
		"ListMemories, unexpired":           "memory_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, of tiers":            "memory_id (brain=? AND id>?)",
		"ListMemories, fallen due":          "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
		"ListMemories, faded":               "memory_strength (brain=? AND tier=? AND <expr><?)",
		"ListMemories, project":             "memory_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, type":                "memory_due_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, everything":          "memory_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, in working":          "memory_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, young type":          "memory_strength (brain=? AND tier=? AND <expr>>?)",
		"ListMemories, due of type":         "memory_due_strength (brain=? AND tier=?)",
		"Counts":                            "PRIMARY KEY (brain=?)",
		"Counts, faded":                     "memory_strength (brain=? AND tier=? AND <expr><?)",
		"ListMemories, fresh":               "memory_fresh (brain=? AND fresh_group=? AND fresh>?)",
		"ListMemories, fresh, all projects": "memory_fresh (brain=? AND fresh_group=? AND fresh>?)",
		"Written":                           "memory_doc (brain=? AND doc>?)",
		"ListSources, by file":              "source_file (brain=? AND dir=? AND file=?)",
		"ListSources, by title":             "source_title (brain=? AND title_key=?)",
		"ListSources, open":                 "source_open (brain=?)",
		"ListSources, kind":                 "source_kind (brain=? AND kind=?)",
		"SectionsByFile":                    "section_file (brain=? AND dir=? AND file=?)",
		"Relations":                         "relation_to (brain=? AND to_id=?)",
		"relations, delete one":             "PRIMARY KEY (brain=? AND from_id=? AND type=? AND to_id=?)",
		"ListRecords, by owner":             "record_owner (brain=? AND kind=? AND owner=?)",
		"ListRecords, by key":               "record_key (brain=? AND kind=? AND key=?)",
		"ListRecords, latest":               "record_at (brain=? AND kind=?)",
		"ListRecords, before":               "record_at (brain=? AND kind=? AND at<?)",
		"Search, memories":                  "memory_doc (brain=? AND doc=?)",
		"Search, all filters":               "memory_doc (brain=? AND doc=?)",
		"Search, sections":                  "section_doc (doc=?)",
		"Search, rank":                      "SCAN words VIRTUAL TABLE INDEX 0:M3",
		"Search, frequencies":               "SCAN c VIRTUAL TABLE INDEX 259",
		"Vectors":                           "COVERING INDEX doc_model (brain=? AND model=?)",
		"index, docs":                       "memory_doc (brain=? AND doc=?)",
	} {
		if p := strings.Join(plan(t, s, queries[name]), "\n"); !strings.Contains(p, want) {
			t.Errorf("%s: plan has no %q:\n%s", name, want, p)
		}
	}
}

// A dump reads the tables in their own order, without sorting.
func TestDumpsDoNotSort(t *testing.T) {
	s := planStore(t)
	for _, q := range []string{memories().everything(), records().everything(), everyRelation} {
		if p := strings.Join(plan(t, s, q), "; "); strings.Contains(p, "TEMP B-TREE") {
			t.Errorf("%s: %s", q, p)
		}
	}
}

// planStore has rows and statistics that would tempt the planner.
func planStore(t *testing.T) *Store {
	s := open(t, filepath.Join(t.TempDir(), "brain.db"), "plans")
	must(t, s.Update(t.Context(), func(x brain.Tx) error {
		for i := range 20 {
			if err := scanBatch(x, newCorpus(uint64(i)), i, 20); err != nil {
				return err
			}
		}
		return nil
	}))
	var hits []brain.Hit
	must(t, s.View(t.Context(), func(r brain.Reader) (err error) {
		hits, err = r.Search(brain.SearchQuery{Words: words.Parse(newCorpus(0).text(3)), Limit: 3})
		return err
	}))
	if len(hits) == 0 {
		t.Fatal("the fixture finds nothing")
	}
	return s
}

func plan(t *testing.T, s *Store, query string) []string {
	t.Helper()
	c, err := s.pool.take(t.Context(), s.pool.readers)
	must(t, err)
	defer s.pool.give(c, s.pool.readers)
	args := make([]any, parameters(query))
	rows, err := c.c.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	must(t, err)
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		must(t, rows.Scan(&id, &parent, &unused, &line))
		out = append(out, line)
	}
	must(t, rows.Err())
	return out
}

// parameters counts the parameters of a query, ? or ?N.
func parameters(query string) int {
	n := strings.Count(query, "?")
	for _, numbered := range []string{"?5", "?4", "?3", "?2", "?1"} {
		if strings.Contains(query, numbered) {
			return int(numbered[1] - '0')
		}
	}
	return n
}
