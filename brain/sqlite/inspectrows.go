package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
)

// countedDefects are what queries count: rows that should not be there.
func countedDefects() []struct{ one, many, means, query string } {
	const notSearched, notFound = "searches miss some texts, or find those that are gone", "the memories are found by no list and no search"
	all := []struct{ one, many, means, query string }{
		{"text in the full-text index that differs from what is stored", "texts in the full-text index that differ from what is stored", notSearched, `SELECT (SELECT count(*) FROM doc d WHERE d.talk = 0 AND NOT EXISTS (SELECT 1 FROM words_docsize w WHERE w.id = d.doc))
			+ (SELECT count(*) FROM words_docsize w WHERE NOT EXISTS (SELECT 1 FROM doc d WHERE d.doc = w.id AND d.talk = 0))`},
		{"text in the full-text index of transcripts that differs from what is stored", "texts in the full-text index of transcripts that differ from what is stored", notSearched, `SELECT (SELECT count(*) FROM doc d WHERE d.talk = 1 AND NOT EXISTS (SELECT 1 FROM talk_words_docsize w WHERE w.id = d.doc))
			+ (SELECT count(*) FROM talk_words_docsize w WHERE NOT EXISTS (SELECT 1 FROM doc d WHERE d.doc = w.id AND d.talk = 1))`},
		{"indexed text that belongs to nothing", "indexed texts that belong to nothing", notSearched, `SELECT count(*) FROM doc d WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.brain = d.brain AND m.doc = d.doc) AND NOT EXISTS (SELECT 1 FROM section m WHERE m.doc = d.doc)`},
		{"text that is not indexed", "texts that are not indexed", notFound, `SELECT (SELECT count(*) FROM memory m WHERE m.doc <> 0 AND NOT EXISTS (SELECT 1 FROM doc d WHERE d.brain = m.brain AND d.doc = m.doc))
			+ (SELECT count(*) FROM section m WHERE m.doc <> 0 AND NOT EXISTS (SELECT 1 FROM doc d WHERE d.brain = m.brain AND d.doc = m.doc))`},
		{"wrong count of memories or texts", "wrong counts of memories or texts", "status and the ranking of searches are wrong", `WITH should AS (SELECT brain, tier AS what, count(*) AS number, 0 AS size FROM memory GROUP BY brain, tier
			UNION ALL SELECT brain, iif(talk, 'talk', 'notes'), count(*), sum(size) FROM doc WHERE past = 0 GROUP BY brain, talk), stored AS (SELECT brain, what, number, size FROM tally WHERE number <> 0)
			SELECT (SELECT count(*) FROM (SELECT * FROM should EXCEPT SELECT * FROM stored)) + (SELECT count(*) FROM (SELECT * FROM stored EXCEPT SELECT * FROM should))`},
		{"vector that does not belong to its text and model", "vectors that do not belong to their texts and model", "searches by meaning miss the text", `SELECT count(*) FROM vector v LEFT JOIN doc d ON d.doc = v.doc LEFT JOIN model m ON m.brain = v.brain
			WHERE d.doc IS NULL OR m.no IS NULL OR d.model <> m.no OR length(v.value) <> 4 * m.dimensions`},
	}
	for table, stray := range strayRows {
		all = append(all, struct{ one, many, means, query string }{"row of the table " + table + " that belongs to nothing in this file", "rows of the table " + table + " that belong to nothing in this file", "no answer has it", "SELECT count(*) FROM " + table + " t WHERE " + stray})
	}
	return all
}

// inspectRows compares what follows from rows with what is stored.
func (s *Store) inspectRows(ctx context.Context) (all []brain.Defect, err error) {
	c, err := connect(ctx, s.path, s.pool.cache)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.close() }()
	t := &tx{s: s, ctx: ctx, c: c}
	vocabulary := t.script("CREATE VIRTUAL TABLE temp.places USING fts5vocab(main, words, instance)")
	if err := c.beginRead(ctx); err != nil {
		return nil, err
	}
	defer c.rollback(ctx)
	for _, d := range countedDefects() {
		var n int
		if failed := c.one(ctx, d.query, nil, &n); failed == nil && n > 0 { // a failure is of a table that is missing or damaged, which is named
			all = append(all, brain.Defect{What: english.Plural(n, d.one, d.many), Means: d.means, Mendable: true})
		}
	}
	texts := map[int64]*textShould{}
	wrong := inspectMemories(t, texts)
	inspectSections(t, texts)
	if n := len(wrong); n > 0 {
		all = append(all, brain.Defect{What: "what follows from " + english.Plural(n, "memory", "memories") + " is stored wrong, such as of " + wrong[0], Means: "lists may miss them", Mendable: true})
	}
	if n := t.wrongTexts(texts, vocabulary == nil); n > 0 {
		all = append(all, brain.Defect{What: english.Plural(n, "text", "") + " indexed with other words than it has", Means: "searches may miss it", Mendable: true})
	}
	if n := t.wrongVectors(); n > 0 {
		all = append(all, brain.Defect{What: english.Plural(n, "damaged vector", "") + " or codes", Means: "searches by meaning may miss the text", Mendable: true})
	}
	return all, ctx.Err()
}

