package sqlite

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// damaged opens a file with some memories after a change of its content.
func damaged(t *testing.T, change func(path string, rootPage int)) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "default")
	put(t, s, storetest.Memories(600, "a text of the brain, long enough for some pages")...)
	root := 0
	must(t, s.view(t.Context(), func(t *tx) error {
		return t.one(`SELECT rootpage FROM sqlite_master WHERE name = 'memory'`, nil, &root)
	}))
	must(t, s.Close())
	change(path, root)
	return open(t, path, "default")
}

func put(t *testing.T, s *Store, ms ...brain.Memory) {
	t.Helper()
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutMemories(ms...) }))
}

// read returns how many memories a dump has, and what it names.
func read(t *testing.T, s *Store) (memories int, unreadable []brain.Unreadable) {
	t.Helper()
	must(t, s.Dump(t.Context(), func(p brain.Page) error {
		memories += len(p.Memories)
		unreadable = append(unreadable, p.Unreadable...)
		return nil
	}))
	return memories, unreadable
}

func statement(t *testing.T, sql string) func(string, int) {
	return func(path string, _ int) { script(t, path, sql) }
}

func TestADumpLeavesOutARowThatCannotBeRead(t *testing.T) {
	for name, set := range map[string]string{
		"a list":                "tags = '{'",
		"a list that is none":   "tags = 5",
		"a tier":                "tier = 'foo'",
		"a number":              "energy = 'abc'",
		"an infinite number":    "energy = 9e999",
		"a truth value":         "entity = 7",
		"a time":                "created = 'abc'",
		"a time without a year": "created = 9223372036854775807",
		"a text":                "content = CAST(x'41ff42' AS TEXT)",
		"a document":            "extra = '{'",
	} {
		t.Run(name, func(t *testing.T) {
			s := damaged(t, statement(t, "UPDATE memory SET "+set+" WHERE seq = 7"))
			n, unreadable := read(t, s)
			if n != 599 || len(unreadable) != 1 || unreadable[0].Kind != brain.MemoryNode || unreadable[0].ID == "" || unreadable[0].Why == "" {
				t.Errorf("read %d memories, %+v; want one left out", n, unreadable)
			}
		})
	}
}

// What comes before and behind a damaged page is read.
func TestADumpReadsAroundADamagedPage(t *testing.T) {
	const page = 4096
	s := damaged(t, func(path string, root int) {
		content, err := os.ReadFile(path)
		must(t, err)
		inner := content[(root-1)*page:]
		cells := int(binary.BigEndian.Uint16(inner[3:]))
		cell := binary.BigEndian.Uint16(inner[12+cells/2*2:]) // of the child in the middle
		leaf := int(binary.BigEndian.Uint32(inner[cell:]))
		clear(content[(leaf-1)*page : leaf*page])
		must(t, os.WriteFile(path, content, 0o600))
	})
	n, unreadable := read(t, s)
	if n < 500 || n > 599 || len(unreadable) != 1 || unreadable[0].Kind != brain.MemoryNode {
		t.Errorf("read %d memories, %+v; want all but those of a page", n, unreadable)
	}
	if err := s.Check(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("check: %v", err)
	}
	err := s.Load(t.Context(), func(func(brain.Page, error) bool) {}, nil)
	if !IsDamage(err) {
		t.Errorf("load: %v", err)
	}
}

func TestADumpNamesATableThatIsAway(t *testing.T) {
	s := damaged(t, statement(t, "DROP TABLE section"))
	n, unreadable := read(t, s)
	if n != 600 || len(unreadable) != 1 || unreadable[0].Kind != brain.SectionNode {
		t.Errorf("read %d memories, %+v", n, unreadable)
	}
}

