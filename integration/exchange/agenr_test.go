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
CREATE TABLE durables (id TEXT PRIMARY KEY, type TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL, importance INTEGER NOT NULL,
  expiry TEXT NOT NULL, project TEXT, source_file TEXT, tags TEXT, claim_key TEXT, embedding F32_BLOB(1024), superseded_by TEXT REFERENCES durables(id),
  valid_to TEXT, supersession_kind TEXT, supersession_reason TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
INSERT INTO durables (id, type, subject, content, importance, expiry, project, source_file, tags, claim_key, embedding, superseded_by, supersession_kind, supersession_reason, created_at, updated_at) VALUES
 ('e-core', 'preference', 'Indentation', 'We indent with tabs', 9, 'core', 'shop', 'session.jsonl', '["style","#go"]', 'indent-style', x'0001', NULL, NULL, NULL, '2026-01-05T10:00:00.000Z', '2026-01-06T10:00:00.000Z'),
 ('e-old', 'fact', 'Port', 'Postgres listens on 5432', 6, 'temporary', NULL, NULL, NULL, NULL, NULL, 'e-new', 'update', NULL, '2026-01-01T08:00:00.000Z', '2026-01-09T08:00:00.000Z'),
 ('e-new', 'fact', 'Port', 'Postgres listens on 5433', 5, 'permanent', NULL, NULL, '|db|', NULL, NULL, NULL, NULL, NULL, '2026-01-09 08:00:00', '2026-01-09 08:00:00'),
 ('e-low', 'todo', 'Rotate', 'rotate password: Gr8-Wall!xyz', 3, 'weekly', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-01-10T08:00:00Z', '2026-01-10T08:00:00Z'),
 ('e-gone', 'event', 'Party', 'There was a party', 2, 'temporary', NULL, NULL, NULL, NULL, NULL, NULL, 'stale', 'noise', '2026-01-10T08:00:00Z', '2026-01-10T08:00:00Z');
CREATE INDEX idx_entries_embedding ON durables (embedding);
CREATE TABLE episodes (id TEXT PRIMARY KEY, summary TEXT);
INSERT INTO episodes VALUES ('p1', 'we talked');
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = 'CREATE INDEX idx_entries_embedding ON durables (libsql_vector_idx(embedding, ''metric=cosine''))' WHERE name = 'idx_entries_embedding';
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
	if len(report.Problems) != 0 {
		t.Errorf("problems %+v", report.Problems)
	}
	core, old, next, low := l.find("We indent"), l.find("Postgres listens on 5432"), l.find("Postgres listens on 5433"), l.find("rotate")
	for _, c := range []struct {
		what string
		got  bool
	}{
		{"core entry", core.Memory.Tier == tiers.Core && core.Memory.Retention == "core" && core.Memory.Importance == brain.Critical},
		{"its words", core.Memory.Name == "Indentation" && core.Memory.MemoryType == "preference" && core.Memory.Project == "shop"},
		{"its tags", slices.Equal(core.Memory.Tags, []string{"style", "go"})},
		{"its date", core.Memory.Created.Equal(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC))},
		{"the rest of it", strings.Contains(string(core.Memory.Extra), `"claim_key":"indent-style"`) && strings.Contains(string(core.Memory.Extra), `"agenrId":"e-core"`)},
		{"what was superseded", old.Memory.Tier == tiers.Superseded && !old.Memory.ValidTo.IsZero() && old.Memory.Retention == "temporary"},
		{"what took its place", next.Memory.Tier == tiers.Working && next.Memory.Retention == "permanent" && next.Memory.Importance == brain.Important},
		{"its relation", slices.Contains(next.Relations, brain.Relation{From: next.Memory.ID, Type: brain.Supersedes, To: old.Memory.ID})},
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

// The database may have a full-text table beside the entries, and entries whose time is
// over.
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
	old := agenrDatabase(t, "CREATE TABLE entries (id TEXT)")
	if _, err := Import(context.Background(), l.Services, format("agenr"), Options{Path: old}); !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), "before 2026") {
		t.Errorf("of an earlier version: %v", err)
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
