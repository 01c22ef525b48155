// Package storetest is the conformance suite of brain.Store. Every store runs it, and
// callers may rely only on what it checks.
//
// A store's own test is one line, Run with a function that makes a fresh database. The
// package also has what tests above the store need: builders for memories ([Memory],
// [Source], [Section]) and a store that fails on demand ([Failing]). There is no fake
// store, because the embedded store in a temporary folder serves as one.
package storetest

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// Factory opens one more handle on the test's database for a brain, as another
// process would. The suite closes it.
type Factory func(tb testing.TB, brainName string) brain.Store

// Run runs the whole suite on databases that open returns. Groups of tests may share a
// database, because each test names its own brains.
func Run(t *testing.T, open func(tb testing.TB) Factory) {
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			h := harness{open(t)}
			for _, c := range g.cases {
				t.Run(c.name, func(t *testing.T) { c.run(t, h.brain(t)) })
			}
		})
	}
}

// group is a capability of the store; its cases share one database.
type group struct {
	name  string
	cases []testCase
}

// testCase is named for the promise that is broken when it fails.
type testCase struct {
	name string
	run  func(t *testing.T, b *db) // in a brain of its own
}

func groups() []group {
	return []group{
		{"memories", memoryCases()},
		{"unique keys", uniqueCases()},
		{"sources", sourceCases()},
		{"sections", sectionCases()},
		{"relations", relationCases()},
		{"records", recordCases()},
		{"keys", keyCases()},
		{"matching", matchingCases()},
		{"lists", listCases()},
		{"texts in order", writtenCases()},
		{"due and counts", dueCases()},
		{"transactions", transactionCases()},
		{"contexts", contextCases()},
		{"concurrency", concurrencyCases()},
		{"torn reads", tornCases()},
		{"brains apart", brainCases()},
		{"search words", searchWordCases()},
		{"search queries", searchQueryCases()},
		{"search filters", searchFilterCases()},
		{"search of transcripts", transcriptCases()},
		{"search in step", searchStepCases()},
		{"search at an instant", searchAsOfCases()},
		{"search for words that no text has", searchStandInCases()},
		{"passages and statistics for ranking", searchPassageCases()},
		{"vectors", vectorCases()},
		{"search in a large brain", searchLargeCases()},
		{"merges", mergeCases()},
		{"leases", leaseCases()},
		{"dumps", dumpCases()},
		{"mending", mendCases()},
		{"closing", closeCases()},
	}
}