// textShould is what a text should have in the index.
type textShould struct {
	brain.IndexedText
	current bool
}

// inspectMemories collects the texts of memories, and returns the ids of those whose other
// columns do not follow from them.
func inspectMemories(t *tx, texts map[int64]*textShould) (wrong []string) {
	var doc int64
	var group, textKey string
	var fresh sql.NullInt64
	query := strings.Replace(memories().everything(), "SELECT ", "SELECT m.doc, m.fresh_group, m.fresh, m.text_key, ", 1)
	_ = scanAll(t, memories(), query, func(m brain.Memory, err error) error {
		if err != nil || doc == 0 {
			return nil
		}
		wantGroup, at := m.Freshness()
		if want, is := boundValue(&at).(int64); group != string(wantGroup) || textKey != m.TextKey() || fresh.Valid != is || fresh.Int64 != want {
			wrong = append(wrong, m.ID)
		}
		if texts[doc] == nil {
			texts[doc] = &textShould{IndexedText: m.Indexed()}
		}
		texts[doc].current = texts[doc].current || m.Current()
		if texts[doc].IndexedText != m.Indexed() {
			wrong = append(wrong, m.ID)
		}
		return nil
	}, &doc, &group, &fresh, &textKey) // what cannot be read is named by a scan
	return wrong
}

func inspectSections(t *tx, texts map[int64]*textShould) {
	var doc int64
	_ = scanAll(t, sections(), strings.Replace(sections().everything(), "SELECT ", "SELECT m.doc, ", 1), func(x brain.Section, err error) error {
		if err == nil && doc != 0 {
			texts[doc] = &textShould{x.Indexed(), true}
		}
		return nil
	}, &doc)
}

// wrongTexts counts the texts that are not in the index as they should be. The words of
// transcripts are only counted.
func (t *tx) wrongTexts(texts map[int64]*textShould, withWords bool) (wrong int) {
	stored := map[int64]uint64{}
	if withWords {
		type place struct {
			term, column string
			doc, offset  int64
		}
		withWords = scan(t, func(p *place) []any { return []any{&p.term, &p.doc, &p.column, &p.offset} }, "SELECT term, doc, col, offset FROM temp.places", nil, func(p place) error {
			stored[p.doc] += placeHash(p.term, p.column, p.offset)
			return nil
		}) == nil
	}
	docs, err := collect(t, func(d *doc) []any { return []any{&d.id, &d.talk, &d.past, &d.size} }, "SELECT doc, talk, past, size FROM doc WHERE brain = ?", t.s.brain)
	for _, d := range docs {
		should := texts[d.id]
		if should == nil || err != nil {
			continue // of a row that cannot be read
		}
		read := indexedOf(should.IndexedText)
		if d.size != read.size || d.past == should.current || withWords && !d.talk && stored[d.id] != wordsHash(wordMark(t.s.brain, d.past), read) {
			wrong++
		}
	}
	return wrong
}

func wordsHash(mark string, read indexed) (sum uint64) {
	for i, column := range []string{"name", "content", "rest"} {
		for offset, term := range read.fields[i] {
			sum += placeHash(mark+term, column, int64(offset))
		}
	}
	return sum
}

// placeHash is FNV-1a of a place in the index.
func placeHash(term, column string, offset int64) uint64 {
	h := uint64(14695981039346656037)
	add := func(b uint64) { h = (h ^ b) * 1099511628211 }
	for i := range len(term) {
		add(uint64(term[i]))
	}
	add(uint64(column[0])) // each begins with another letter
	add(uint64(offset))
	return h
}

// wrongVectors counts the vectors that are not of unit length, or have another code than they
// should.
func (t *tx) wrongVectors() (wrong int) {
	m, err := t.model()
	if err != nil || m.no == 0 {
		return 0
	}
	var raw []byte
	codes := map[int64][]byte{}
	if m.coded > 0 {
		if t.one(`SELECT mean FROM model WHERE no = ?`, []any{m.no}, &raw) != nil || len(raw) != 4*m.dimensions {
			return 1
		}
		blocks, _ := collect(t, func(b *codeBlock) []any { return []any{&b.no, &b.bits} }, "SELECT block, bits FROM code WHERE brain = ?", t.s.brain) // none: all are wrong
		for _, b := range blocks {
			codes[b.no] = b.bits
		}
	}
	mean := decodeVector(raw)
	_ = t.everyVector(func(r vectorRow) error {
		v := decodeVector(r.value)
		switch bits := codes[r.doc>>blockBits]; {
		case !isUnit(v):
			wrong++
		case m.coded > 0 && len(v) == len(mean):
			code := encodeCode(mean, v)
			at := int(r.doc&(1<<blockBits-1)) * len(code)
			if len(bits) < at+len(code) || string(bits[at:at+len(code)]) != string(code) {
				wrong++
			}
		}
		return nil
	})
	return wrong
}

// isUnit reports whether a vector has unit length.
func isUnit(v []float32) bool {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	return length > 0.9 && length < 1.1
}
