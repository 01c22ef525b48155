package brain

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

// Searcher finds memories and sections by their words.
type Searcher interface {
	// Search returns the best hits that match the filters, ranked by BM25 over name (weight
	// 2), content (1) and tags (1), best first, ties by id, at most Limit. One word of the
	// query is enough for a hit; every phrase must occur. A store may let a word that
	// occurs in very many nodes only add to the score, or leave it out, if the query has two
	// rarer ones, and it may ignore [words.Query.Weights].
	//
	// Sections of transcripts are a separate collection: they do not affect the scores of
	// other nodes, and vice versa.
	Search(q SearchQuery) ([]Hit, error)

	// StandIns returns terms to search instead of words of [words.Query.Typed] that occur
	// in no live or expired memory and no section of a note, see [Statistics].With: at most
	// [words.MaxStandIns] for each, best first, see [words.StandIns]. Neo4j compares the
	// terms of the 200 texts that match best.
	StandIns(unknown ...string) ([]words.StandIn, error)

	// Statistics returns what ranking needs to know of all texts that a search covers:
	// memories that are live or expired and sections of notes, or those of transcripts.
	Statistics(transcripts bool, terms ...string) (Statistics, error)

	// Neighbours returns the current memories and the sections with the nearest positions
	// in the groups of passages: at least reach of them before and after each if they
	// exist, in any order and without the passages themselves.
	Neighbours(reach int, of ...Passage) ([]Passage, error)
}

// Passage has the fields of a memory or a section that ranking reads.
type Passage struct {
	ID       string
	Section  bool
	Group    string // the group that it is part of, "" for none
	Position int    // in the group
	Project  string
	Text     IndexedText
}

// Passage returns the fields of a memory that ranking reads.
func (m *Memory) Passage() Passage {
	return Passage{ID: m.ID, Group: m.Group, Position: m.Position, Project: m.Project, Text: m.Indexed()}
}

// Passage returns the fields of a section that ranking reads.
func (s *Section) Passage() Passage {
	return Passage{ID: s.ID, Section: true, Group: s.Group, Position: s.Position, Project: s.Project, Text: s.Indexed()}
}

// IndexedText is the text that a memory or a section is found by.
type IndexedText struct {
	Name    string // a word in it counts twice
	Content string
	Rest    string // its tags and date
}

// Indexed returns the text that a memory is found by. A name that is only the beginning
// of the content is left out.
func (m *Memory) Indexed() IndexedText {
	return IndexedText{Name: m.GivenName(), Content: m.Content, Rest: indexedRest(m.Created, m.Tags...)}
}

// Indexed returns the text that a section is found by. Its name is made of its heading, the
// title of its page (the name of the file without a date) and its project. For a transcript
// it is only the heading.
func (s *Section) Indexed() IndexedText {
	name := s.Heading
	if !s.Transcript {
		title := strings.TrimSuffix(path.Base(s.File), path.Ext(s.File))
		name = strings.TrimSpace(s.Heading + "\n" + strings.TrimLeft(title, "0123456789-_ ") + "\n" + s.Project)
	}
	return IndexedText{Name: name, Content: s.Text, Rest: indexedRest(s.Modified)}
}

// indexedRest returns tags and the words of a date, such as "7 May 2023".
func indexedRest(date time.Time, tags ...string) string {
	if !date.IsZero() {
		tags = append(slices.Clip(tags), date.Local().Format("2 January 2006"))
	}
	return strings.Join(tags, "\n")
}

// Length returns the number of words of a text, without stop words.
func (t IndexedText) Length() int {
	return len(words.ContentTerms(t.Name)) + len(words.ContentTerms(t.Content)) + len(words.ContentTerms(t.Rest))
}

// Statistics describes the texts that a search covers.
type Statistics struct {
	Records int // their number
	Length  int // sum of [IndexedText.Length]
	// With is the number of texts with each term, 0 if none has it. Above [MaxCounted] it
	// may be an estimate.
	With map[string]int
}

// MaxCounted is the number of texts with a term up to which the number is exact.
const MaxCounted = 500

// rareTexts is the number of texts with rare terms from which [Statistics.Rare] adds no more terms:
// a capture waits until they are ranked.
const rareTexts = 200

// Rare returns those of some terms that are rare, in at most a twentieth of all texts or in three:
// the rarest first, until some hundred texts have one.
func (s Statistics) Rare(terms []string) []string {
	most := max(3, s.Records/20)
	rare := slices.DeleteFunc(slices.Clone(terms), func(term string) bool { return s.With[term] == 0 || s.With[term] > most })
	slices.SortStableFunc(rare, func(a, b string) int { return cmp.Compare(s.With[a], s.With[b]) })
	texts := 0
	for i, term := range rare {
		if texts >= rareTexts {
			return rare[:i]
		}
		texts += s.With[term]
	}
	return rare
}

// SearchQuery has the text and the filters of a search.
type SearchQuery struct {
	Words words.Query
	// Rare leaves out words that are not rare, see [Statistics.Rare], and allows the store to choose
	// among hits with the score of the last one.
	Rare bool
	// AsOf is the instant of a search in the past. Zero searches memories that are live or
	// expired now. Otherwise every memory is searched that was valid at that instant
	// (validFrom ≤ AsOf < validTo; the validTo of an expiry does not count), including
	// archived and superseded ones.
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
	Shared  bool      // with Project: also what has no project
	Since   time.Time // created (of a section: modified) at or after
	Until   time.Time // and before
	// Share allows the store to omit hits with less than this share of the words of the
	// query, each weighted by its rarity, and to choose among hits with the score of the
	// last one. 0: all hits count, those with the lowest ids first.
	Share float64
	Limit int
	// Reranked says that the caller ranks the hits itself. They then have their passages,
	// and a store whose scores only approximate BM25 returns up to twice Limit hits, equal
	// ones in any order.
	Reranked bool
}

// Hit is one result of a search.
type Hit struct {
	ID         string
	Section    bool
	MemoryType string // "" for a section
	Project    string
	Score      float64 // BM25, above 0, higher is better; comparable within one result only
	Passage    Passage // of a search with Reranked
}
