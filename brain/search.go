package brain

import (
	"time"

	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// Searcher finds memories and sections by their words.
type Searcher interface {
	// Search returns the best hits that pass the filter by BM25 over name (weight
	// 2), content (1) and tags (1), best first, ties by id, at most Limit, however
	// many better ones do not pass. One finding word is enough for a hit; every
	// phrase must occur. A word that occurs in very many nodes only adds to the
	// score if the query has two rarer ones.
	//
	// Sections of transcripts are a separate collection: they do not affect the
	// scores of other nodes, nor these theirs.
	Search(q SearchQuery) ([]Hit, error)

	// StandIns returns terms to search in place of those of the given ones that are in
	// no live or expired memory and no section of a note: at most [words.MaxStandIns]
	// for each, best first, see [words.StandIns]. The caller gives only terms for which
	// [words.HasStandIns] is true. Neo4j compares the terms of the 200 texts that match best.
	StandIns(terms ...string) ([]words.StandIn, error)
}

// SearchQuery has the text and the filters of a search.
type SearchQuery struct {
	Words words.Query
	// AsOf zero: memories that are live or expired now. Else every memory that
	// was valid at that instant (validFrom ≤ AsOf < validTo; the validTo of an
	// expiry does not count), including archived and superseded ones.
	AsOf       time.Time
	NoSections bool
	// Transcripts searches sections of transcripts only, whatever NoSections is.
	// No other search finds them.
	Transcripts bool
	ActiveOnly  time.Time // not zero: only memories not expired at that instant
	// Types, Tiers and Tags exclude sections, which have none. [SectionType] among
	// Types includes them.
	Types   []string
	Tiers   []tiers.Tier
	Tags    []string  // all of them
	Project *string   // nil: any; pointer to "": no project
	Since   time.Time // created (of a section: modified) at or after
	Until   time.Time // and before
	// Share allows the store to leave out hits with less than this share of the
	// finding words, each weighted by how rare it is, and to choose any of those with
	// the score of the last hit. 0: all are wanted, the lowest ids first.
	Share float64
	Limit int
}

// Hit is one result of a search.
type Hit struct {
	ID         string
	Section    bool
	MemoryType string // "" for a section
	Project    string
	Score      float64 // BM25, above 0, higher is better; comparable within one result only
}
