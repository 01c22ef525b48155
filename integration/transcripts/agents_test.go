package transcripts_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite"

	"github.com/brainbridge/brainbridge/integration/transcripts"
)

// claw is the database of sessions of an agent of OpenClaw.
type claw struct {
	*testing.T
	path string
	db   *sql.DB
}

func (r *rig) claw() *claw {
	r.Helper()
	path := filepath.Join(r.home, ".openclaw", "agents", "main", "agent", "openclaw-agent.sqlite")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		r.Fatal(err)
	}
	c := &claw{r.T, path, db}
	r.Cleanup(func() { _ = db.Close() })
	c.do("PRAGMA journal_mode = WAL")
	c.do(`CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
		event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq)) STRICT`)
	r.o.Sources = append(r.o.Sources, r.home+"/.openclaw/agents/*/agent/openclaw-agent.sqlite", r.home+"/.gemini/tmp/*/chats/**/*.jsonl")
	return c
}

func (c *claw) do(query string, args ...any) {
	c.Helper()
	if _, err := c.db.ExecContext(c.Context(), query, args...); err != nil {
		c.Fatal(err)
	}
}

// add adds events to a session, every third of them packed.
func (c *claw) add(session string, from int, events ...string) {
	c.Helper()
	for i, e := range events {
		seq := from + i
		if seq%3 != 1 {
			c.do("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", session, seq, e, 1795438217000+seq)
			continue
		}
		w, err := zstd.NewWriter(nil)
		if err != nil {
			c.Fatal(err)
		}
		c.do("INSERT INTO transcript_events (session_id, seq, created_at, event_zstd, event_utf8_bytes, navigation_json) VALUES (?, ?, ?, ?, ?, '{}')",
			session, seq, 1795438217000+seq, w.EncodeAll([]byte(e), nil), len(e))
	}
}

func clawHeader(session string) string {
	return fmt.Sprintf(`{"type":"session","version":4,"id":%q,"timestamp":"2026-02-05T12:00:00.000Z","cwd":"/home/mara/workspace"}`, session)
}

func clawSays(id, at, role, text string) string {
	return fmt.Sprintf(`{"type":"message","id":"21c862f3-283b-42e5-a5c9-%012s","parentId":null,"timestamp":%q,"message":{"role":%q,"content":%q,"timestamp":1795438202400}}`, id, at, role, text)
}

// Sessions of OpenClaw are read from its database, which is not changed, and read again
// only where there is something new.
func TestOpenClawsDatabase(t *testing.T) {
	onBoth(t, func(t *testing.T, r *rig) {
		c := r.claw()
		c.add("a", 0, clawHeader("a"), clawSays("1", "2026-02-05T12:00:01.000Z", "user", "We decided to keep the old queue."),
			clawSays("2", "2026-02-05T12:00:02.000Z", "assistant", "Noted."))
		c.add("b", 0, clawHeader("b"), clawSays("3", "2026-02-05T13:00:00.000Z", "user", "We agreed to move the office to Lisbon."))
		before, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		d := r.one("2026-02-05")
		if d.Files != 2 || d.Messages != 3 || d.Added != 2 || !d.Done || len(d.Problems) > 0 {
			t.Errorf("%+v", d)
		}
		if after, err := os.ReadFile(c.path); err != nil || string(after) != string(before) {
			t.Errorf("the database was changed (%v)", err)
		}
		if text := r.text("transcripts/2026-02-05-transcript.md"); strings.Count(text, "openclaw") != 2 || !strings.Contains(text, "Noted.") {
			t.Errorf("the transcript is\n%s", text)
		}
		updates := r.store.updates.Load()
		if d := r.one("2026-02-05"); !d.Unchanged || r.store.updates.Load() != updates {
			t.Errorf("nothing changed, but %+v", d)
		}
		c.add("b", 2, clawSays("4", "2026-02-05T13:05:00.000Z", "user", "We decided to rent the blue one."))
		// OpenClaw of before had files, which it kept.
		path := filepath.Join(r.home, ".openclaw", "agents", "main", "sessions", "a.jsonl")
		write(t, path, clawHeader("a")+"\n"+clawSays("1", "2026-02-05T12:00:01.000Z", "user", "We decided to keep the old queue.")+"\n")
		if d := r.one("2026-02-05"); d.Messages != 4 || d.Added != 1 || len(d.Problems) > 0 {
			t.Errorf("with another message: %+v", d)
		}
		c.do("DELETE FROM transcript_events WHERE session_id = 'b'")
		c.add("c", 0, clawHeader("c"), clawSays("5", "2026-02-05T14:00:00.000Z", "user", "We decided to paint the doors."))
		d = r.one("2026-02-05")
		if d.Added != 1 || !strings.Contains(messages(d.Problems), "openclaw-agent.sqlite#b:0: is gone; ") {
			t.Errorf("after a session was deleted: %+v", d)
		}
		if text := r.text("transcripts/2026-02-05-transcript.md"); !strings.Contains(text, "Lisbon") || !strings.Contains(text, "paint") {
			t.Errorf("after a session was deleted the transcript is\n%s", text)
		}
	})
}

