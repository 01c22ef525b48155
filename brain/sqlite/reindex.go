package sqlite

import (
	"context"

	"github.com/brainbridge/brainbridge/brain"
)

// reindexPage is the number of texts that are indexed again at a time.
const reindexPage = 256

// from21 indexes the words of all texts of a file again.
func from21(ctx context.Context, c *conn) error {
	_, err := c.c.ExecContext(ctx, `
INSERT INTO current_fts (current_fts) VALUES ('delete-all');
INSERT INTO past_fts (past_fts) VALUES ('delete-all');
INSERT INTO talk_fts (talk_fts) VALUES ('delete-all');
DELETE FROM stem;`)
	if err == nil {
		err = reindex(ctx, c, memories(), (*brain.Memory).Indexed)
	}
	if err == nil {
		err = reindex(ctx, c, sections(), (*brain.Section).Indexed)
	}
	return err
}

// reindex indexes the words of the docs of a table again. The docs stay as they are.
func reindex[T any](ctx context.Context, c *conn, k table[T], text func(*T) brain.IndexedText) error {
	query := `SELECT d.doc, d.past, d.section, d.size, ` + k.selected + ` FROM doc d CROSS JOIN ` + k.name + ` m
		ON m.seq = (SELECT seq FROM ` + k.name + ` WHERE doc = d.doc LIMIT 1) WHERE d.doc > ? ORDER BY d.doc LIMIT ?`
	for last := int64(-1); ; {
		docs, texts, err := reindexable(ctx, c, query, last, k.dest, text)
		if err != nil || len(docs) == 0 {
			return err
		}
		last = docs[len(docs)-1].id
		stems := map[int64][]string{} // of each brain
		for i, read := range readTexts(texts) {
			d := docs[i]
			if d.table() == "current_fts" {
				stems[d.part()] = append(stems[d.part()], read.stems...)
			}
			if _, err := c.exec(ctx, addWordsQuery(d), ftsRow(d), read.fields[0], read.fields[1], read.fields[2]); err != nil {
				return err
			}
		}
		for no, terms := range stems {
			if _, err := c.exec(ctx, addStems, no, asJSON(terms)); err != nil {
				return err
			}
		}
	}
}

// reindexable returns the next docs after one, with their texts.
func reindexable[T any](ctx context.Context, c *conn, query string, last int64, dest func(*T) []any, text func(*T) brain.IndexedText) (
	docs []doc, texts []brain.IndexedText, err error,
) {
	rows, err := c.query(ctx, query, last, reindexPage)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }() // only read
	for rows.Next() {
		var d doc
		var v T
		if err := rows.Scan(append([]any{&d.id, &d.past, &d.section, &d.size}, dest(&v)...)...); err != nil {
			return nil, nil, err
		}
		docs, texts = append(docs, d), append(texts, text(&v))
	}
	return docs, texts, rows.Err()
}
