package sqlite

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
	"github.com/brainbridge/brainbridge/brain/words"
)

// zeroLeaf clears a page in the middle of a tree of the file.
func zeroLeaf(name string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		const page = 4096
		s := open(t, path, "default")
		root := 0
		must(t, s.view(t.Context(), func(t *tx) error {
			return t.one(`SELECT rootpage FROM sqlite_master WHERE name = ?`, []any{name}, &root)
		}))
		must(t, s.Close())
		content, err := os.ReadFile(path)
		must(t, err)
		inner := content[(root-1)*page:]
		cells := int(binary.BigEndian.Uint16(inner[3:]))
		cell := binary.BigEndian.Uint16(inner[12+cells/2*2:])
		leaf := int(binary.BigEndian.Uint32(inner[cell:]))
		clear(content[(leaf-1)*page : leaf*page])
		must(t, os.WriteFile(path, content, 0o600))
	}
}

func sqlDamage(statements string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { script(t, path, statements) }
}

// damages are done to a file with 300 memories, of which two are a promotion, a source with its
// relation, a section, a talk and vectors.
var damagesOfAFile = []struct {
	name  string
	do    func(t *testing.T, path string)
	names string
	loses int    // memories
	keeps string // what is handed to keep has this
}{
	{"a missing index", sqlDamage("DROP INDEX memory_text"), "the index memory_text is missing", 0, ""},
	{"a missing unique index", sqlDamage("DROP INDEX memory_id"), "the index memory_id is missing", 0, ""},
	{"an index of another form", sqlDamage("DROP INDEX memory_doc; CREATE INDEX memory_doc ON memory (doc)"), "the index memory_doc has another form", 0, ""},
	{"no table of words", sqlDamage("DROP TABLE words_count; DROP TABLE words"), "the table words is missing", 0, ""},
	{"no table of counts", sqlDamage("DROP TABLE tally"), "the table tally is missing", 0, ""},
	{"a trigger", sqlDamage("CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM memory; END"), "the trigger t is not of this program", 0, ""},
	{"words of a text are gone", sqlDamage("DELETE FROM words WHERE rowid = 7"), "1 text in the full-text index that differs", 0, ""},
	{"words of another text", sqlDamage("DELETE FROM words WHERE rowid = 7; INSERT INTO words (rowid, name, content, rest) VALUES (7, '1·zebra', '', '')"), "1 text indexed with other words", 0, ""},
	{"words of nothing", sqlDamage("INSERT INTO words (rowid, name, content, rest) VALUES (99999, '1·zebra', '', '')"), "1 text in the full-text index that differs", 0, ""},
	{"a wrong size", sqlDamage("UPDATE doc SET size = 77 WHERE doc = 7"), "indexed with other words", 0, ""},
	{"a memory without its text", sqlDamage("UPDATE memory SET doc = 4611686018427387904 WHERE seq = 7"), "1 text that is not indexed", 0, ""},
	{"a memory with the text of another", sqlDamage("UPDATE memory SET doc = (SELECT doc FROM memory WHERE seq = 8) WHERE seq = 7"), "what follows from", 0, ""},
	{"wrong counts", sqlDamage("UPDATE tally SET number = number + 1"), "wrong counts of memories", 0, ""},
	{"a wrong place", sqlDamage("UPDATE memory SET fresh = 1, text_key = 'x' WHERE seq = 7"), "what follows from 1 memory is stored wrong", 0, ""},
	{"a vector of a wrong length", sqlDamage("UPDATE vector SET value = x'0000803f' WHERE doc = 7"), "1 vector that does not belong", 0, ""},
	{"a vector without its text", sqlDamage("INSERT INTO vector SELECT 99999, brain, value FROM vector WHERE doc = 7"), "1 vector that does not belong", 0, ""},
	{"a vector that is none", sqlDamage("UPDATE vector SET value = zeroblob(length(value)) WHERE doc = 7"), "1 damaged vector or codes", 0, ""},
	{"other codes", sqlDamage("UPDATE code SET bits = zeroblob(length(bits))"), "damaged vectors or codes", 0, ""},
	{"a relation to nothing", sqlDamage("INSERT INTO relation (brain, from_id, type, to_id, made) SELECT 1, id, 'part_of', 'ghost', 0 FROM memory WHERE seq = 7"), "1 row of the table relation that belongs to nothing", 0, "part_of"},
	{"a row of no brain", sqlDamage("INSERT INTO record (brain, kind, id, owner, key, body) VALUES (65, 'Run', 'r', '', '', '{}')"), "1 row of the table record that belongs to nothing", 0, `"brain":65`},
	{"a damaged page of an index", zeroLeaf("memory_id"), "damaged", 0, ""},
	{"a damaged page of the words", zeroLeaf("words_data"), "damaged", 0, ""},
	{"a damaged page of memories", zeroLeaf("memory"), "damaged", 60, ""},
}

