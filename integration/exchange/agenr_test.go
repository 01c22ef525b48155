package exchange

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// The columns are those that agenr's own database has.
const agenrEntries = `
CREATE TABLE entries (id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, canonical_key TEXT, content TEXT NOT NULL,
  importance INTEGER NOT NULL, expiry TEXT NOT NULL, scope TEXT DEFAULT 'private', platform TEXT, project TEXT, source_file TEXT,
  source_context TEXT, embedding F32_BLOB(1024), created_at TEXT NOT NULL, updated_at TEXT NOT NULL, last_recalled_at TEXT,
  recall_count INTEGER DEFAULT 0, confirmations INTEGER DEFAULT 0, contradictions INTEGER DEFAULT 0, superseded_by TEXT,
  content_hash TEXT, minhash_sig BLOB, retired INTEGER NOT NULL DEFAULT 0, retired_at TEXT, retired_reason TEXT);
CREATE TABLE tags (entry_id TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (entry_id, tag));
CREATE TABLE relations (id TEXT PRIMARY KEY, source_id TEXT NOT NULL, target_id TEXT NOT NULL, relation_type TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE entry_sources (merged_entry_id TEXT NOT NULL, source_entry_id TEXT NOT NULL, original_confirmations INTEGER, PRIMARY KEY (merged_entry_id, source_entry_id));
CREATE INDEX idx_entries_embedding ON entries (embedding);
INSERT INTO entries (id, type, subject, canonical_key, content, importance, expiry, project, source_file, embedding, created_at, updated_at, recall_count, confirmations, superseded_by, retired, retired_reason) VALUES
 ('e-core', 'preference', 'Indentation', 'indent-style', 'We indent with tabs', 9, 'core', 'shop', 'session.jsonl', x'0001', '2026-01-05T10:00:00.000Z', '2026-01-06T10:00:00.000Z', 4, 2, NULL, 0, NULL),
 ('e-old', 'fact', 'Port', NULL, 'Postgres listens on 5432', 6, 'temporary', NULL, NULL, NULL, '2026-01-01T08:00:00.000Z', '2026-01-09T08:00:00.000Z', 0, 0, 'e-new', 0, NULL),
 ('e-new', 'fact', 'Port', NULL, 'Postgres listens on 5433', 5, 'permanent', NULL, NULL, NULL, '2026-01-09 08:00:00', '2026-01-09 08:00:00', 0, 0, NULL, 0, NULL),
 ('e-low', 'todo', 'Rotate', NULL, 'rotate password: Gr8-Wall!xyz', 3, 'weekly', NULL, NULL, NULL, '2026-01-10T08:00:00Z', '2026-01-10T08:00:00Z', 0, 0, NULL, 0, NULL),
 ('e-gone', 'event', 'Party', NULL, 'There was a party', 2, 'temporary', NULL, NULL, NULL, '2026-01-10T08:00:00Z', '2026-01-10T08:00:00Z', 0, 0, NULL, 1, 'noise');
INSERT INTO tags VALUES ('e-core', 'style'), ('e-core', '#go'), ('e-new', 'db');
INSERT INTO relations VALUES ('r1', 'e-new', 'e-core', 'related', '2026-01-09T08:00:00Z'), ('r2', 'e-low', 'e-gone', 'related', '2026-01-09T08:00:00Z');
INSERT INTO entry_sources VALUES ('e-new', 'e-old', 0);
CREATE TABLE episodes (id TEXT PRIMARY KEY, summary TEXT);
INSERT INTO episodes VALUES ('p1', 'we talked');
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = 'CREATE INDEX idx_entries_embedding ON entries (libsql_vector_idx(embedding, ''metric=cosine''))' WHERE name = 'idx_entries_embedding';
`