// A database of somebody else is named, and the rest is read.
// A session that is in the database and in a file that was set aside counts once. A damaged
// database is a problem, and the others are read.
func TestASessionInADatabaseAndAFile(t *testing.T) {
	r := newRig(t)
	events := []string{clawHeader("s1"), clawSays("1", "2026-02-05T12:00:01.000Z", "user", "Always rinse the pot."), clawSays("2", "2026-02-05T12:00:02.000Z", "assistant", "Yes.")}
	r.claw().add("s1", 0, events...)
	agents := filepath.Join(r.home, ".openclaw", "agents")
	aside := filepath.Join(agents, "main", "sessions", "s1.jsonl.reset.2026-02-05T13-00-00.000Z")
	damaged := filepath.Join(agents, "other", "agent", "openclaw-agent.sqlite")
	for path, text := range map[string]string{aside: strings.Join(events, "\n") + "\n", damaged: strings.Repeat("no database ", 1000)} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.o.Sources = append(r.o.Sources, agents+"/*/sessions/*.jsonl.reset.*")
	day := r.one("2026-02-05")
	if day.Files != 2 || day.Messages != 2 || day.Items != 1 || len(day.Problems) != 1 || day.Problems[0].File != damaged {
		t.Errorf("report: %+v", day)
	}
}

// Archived sessions are read from the database, packed or not, each once: also one that was read
// before it was archived, and one of which there is a file too.
func TestArchivedSessionsInADatabase(t *testing.T) {
	r := newRig(t)
	c := r.claw()
	kept := []string{clawHeader("s1"), clawSays("1", "2026-02-05T12:00:01.000Z", "user", "Always rinse the pot.")}
	gone := []string{clawHeader("s2"), clawSays("2", "2026-02-05T13:00:00.000Z", "user", "We agreed to move the office to Lisbon."), clawSays("3", "2026-02-05T13:00:01.000Z", "assistant", "Noted.")}
	c.add("s1", 0, kept...)
	if d := r.one("2026-02-05"); d.Messages != 1 || len(d.Problems) > 0 {
		t.Fatalf("before anything was archived: %+v", d)
	}
	c.do(`CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL, reason TEXT NOT NULL,
		encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, archive_sha256 TEXT NOT NULL, archive_name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
		published_at INTEGER, PRIMARY KEY (session_id, generation)) STRICT`)
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	archive := func(session, encoding string, blob []byte) {
		c.do("DELETE FROM transcript_events WHERE session_id = ?", session)
		c.do("INSERT INTO session_transcript_archives VALUES (?, 'g1', 'agent:main:main', 'reset', ?, ?, '', ?, 1795438219000, NULL)", session, encoding, blob, session)
	}
	archive("s1", "identity", []byte(strings.Join(kept, "\n")+"\n"))
	archive("s2", "zstd", w.EncodeAll([]byte(strings.Join(gone, "\n")+"\n"), nil))
	aside := filepath.Join(r.home, ".openclaw", "agents", "main", "sessions", "s2.jsonl.reset.2026-02-05T14-00-00.000Z")
	write(t, aside, strings.Join(gone, "\n")+"\n")
	r.o.Sources = append(r.o.Sources, filepath.Dir(aside)+"/*.jsonl.reset.*")
	if d := r.one("2026-02-05"); d.Files != 3 || d.Messages != 3 || d.Added != 1 || len(d.Problems) > 0 {
		t.Errorf("%+v", d)
	}
	if text := r.text("transcripts/2026-02-05-transcript.md"); strings.Count(text, "\n\nAlways rinse") != 1 || strings.Count(text, "\n\nWe agreed") != 1 {
		t.Errorf("the transcript is\n%s", text)
	}
}

func TestADatabaseWithoutSessions(t *testing.T) {
	r := newRig(t)
	c := r.claw()
	c.do("DROP TABLE transcript_events")
	r.session("one", say("s", "2026-02-05T10:00:00Z", "user", "We decided to keep the old queue."))
	d := r.one("2026-02-05")
	if d.Added != 1 || !strings.Contains(messages(d.Problems), "openclaw-agent.sqlite:0: cannot be read: ") {
		t.Errorf("%+v", d)
	}
}