// soundFile makes a file for the damages.
func soundFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "default")
	s.exact = 10
	var ms []brain.Memory
	for i := range 300 {
		m := storetest.Memory(fmt.Sprint("an okapi of the brain, long enough for some pages, number ", i))
		m.Complete()
		ms = append(ms, m)
	}
	put(t, s, ms...)
	old := ms[0]
	old.ID, old.Tier, old.EntityKey = brain.NewID(), "archivedWorking", ""
	source := storetest.Source(brain.Learning)
	must(t, s.Update(t.Context(), func(tx brain.Tx) error {
		if _, err := tx.Memories(ms[0].ID); err != nil {
			return err
		}
		var es []brain.Embedded
		for i, m := range ms[:40] {
			v := make([]float32, 70)
			v[i] = 1
			es = append(es, brain.Embedded{Passage: m.Passage(), Values: v})
		}
		return errors.Join(
			tx.PutMemories(old), tx.PutSources(source), tx.PutVectors("m", es...),
			tx.PutSections(storetest.Section("d", "f", 1, "a section"), storetest.Talk(storetest.Section("d", "t", 1, "a talk"))),
			tx.PutRelations(brain.Relation{From: source.ID, Type: brain.HasMemory, To: ms[0].ID}, brain.Relation{From: old.ID, Type: brain.PromotedTo, To: ms[0].ID}))
	}))
	must(t, s.Close())
	return path
}

// contentOf returns everything in a brain.
func contentOf(t *testing.T, s *Store) (all []brain.Page) {
	t.Helper()
	must(t, s.Dump(t.Context(), func(p brain.Page) error { all = append(all, p); return nil }))
	return all
}

func TestDamageToAFileIsNamedAndMended(t *testing.T) {
	made, noticed, mended := 0, 0, 0
	for _, d := range damagesOfAFile {
		t.Run(d.name, func(t *testing.T) {
			path := soundFile(t)
			s := open(t, path, "default")
			want := contentOf(t, s)
			if found, err := s.Inspect(t.Context()); err != nil || len(found) > 0 {
				t.Fatalf("a sound file: %+v, %v", found, err)
			}
			must(t, s.Close())
			d.do(t, path)
			made++
			s = open(t, path, "default")
			found, err := s.Inspect(t.Context())
			if text := fmt.Sprintf("%+v", found); err != nil || !strings.Contains(text, d.names) {
				t.Fatalf("named is %s, %v; want %s", text, err, d.names)
			}
			noticed++
			kept := ""
			if err := s.Repair(t.Context(), func(raw []json.RawMessage) error { kept += fmt.Sprintf("%s", raw); return nil }); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(kept, d.keeps) || d.keeps == "" && kept != "" && d.loses == 0 {
				t.Errorf("kept is %s, want %s", kept, d.keeps)
			}
			if left, err := s.Inspect(t.Context()); err != nil || len(left) > 0 {
				t.Errorf("after the repair: %+v, %v", left, err)
			}
			if diff := cmp.Diff(want, contentOf(t, s)); diff != "" && d.loses == 0 {
				t.Errorf("the brain (-want +got):\n%s", diff)
			}
			if n, unreadable := read(t, s); n < 301-d.loses || len(unreadable) > 0 {
				t.Errorf("%d memories are left, %+v", n, unreadable)
			}
			must(t, s.Update(t.Context(), func(tx brain.Tx) error {
				hits, err := tx.Search(brain.SearchQuery{Words: words.Parse("okapi"), Limit: 400})
				if len(hits) < 300-d.loses {
					t.Errorf("%d memories are found", len(hits))
				}
				return errors.Join(err, tx.PutMemories(storetest.Memory("it takes writes")))
			}))
			if !t.Failed() {
				mended++
			}
		})
	}
	t.Logf("%d damages, %d noticed, %d mended", made, noticed, mended)
}

