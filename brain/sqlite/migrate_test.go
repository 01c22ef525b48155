package sqlite

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func TestCommitsAreCountedPerBrain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	a, b := open(t, path, "a"), open(t, path, "b")
	for _, s := range []*Store{a, b, a} {
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("x")) }))
	}
	failed := errors.New("no")
	if err := a.Update(t.Context(), func(brain.Tx) error { return failed }); !errors.Is(err, failed) {
		t.Fatal(err)
	}
	for s, want := range map[*Store]int64{a: 2, b: 1} {
		c, err := connect(t.Context(), path, 2000)
		must(t, err)
		now, err := s.seen(t.Context(), c)
		must(t, errors.Join(err, c.close()))
		if now.Commits != want {
			t.Errorf("%d commits of %s, want %d", now.Commits, s.name, want)
		}
	}
}

// A file of a newer program is read and stays as it is.
func TestNewerFormatIsReadOnly(t *testing.T) {
	for name, c := range map[string]struct{ script, install string }{
		"recorded":     {`INSERT INTO migration VALUES (99, 'v9.1.0', 0)`, "install brainbridge v9.1.0"},
		"not recorded": {`DROP TABLE migration; ALTER TABLE brain DROP COLUMN commits`, "install the newest brainbridge"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "brain.db")
			s := open(t, path, "x")
			must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("legible")) }))
			script(t, path, c.script+`; PRAGMA user_version = 99`)
			write := func(s *Store) error {
				return s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(storetest.Memory("more")) })
			}
			// This process has opened the file before.
			if err := write(s); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), "restart this session") || s.Writable() == nil {
				t.Errorf("a write after the upgrade: %v", err)
			}
			must(t, s.Close())
			before, err := os.ReadFile(path)
			must(t, err)
			s = open(t, path, "x")
			if err := write(s); !errors.Is(err, brain.ErrReadOnly) || !strings.Contains(err.Error(), c.install) {
				t.Errorf("a write to a newer format: %v", err)
			}
			if hits := find(t, s, "legible"); len(hits) != 1 {
				t.Errorf("found %v", hits)
			}
			must(t, open(t, path, "another").Close())
			must(t, s.Close())
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}

// A newer format may lack what this program reads.
func TestNewerFormatThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	must(t, open(t, path, "x").Close())
	script(t, path, `ALTER TABLE record RENAME COLUMN body TO content; INSERT INTO migration VALUES (99, 'v9.1.0', 0); PRAGMA user_version = 99`)
	err := open(t, path, "x").View(t.Context(), func(r brain.Reader) error {
		_, err := r.Records(brain.RunRecord, "a")
		return err
	})
	if !errors.Is(err, brain.ErrRefused) || !strings.Contains(err.Error(), "install brainbridge v9.1.0") {
		t.Errorf("error is %v", err)
	}
}

// to22 makes a file of this format one of format 22, without the words in its index.
const to22 = `DROP INDEX relation_to; CREATE INDEX relation_to ON relation (brain, to_id, type, from_id, made);
ALTER TABLE memory DROP COLUMN checksum; ALTER TABLE source DROP COLUMN checksum; ALTER TABLE section DROP COLUMN checksum;
ALTER TABLE relation DROP COLUMN checksum; ALTER TABLE record DROP COLUMN checksum;
DROP INDEX memory_doc; DROP INDEX section_doc; DROP INDEX doc_model;
UPDATE memory SET doc = (brain << 40) + doc;
UPDATE section SET doc = ((brain + transcript * 4194304) << 40) + doc;
CREATE TABLE doc22 (doc INTEGER PRIMARY KEY, past INTEGER NOT NULL, section INTEGER NOT NULL, size INTEGER NOT NULL, model INTEGER NOT NULL DEFAULT 0);
INSERT INTO doc22 SELECT ((brain + talk * 4194304) << 40) + doc, past, doc IN (SELECT doc FROM section), size, model FROM doc;
CREATE TABLE vector22 (doc INTEGER PRIMARY KEY, section INTEGER NOT NULL, value BLOB NOT NULL);
INSERT INTO vector22 SELECT (brain << 40) + doc, 0, value FROM vector;
CREATE INDEX memory_idle ON memory (brain); CREATE INDEX memory_idle_early ON memory (brain);
CREATE INDEX memory_project_type ON memory (brain); CREATE INDEX memory_young_type ON memory (brain);
DROP TABLE doc; DROP TABLE vector; DROP TABLE tally;
DROP TABLE code;
DROP TABLE words_count; DROP TABLE talk_words_count; DROP TABLE words; DROP TABLE talk_words;
ALTER TABLE doc22 RENAME TO doc; ALTER TABLE vector22 RENAME TO vector;
CREATE INDEX memory_doc ON memory (doc); CREATE INDEX section_doc ON section (doc); CREATE INDEX doc_model ON doc (model, doc) WHERE past = 0;
ALTER TABLE memory ADD COLUMN speaker TEXT NOT NULL DEFAULT '';
CREATE TABLE code (block INTEGER PRIMARY KEY, changed INTEGER NOT NULL, bits BLOB NOT NULL);
CREATE TABLE stem (brain INTEGER NOT NULL, term TEXT NOT NULL, PRIMARY KEY (brain, term)) WITHOUT ROWID;
CREATE TABLE part (part INTEGER PRIMARY KEY, next INTEGER NOT NULL, docs INTEGER NOT NULL, terms INTEGER NOT NULL);
CREATE TABLE census (part INTEGER NOT NULL, tier TEXT NOT NULL, memory_type TEXT NOT NULL, memories INTEGER NOT NULL, dated INTEGER NOT NULL,
    born INTEGER NOT NULL, PRIMARY KEY (part, tier, memory_type)) WITHOUT ROWID;
CREATE VIRTUAL TABLE current_fts USING fts5(name, content, rest, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE past_fts USING fts5(name, content, rest, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE talk_fts USING fts5(name, content, rest, content='', contentless_delete=1, tokenize='ascii');
ALTER TABLE memory ADD COLUMN root TEXT NOT NULL DEFAULT '';
UPDATE migration SET version = 22; PRAGMA user_version = 22`