func agenrDatabase(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "knowledge.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Reading a database that its program has closed leaves nothing beside it.
func TestImportOfAgenrLeavesNoFiles(t *testing.T) {
	path := agenrDatabase(t, "PRAGMA journal_mode = WAL;"+agenrEntries)
	l := newLab(t, t.TempDir())
	defer l.close()
	if report := l.take("agenr", path); report.Imported != 4 {
		t.Errorf("report %+v", report)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("beside the database: %v, %v", files, err)
	}
}

func TestImportOfAgenr(t *testing.T) {
	path := agenrDatabase(t, agenrEntries)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, t.TempDir())
	defer l.close()
	report := l.take("agenr", path)
	if report.Imported != 4 || report.Redacted != 1 || report.Files != 1 || len(report.LeftOut) != 2 {
		t.Errorf("report %+v", report)
	}
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0].Message, "related") {
		t.Errorf("problems %+v, want the relation to what was retired", report.Problems)
	}
	core, old, next, low := l.find("We indent"), l.find("Postgres listens on 5432"), l.find("Postgres listens on 5433"), l.find("rotate")
	for _, c := range []struct {
		what string
		got  bool
	}{
		{"core entry", core.Memory.Tier == tiers.Core && core.Memory.Retention == "core" && core.Memory.Importance == brain.Critical},
		{"its words", core.Memory.Name == "Indentation" && core.Memory.MemoryType == "preference" && core.Memory.Project == "shop"},
		{"its tags", slices.Equal(core.Memory.Tags, []string{"style", "go"})},
		{"its counters", core.Memory.RecallCount == 4 && core.Memory.Confirmations == 2},
		{"its date", core.Memory.Created.Equal(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC))},
		{"the rest of it", strings.Contains(string(core.Memory.Extra), `"canonical_key":"indent-style"`) && strings.Contains(string(core.Memory.Extra), `"agenrId":"e-core"`)},
		{"what was superseded", old.Memory.Tier == tiers.Superseded && !old.Memory.ValidTo.IsZero() && old.Memory.Retention == "temporary"},
		{"what took its place", next.Memory.Tier == tiers.Working && next.Memory.Retention == "permanent" && next.Memory.Importance == brain.Important},
		{"what it was merged from", slices.Equal(next.Memory.MergedFrom, []string{old.Memory.ID})},
		{"its relation", slices.Contains(next.Relations, brain.Relation{From: next.Memory.ID, Type: brain.Supersedes, To: old.Memory.ID})},
		{"a typed relation", slices.Contains(next.Relations, brain.Relation{From: next.Memory.ID, Type: "related", To: core.Memory.ID})},
		{"an expiry that we do not have", low.Memory.Retention == "" && strings.Contains(string(low.Memory.Extra), `"expiry":"weekly"`)},
		{"a secret", low.Memory.Content == "rotate password: [redacted: password]" && low.Memory.Importance == brain.Reference},
	} {
		if !c.got {
			t.Errorf("%s is not as it should be", c.what)
		}
	}
	if again := l.take("agenr", path); again.Imported != 0 || again.Unchanged != 4 {
		t.Errorf("again: %d imported, %d unchanged", again.Imported, again.Unchanged)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database was changed: %v", err)
	}
	if beside, err := filepath.Glob(path + "*"); err != nil || len(beside) != 1 {
		t.Errorf("beside the database there are %q, %v", beside, err)
	}
}

// Later versions call the table durables and keep the tags in a column.
func TestImportOfALaterAgenr(t *testing.T) {
	path := agenrDatabase(t, `
CREATE TABLE durables (id TEXT PRIMARY KEY, type TEXT, subject TEXT, content TEXT, importance INTEGER, expiry TEXT, tags TEXT,
  claim_key TEXT, quality_score REAL, superseded_by TEXT, created_at TEXT, updated_at TEXT);
INSERT INTO durables VALUES ('a', 'lesson', 'Wrap', 'Wrap errors once', 8, 'permanent', '["go","errors"]', 'go/errors', 0.5, NULL, '2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z');`)
	l := newLab(t, t.TempDir())
	defer l.close()
	if report := l.take("agenr", filepath.Dir(path)); report.Imported != 1 || len(report.Problems) != 0 {
		t.Fatalf("report %+v", report)
	}
	m := l.find("Wrap errors").Memory
	if !slices.Equal(m.Tags, []string{"go", "errors"}) || m.Importance != brain.Critical || !strings.Contains(string(m.Extra), `"claim_key":"go/errors"`) {
		t.Errorf("%+v", m)
	}
}