func TestAWholeFileIsNotDamaged(t *testing.T) {
	s := damaged(t, func(string, int) {})
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A copy has what is in the log only, and is a file of its own.
func TestKeepCopy(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(dir, "brain.db"), "default")
	put(t, s, storetest.Memories(3, "a text")...)
	for _, want := range []string{"broken-20260301_120000.db", "broken-20260301_120000-2.db"} {
		path, err := s.KeepCopy(t.Context(), now)
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("copied to %s, %v; want %s", path, err, want)
		}
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("the copy has mode %v", info.Mode())
		}
		if n, _ := read(t, open(t, path, "default")); n != 3 {
			t.Errorf("the copy has %d memories", n)
		}
	}
	put(t, s, storetest.Memories(1, "another")...)
}

// What is only in the log of a file that is set aside goes with it.
func TestSetAsideTakesTheLogAlong(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(dir, "brain.db")
	s := open(t, path, "default")
	put(t, s, storetest.Memories(3, "a text")...)
	aside, err := SetAside(path, "broken", now)
	must(t, err)
	if n, _ := read(t, open(t, aside, "default")); n != 3 {
		t.Errorf("%s has %d memories", aside, n)
	}
	if n, _ := read(t, open(t, path, "default")); n != 0 {
		t.Errorf("the new file has %d memories", n)
	}
	if next, err := SetAside(path, "broken", now); err != nil || next == aside {
		t.Errorf("set aside to %s, %v", next, err)
	}
}

// A damaged memory that is stored again or removed counts no more than others.
func TestDamagedMemoriesCountOnceWhenTheyAreReplaced(t *testing.T) {
	s := damaged(t, statement(t, `UPDATE memory SET content = content || '!' WHERE doc IN (SELECT doc FROM memory ORDER BY seq LIMIT 2)`))
	_, unreadable := read(t, s)
	if len(unreadable) != 2 {
		t.Fatalf("unreadable %+v", unreadable)
	}
	again := storetest.Memory("a text that is stored again")
	again.ID = unreadable[0].ID
	put(t, s, again)
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.DeleteNodes(unreadable[1].ID) }))
	n, left := read(t, s)
	must(t, s.View(t.Context(), func(r brain.Reader) error {
		counts, err := r.Counts(time.Now())
		if counts.ByTier[again.Tier] != n || n != 599 || len(left) != 0 {
			t.Errorf("counted %d, read %d, cannot read %v", counts.ByTier[again.Tier], n, left)
		}
		return err
	}))
}

// With other numbers every energy would be wrong, so damaged ones are no default ones.
func TestDamagedLifecycleNumbersAreNoNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "default")
	numbers, err := brain.NewRecord(brain.ConfigRecord, brain.CurrentPolicy, brain.PolicyOwner, "", time.Now(), brain.PolicyBody{Numbers: map[string]float64{"lambda.working": 0.001}})
	must(t, err)
	must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutRecords(numbers) }))
	must(t, s.Close())
	script(t, path, `UPDATE record SET body = replace(body, '0.001', '0.002') WHERE id = 'current'`)
	err = open(t, path, "default").View(t.Context(), func(r brain.Reader) error {
		_, err := brain.ReadPolicy(r)
		return err
	})
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("damaged numbers are read with %v", err)
	}
}

func TestADamagedRelationIsStoredAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s := open(t, path, "default")
	ms := storetest.Memories(2, "a text")
	put(t, s, ms...)
	r := brain.Relation{From: ms[0].ID, Type: "related_to", To: ms[1].ID, Made: 7}
	store := func(r brain.Relation) {
		must(t, s.Update(t.Context(), func(tx brain.Tx) error { return tx.PutRelations(r) }))
	}
	store(r)
	must(t, s.Close())
	script(t, path, "UPDATE relation SET made = 8")
	s = open(t, path, "default")
	store(r)
	later := r
	later.Made = 9
	store(later) // the first one counts
	must(t, s.View(t.Context(), func(reader brain.Reader) error {
		rs, err := reader.Relations(r.From)
		if len(rs) != 1 || rs[0] != r {
			t.Errorf("the relations are %v, want %v", rs, r)
		}
		return err
	}))
}
