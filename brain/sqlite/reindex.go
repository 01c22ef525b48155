package sqlite

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// from22 indexes all words again. Texts keep their numbers, which had the brain and whether it
// is a transcript in the upper bits. So do vectors; codes are made again with the next one.
func from22(t *tx) error {
	err := t.script(`
DROP TABLE current_fts; DROP TABLE past_fts; DROP TABLE talk_fts;
DROP TABLE stem; DROP TABLE part; DROP TABLE census; DROP TABLE code;
DROP INDEX memory_doc; DROP INDEX section_doc; DROP INDEX doc_model;
DROP INDEX IF EXISTS memory_due; DROP INDEX IF EXISTS memory_forgettable; DROP INDEX IF EXISTS memory_judged;
ALTER TABLE memory DROP COLUMN speaker;
DROP INDEX memory_idle; DROP INDEX memory_idle_early; DROP INDEX memory_project_type; DROP INDEX memory_young_type; DROP INDEX memory_fresh;
DROP INDEX IF EXISTS memory_text;
CREATE INDEX memory_text ON memory (brain, text_key)
    WHERE text_key <> '' AND (tier = 'working' OR tier = 'shortTerm' OR tier = 'longTerm' OR tier = 'core' OR tier = 'expired');
CREATE INDEX memory_fresh ON memory (brain, fresh_group, fresh DESC, id, project) WHERE fresh IS NOT NULL;
ALTER TABLE doc RENAME TO old_doc;
ALTER TABLE vector RENAME TO old_vector;
ALTER TABLE model RENAME TO old_model;
` + searchSchema + `
INSERT INTO doc (doc, brain, talk, past, size, model)
    SELECT doc, (doc >> 40) % 4194304, doc >> 40 >= 4194304, past, size, model FROM old_doc;
INSERT INTO vector SELECT doc, doc >> 40, value FROM old_vector;
INSERT INTO model SELECT no, brain, name, dimensions, vectors, 0, NULL, NULL FROM old_model;
INSERT INTO tally SELECT brain, iif(talk, 'talk', 'notes'), sum(1 - past), sum((1 - past) * size) FROM doc GROUP BY 1, 2;
INSERT INTO tally SELECT brain, tier, count(*), 0 FROM memory GROUP BY 1, 2;
DROP TABLE old_doc; DROP TABLE old_vector; DROP TABLE old_model;`)
	if err == nil {
		err = reindex(t, memories(), (*brain.Memory).Indexed)
	}
	if err == nil {
		err = reindex(t, sections(), (*brain.Section).Indexed)
	}
	return err
}

// reindex indexes the words of the docs of a table, page by page.
func reindex[T any](t *tx, k table[T], text func(*T) brain.IndexedText) error {
	type row struct {
		doc
		brain int64
		value T
	}
	query := `SELECT d.doc, d.brain, d.talk, d.past, m.` + strings.Join(k.columns, ", m.") + ` FROM doc d CROSS JOIN ` + k.name + ` m
		ON m.seq = (SELECT seq FROM ` + k.name + ` WHERE brain = d.brain AND doc = d.doc LIMIT 1) WHERE d.doc > ? ORDER BY d.doc LIMIT 1000`
	dest := func(r *row) []any {
		return append([]any{&r.id, &r.brain, &r.talk, &r.past}, destinations(k.fields(&r.value))...)
	}
	for last := int64(0); ; {
		docs, err := collect(t, dest, query, last)
		if err != nil || len(docs) == 0 {
			return err
		}
		for _, d := range docs {
			t.insertWords(d.brain, d.doc, indexedOf(text(&d.value)))
			last = d.id
		}
	}
}