// Gemini CLI keeps the folder of its sessions beside them.
func TestGeminisChats(t *testing.T) {
	r := newRig(t)
	r.claw()
	var folders []string
	r.o.Project = func(folder, _ string) string {
		folders = append(folders, folder)
		return "shop"
	}
	tmp := filepath.Join(r.home, ".gemini", "tmp", "shop")
	write(t, filepath.Join(tmp, ".project_root"), "/srv/shop")
	header := `{"sessionId":"148ba071-d8cb-44b3-ab3b-42d633591787","projectHash":"b6","startTime":"2026-02-05T10:00:00.000Z","kind":"main"}`
	said := `{"id":"1660e0ab-6a63-4a7c-b186-bd3c4a4be3f%d","timestamp":"2026-02-05T10:0%d:00.000Z","type":"user","content":[{"text":%q}]}`
	one, two := fmt.Sprintf(said, 1, 1, "We decided to keep the old queue."), fmt.Sprintf(said, 2, 2, "We agreed to move the office to Lisbon.")
	write(t, filepath.Join(tmp, "chats", "session-2026-02-05T10-00-148ba071.jsonl"), header+"\n"+one+"\n"+two+"\n")
	// A hook reads the session before its day is extracted: that adds nothing then.
	if added, _, err := r.door().Tail(t.Context(), filepath.Join(tmp, "chats", "session-2026-02-05T10-00-148ba071.jsonl"), 0, 0); added != 2 || err != nil {
		t.Errorf("a hook added %d, %v", added, err)
	}
	d := r.one("2026-02-05")
	if d.Files != 1 || d.Messages != 2 || d.Added != 0 || d.Duplicates != 2 || len(d.Problems) > 0 {
		t.Errorf("%+v", d)
	}
	if note := r.text("2026-02-05.md"); strings.Count(note, "#project/shop") != 2 {
		t.Errorf("the note is\n%s", note)
	}
	for _, f := range folders {
		if f != "/srv/shop" {
			t.Errorf("began in the folder %q", f)
		}
	}
}

// Codex packs older sessions: they are the same as before.
func TestCodexPacksItsSessions(t *testing.T) {
	r := newRig(t)
	r.o.Sources = []string{r.home + "/.codex/sessions/**/*.{jsonl,jsonl.zst}"}
	path := filepath.Join(r.home, ".codex", "sessions", "2026", "02", "05", "rollout-2026-02-05T10-00-00-a.jsonl")
	text := `{"timestamp":"2026-02-05T10:00:00.000Z","type":"session_meta","payload":{"id":"01a20873-781c-78a2-951f-9b7fe6ffae40","timestamp":"2026-02-05T10:00:00.000Z","cwd":"/srv/shop"}}
{"timestamp":"2026-02-05T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"We decided to keep the old queue."}]}}
`
	write(t, path, text)
	if d := r.one("2026-02-05"); d.Files != 1 || d.Added != 1 {
		t.Errorf("%+v", d)
	}
	if note := r.text("2026-02-05.md"); !strings.Contains(note, "in session e6ffae40: ") { // the beginning is a time
		t.Errorf("the note is\n%s", note)
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+".zst", string(w.EncodeAll([]byte(text), nil)))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d := r.one("2026-02-05"); !d.Unchanged || d.Files != 1 || len(d.Problems) > 0 {
		t.Errorf("once it is packed: %+v", d)
	}
	if err := os.Remove(filepath.Join(r.dir, "transcripts", "2026-02-05-transcript.md")); err != nil { // read it again
		t.Fatal(err)
	}
	if d := r.one("2026-02-05"); d.Messages != 1 || len(d.Problems) > 0 {
		t.Errorf("read again: %+v", d)
	}
	write(t, filepath.Join(filepath.Dir(path), "b.jsonl.zst"), string(w.EncodeAll([]byte("\n"), nil)))
	write(t, filepath.Join(filepath.Dir(path), "c.jsonl"), text)
	var seen []string
	_, err = r.door().Extract(r.Context(), transcripts.Request{Day: "2026-02-05", Progress: func(day string, done, of int) {
		seen = append(seen, fmt.Sprint(day, done, "/", of))
	}})
	if want := []string{"1/2", "2/2", "2026-02-051/2", "2026-02-052/2"}; err != nil || !slices.Equal(seen, want) {
		t.Errorf("progress %q, want %q (%v)", seen, want, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