// The present version retires by ending an entry's time, has a full-text table
// beside the entries, and vectors.
func TestImportOfAgenrThatEndsWhatItKnows(t *testing.T) {
	path := agenrDatabase(t, `
PRAGMA journal_mode = WAL;
CREATE TABLE durables (id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL, importance INTEGER NOT NULL,
  expiry TEXT NOT NULL, tags TEXT, embedding F32_BLOB(1024), quality_score REAL NOT NULL DEFAULT 0.5, superseded_by TEXT REFERENCES durables(id),
  valid_from TEXT, valid_to TEXT, directive_polarity TEXT, supersession_kind TEXT, supersession_reason TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE VIRTUAL TABLE durables_fts USING fts5(content, subject, content=durables, content_rowid=rowid);
CREATE TRIGGER durables_ai AFTER INSERT ON durables WHEN new.superseded_by IS NULL BEGIN
  INSERT INTO durables_fts(rowid, content, subject) VALUES (new.rowid, new.content, new.subject); END;
CREATE TABLE _meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO _meta VALUES ('schema_version', '5');
INSERT INTO durables (id, type, subject, content, importance, expiry, tags, embedding, superseded_by, valid_to, directive_polarity, supersession_kind, supersession_reason, created_at, updated_at) VALUES
 ('now', 'fact', 'Port', 'Postgres listens on 5433', 7, 'permanent', '["db"]', x'0001', NULL, NULL, 'prefer', NULL, NULL, '2025-02-01T08:00:00Z', '2025-02-02T08:00:00Z'),
 ('was', 'fact', 'Port', 'Postgres listens on 5432', 7, 'permanent', '|db|old|', NULL, 'now', '2025-01-31T08:00:00Z', NULL, 'update', NULL, '2025-01-01T08:00:00Z', '2025-02-02T08:00:00Z'),
 ('over', 'fact', 'Office', 'Our office was in Lisbon', 5, 'permanent', NULL, NULL, NULL, '2025-01-05T00:00:00Z', NULL, NULL, NULL, '2025-01-02T08:00:00Z', '2025-02-02T08:00:00Z'),
 ('noise', 'fact', 'Noise', 'There was noise', 5, 'permanent', NULL, NULL, NULL, '2025-02-02T08:00:00Z', NULL, 'stale', 'migrated from retire', '2025-01-02T08:00:00Z', '2025-02-02T08:00:00Z'),
 ('holds', 'directive', 'Tests', 'Write the test first', 10, 'core', '[]', NULL, NULL, '2099-01-01T00:00:00Z', 'require', NULL, NULL, '2025-01-02T08:00:00Z', '2025-02-02T08:00:00Z');
CREATE INDEX idx_durables_embedding ON durables (embedding) WHERE embedding IS NOT NULL;
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = 'CREATE INDEX idx_durables_embedding ON durables (libsql_vector_idx(embedding, ''metric=cosine'')) WHERE embedding IS NOT NULL'
  WHERE name = 'idx_durables_embedding';`)
	l := newLab(t, t.TempDir())
	defer l.close()
	report := l.take("agenr", path)
	if report.Imported != 4 || len(report.Problems) != 0 || len(report.LeftOut) != 1 || !strings.Contains(report.LeftOut[0].Message, "noise was retired: migrated") {
		t.Fatalf("report %+v", report)
	}
	next, old, over, core := l.find("Postgres listens on 5433"), l.find("Postgres listens on 5432"), l.find("Our office"), l.find("Write the test")
	if m := over.Memory; m.Tier != tiers.Superseded || !m.ValidTo.Equal(time.Date(2025, 1, 5, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("what is over is %s until %s", m.Tier, m.ValidTo)
	}
	if m := old.Memory; !slices.Equal(m.Tags, []string{"db", "old"}) || !m.ValidTo.Equal(time.Date(2025, 1, 31, 8, 0, 0, 0, time.UTC)) ||
		!slices.Contains(next.Relations, brain.Relation{From: next.Memory.ID, Type: brain.Supersedes, To: m.ID}) {
		t.Errorf("what was superseded: %+v", m)
	}
	if core.Memory.Tier != tiers.Core || !strings.Contains(string(core.Memory.Extra), `"directive_polarity":"require"`) {
		t.Errorf("what holds on: %+v", core.Memory)
	}
}

func TestImportOfWhatIsNoAgenr(t *testing.T) {
	l := newLab(t, t.TempDir())
	defer l.close()
	dir := files(t, t.TempDir(), map[string]string{"text.db": "no database"})
	for path, want := range map[string]error{filepath.Join(dir, "text.db"): brain.ErrInvalid, dir: brain.ErrNotFound} {
		if _, err := Import(context.Background(), l.Services, format("agenr"), Options{Path: path}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
	report, err := Import(context.Background(), l.Services, format("agenr"), Options{Path: agenrDatabase(t, "CREATE TABLE other (id TEXT)")})
	if report.Imported != 0 || len(report.Problems) != 1 || !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("report %+v, error %v", report, err)
	}
	torn := agenrDatabase(t, agenrEntries)
	data, err := os.ReadFile(torn)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	report, err = Import(context.Background(), l.Services, format("agenr"), Options{Path: torn})
	if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "is damaged") || report.Imported != 0 {
		t.Errorf("report of a torn file %+v, error %v", report, err)
	}
}