// A row that cannot be read stays one through a repair, until it is set aside with its content.
func TestADamagedRowIsSetAside(t *testing.T) {
	for name, statement := range map[string]string{
		"another text":     "UPDATE memory SET content = 'not the same' WHERE seq = 7",
		"not a list":       "UPDATE memory SET tags = 5 WHERE seq = 7",
		"not UTF-8":        "UPDATE memory SET content = CAST(x'41ff42' AS TEXT) WHERE seq = 7",
		"an infinite one":  "UPDATE memory SET energy = 9e999 WHERE seq = 7",
		"another relation": "UPDATE relation SET made = 5 WHERE type = 'PROMOTED_TO'",
		"and a defect":     "UPDATE memory SET content = 'not the same' WHERE seq = 7; DROP INDEX memory_text",
	} {
		t.Run(name, func(t *testing.T) {
			path := soundFile(t)
			script(t, path, statement)
			var left []string
			s, err := Open(t.Context(), path, "default", Watch(brain.Watch{LeftOut: func(ids ...string) { left = append(left, ids...) }}))
			must(t, err)
			defer func() { must(t, s.Close()) }()
			keep := func(raw []json.RawMessage) error { left = append(left, fmt.Sprintf("%s", raw)); return nil }
			must(t, s.Repair(t.Context(), keep))
			_, found := read(t, s)
			if len(found) != 1 {
				t.Fatalf("named are %+v", found)
			}
			left = nil
			must(t, s.SetAside(t.Context(), found, keep))
			if text := strings.Join(left, "\n"); !strings.Contains(text, found[0].ID) || !strings.Contains(text, `"values":{"`) {
				t.Errorf("kept is %s", text)
			}
			left = nil
			n, unreadable := read(t, s)
			if want := 300; n < want || len(unreadable) > 0 {
				t.Errorf("%d memories are left, %+v", n, unreadable)
			}
			must(t, s.View(t.Context(), func(r brain.Reader) error {
				hits, err := r.Search(brain.SearchQuery{Words: words.Parse("okapi"), Limit: 400})
				c, err2 := r.Counts(time.Now())
				if len(hits) < 299 || c.ByTier["working"] != n-1 {
					t.Errorf("%d are found, counts %v", len(hits), c)
				}
				return errors.Join(err, err2)
			}))
			if len(left) > 0 {
				t.Errorf("left out is %v", left)
			}
			if defects, err := s.Inspect(t.Context()); err != nil || len(defects) > 0 {
				t.Errorf("defects: %+v, %v", defects, err)
			}
		})
	}
}

// What another process stores while a file is repaired is not lost.
func TestARepairDoesNotCopyOverAWrite(t *testing.T) {
	path := soundFile(t)
	s := open(t, path, "default")
	beside := path + ".repair"
	commits, err := s.fillBeside(t.Context(), beside, nil)
	must(t, err)
	put(t, s, storetest.Memory("meanwhile"))
	if err := s.replaceBy(t.Context(), beside, commits); !errors.Is(err, brain.ErrBusy) {
		t.Errorf("error is %v, want ErrBusy", err)
	}
	if n, unreadable := read(t, s); n != 302 || len(unreadable) > 0 {
		t.Errorf("%d memories, %+v", n, unreadable)
	}
}