// A file of each earlier format becomes one of this format: its texts are known and found, its
// vectors stay, a conflict is a pair, and its relation is gone.
func TestMigration(t *testing.T) {
	const to21 = to22 + `; UPDATE migration SET version = 21; PRAGMA user_version = 21`
	const to20 = to21 + `; DROP INDEX memory_text; ALTER TABLE memory DROP COLUMN text_key; UPDATE migration SET version = 20; PRAGMA user_version = 20`
	for format, back := range map[int]string{
		22: to22,
		21: to21,
		20: to20,
		19: to20 + `; DROP TABLE migration; ALTER TABLE brain DROP COLUMN commits; PRAGMA user_version = 19`,
	} {
		t.Run(strconv.Itoa(format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "brain.db")
			s := open(t, path, "x")
			m, test := storetest.Memory("said before, in C++ and by e-mail"), storetest.Memory("said before, in C++ and by e-mail")
			old := storetest.Memory("said long before", storetest.InTier(tiers.Superseded))
			test.ID = brain.TestPrefix + test.ID
			talk := storetest.Section("d", "2026-01-05-transcript.md", 1, "Pi-hole blocks it")
			talk.Transcript = true
			conflict := storetest.Record(brain.ReviewRecord, "pending", "", storetest.Start)
			conflict.Body = json.RawMessage(`{"id": "` + conflict.ID + `", "kind": "conflict", "state": "pending"}`)
			must(t, s.Update(t.Context(), func(tx brain.Tx) error {
				return errors.Join(tx.PutMemories(m, test, old), tx.PutSections(talk), tx.PutRecords(conflict),
					tx.PutVectors("model", brain.Embedded{Passage: m.Passage(), Values: []float32{1, 0}}),
					tx.PutRelations(brain.Relation{From: m.ID, Type: "DIFFERS_FROM", To: test.ID}))
			}))
			must(t, s.Close())
			script(t, path, back+`; INSERT INTO record (brain, kind, id, owner, key, at, body) SELECT no, 'Checkpoint', 'broken', '', '', 0, '{' FROM brain`)
			s = open(t, path, "x")
			called := 0
			must(t, s.Migrate(t.Context(), func() error { called++; return nil }))
			must(t, s.Close())
			s = open(t, path, "x")
			if _, unreadable := read(t, s); len(unreadable) != 1 || unreadable[0].ID != "broken" {
				t.Errorf("what could not be read is %v", unreadable)
			}
			must(t, s.View(t.Context(), func(r brain.Reader) error {
				found, err := r.ListMemories(brain.ListFilter{By: brain.ByText, Keys: []string{m.TextKey()}})
				rels, relErr := r.Relations(m.ID)
				recs, recErr := r.Records(conflict.Kind, conflict.ID)
				must(t, errors.Join(err, relErr, recErr))
				item, err := brain.Body[brain.ReviewItem](recs[0])
				must(t, err)
				for _, query := range []string{"said", "c++", "email"} {
					hits, err := r.Search(brain.SearchQuery{Words: words.Parse(query), Limit: 9})
					if err != nil || len(hits) != 2 {
						t.Errorf("%q finds %v, %v", query, hits, err)
					}
				}
				hits, err := r.Search(brain.SearchQuery{Words: words.Parse("pihole"), Transcripts: true, Limit: 9})
				others, standInErr := r.StandIns("emial")
				if err := errors.Join(err, standInErr); err != nil || len(hits) != 1 || hits[0].ID != talk.ID || len(others) != 1 {
					t.Errorf("in transcripts: %v; stand-ins: %v, %v", hits, others, err)
				}
				near, err := r.Nearest(brain.Vector{Model: "model", Values: []float32{1, 0}}, brain.SearchQuery{Limit: 9})
				must(t, err)
				past, err := r.Search(brain.SearchQuery{Words: words.Parse("long"), AsOf: time.Now(), Limit: 9})
				must(t, err)
				counts, err := r.Counts(time.Now())
				must(t, err)
				stats, err := r.Statistics(false, words.Parse("said").Terms...)
				must(t, err)
				if len(near.Hits) != 1 || near.Hits[0].ID != m.ID || len(past) != 1 || past[0].ID != old.ID || stats.Records != 2 || counts.Current() != 2 || stats.With[words.Index("said")] != 2 {
					t.Errorf("near: %v, past: %v, statistics: %+v, %+v", near.Hits, past, stats, counts)
				}
				if called != 1 || len(found) != 1 || found[0].ID != m.ID {
					t.Errorf("%d calls, found %v", called, brain.IDs(found))
				}
				if format < 21 && (len(rels) > 0 || !strings.Contains(string(recs[0].Body), `"pair"`) || item.Kind != brain.ReviewPair) {
					t.Errorf("relations %v, item %s", rels, recs[0].Body)
				}
				return err
			}))
		})
	}
}
