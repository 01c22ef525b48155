package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/tiers"
)

func tornCases() []testCase {
	return []testCase{
		{"nothing is read twice, or half deleted", tornReads},
		{"nothing is read half written by id inside Update", tornUpdates},
	}
}

// What the writer of the torn cases keeps putting, rewriting and deleting.
const (
	tornNodes  = 6
	tornRounds = 40
	tornDir    = "torn dir"
	tornFile   = "torn.md"
	tornOwner  = "torn owner"
	tornKey    = "torn key"
)

// tornText is a text of that version, of a length that changes with it, so
// that the new one does not fit where the old one was.
func tornText(what string, version int) string {
	return fmt.Sprintf("%s torn %d", what, version) + strings.Repeat(fmt.Sprint(" ", version), 1+max(version, 0)%7*20)
}

// tornMemory is memory no: its text of one version, its life of another.
func tornMemory(no, text, life int) brain.Memory {
	m := Memory(tornText("content", text))
	m.ID = fmt.Sprint("torn memory ", no)
	m.Root, m.Name, m.NameKey = m.ID, tornText("name", text), Hash("torn name")
	m.Tags, m.Observations = []string{"torn", fmt.Sprint("v", text)}, []string{tornText("observation", text)}
	m.Severity, m.Origin, m.SessionID, m.Agent = fmt.Sprint(text), tornText("origin", text), fmt.Sprint("s", text), tornText("agent", text)
	if text%2 == 0 {
		m.Project, m.Retention, m.AppliesTo = "atlas", "none", []string{fmt.Sprint("a", text)}
	}
	m.Tier = tiers.Core
	m.Energy, m.PeakEnergy, m.Base = float64(life)+.25, float64(life)+.5, float64(life)+.75
	m.LastDecay, m.BaseAt, m.ValidFrom = Hours(float64(life)), Hours(float64(life)+1), Hours(float64(life)+2)
	m.ExpiresAt = time.Time{}
	m.UseCount, m.RecallCount, m.AccessCount, m.Version, m.Position = life, life, life, life, life
	m.Group, m.SourceNodeID = tornText("group", life), fmt.Sprint("source ", life)
	if life%3 == 0 {
		m.ExpiresAt, m.PromoteDue, m.LastUsed = Hours(float64(life)+3), Hours(float64(life)+4), Hours(float64(life)+5)
	}
	return m
}

func tornSource(no, version int) brain.Source {
	s := OutcomeAt(tornDir, tornFile, version+1)
	s.ID = fmt.Sprint("torn source ", no)
	s.Title, s.TitleKey, s.Key = tornText("title", version), Hash("torn title"), Hash(s.ID)
	s.Body, s.BodyHash, s.Tags = tornText("body", version), Hash(fmt.Sprint(version)), []string{fmt.Sprint("v", version)}
	if version%2 == 0 {
		s.Removed, s.Project = Hours(float64(version)), ""
	}
	return s
}

func tornSection(no, version int) brain.Section {
	s := Section(tornDir, tornFile, version+1, tornText("text", version))
	s.ID = fmt.Sprint("torn section ", no)
	s.Key, s.Heading, s.Modified = Hash(s.ID), tornText("heading", version), Hours(float64(version))
	return s
}

func tornRecord(no, version int) brain.Record {
	r := Record(brain.NoteFileRecord, tornOwner, tornKey, Hours(float64(version)))
	r.ID = fmt.Sprint("torn record ", no)
	r.Body = json.RawMessage(fmt.Sprintf(`{"version":%d,"text":%q,"n%d":1}`, version, tornText("body", version), version%5))
	return r
}

func tornRelation(no int) brain.Relation {
	return brain.Relation{
		From: fmt.Sprint("torn memory ", no), Type: "torn relation", To: fmt.Sprint("torn memory ", (no+1)%tornNodes),
	}
}

// tornRound deletes every third node and puts or rewrites the others; in a
// transaction of its own it then changes the lives of the memories.
func tornRound(b *db, round int) error {
	version := 2 * round
	err := b.Update(b.ctx(), func(tx brain.Tx) error {
		var errs []error
		there := func(no int) bool { return (round+no)%3 != 0 }
		for no := range tornNodes {
			if !there(no) {
				errs = append(errs, tx.DeleteMemories(tornMemory(no, 0, 0).ID), tx.DeleteSources(tornSource(no, 0).ID),
					tx.DeleteSections(tornSection(no, 0).ID), tx.DeleteRecords(brain.NoteFileRecord, tornRecord(no, 0).ID))
				continue
			}
			errs = append(errs, tx.PutMemories(tornMemory(no, version, version)), tx.PutSources(tornSource(no, version)),
				tx.PutSections(tornSection(no, version)), tx.PutRecords(tornRecord(no, version)))
		}
		for no := range tornNodes {
			if there(no) && there((no+1)%tornNodes) {
				errs = append(errs, tx.PutRelations(tornRelation(no)))
			}
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return err
	}
	return b.Update(b.ctx(), func(tx brain.Tx) error {
		var lives []brain.Memory
		for no := range tornNodes {
			lives = append(lives, tornMemory(no, version, version+1))
		}
		return tx.PutLives(lives...)
	})
}

// tornNo is the number at the end of an id; -1 for what has none.
func tornNo(id string) int {
	var what string
	no := -1
	_, _ = fmt.Sscanf(id, "torn %s %d", &what, &no)
	return no
}

// difference returns how a value that was read differs from the written one.
func difference(what string, want, got any) error {
	anyJSON := func(x, y json.RawMessage) bool { return len(x) > 0 || len(y) > 0 }
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.FilterValues(anyJSON, cmp.Comparer(sameJSON))); diff != "" {
		return fmt.Errorf("%s was never written (- nearest version, + read):\n%s", what, diff)
	}
	return nil
}

func wholeMemory(m brain.Memory) error {
	text := -1
	_, _ = fmt.Sscan(m.Severity, &text)
	want := tornMemory(tornNo(m.ID), text, m.UseCount)
	if m.UseCount != text && m.UseCount != text+1 {
		return fmt.Errorf("memory %q has the text of version %d and the life of %d", m.ID, text, m.UseCount)
	}
	want.Created, want.Tier = m.Created, m.Tier
	return difference("the memory", want, m)
}

func wholeSource(s brain.Source) error {
	return difference("the source", tornSource(tornNo(s.ID), s.Line-1), s)
}

func wholeSection(s brain.Section) error {
	return difference("the section", tornSection(tornNo(s.ID), s.Line-1), s)
}

func wholeRecord(r brain.Record) error {
	var body struct{ Version int }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return fmt.Errorf("record %q with the body %q: %w", r.ID, r.Body, err)
	}
	return difference("the record", tornRecord(tornNo(r.ID), body.Version), r)
}

func wholeRelation(r brain.Relation) error {
	return difference("the relation", tornRelation(tornNo(r.From)), r)
}

// all checks each of the values that a read gave, and that none is there twice.
func all[T any](values []T, err error, id func(T) string, whole func(T) error) error {
	if err != nil {
		return err
	}
	var errs []error
	seen := make(map[string]bool)
	for _, v := range values {
		if seen[id(v)] {
			errs = append(errs, fmt.Errorf("%q is there twice", id(v)))
		}
		seen[id(v)] = true
		errs = append(errs, tornID(id(v)), whole(v))
	}
	return errors.Join(errs...)
}

// known is a check that lets any value pass: what is read while others write may be of two
// commits.
func known[T any](T) error { return nil }

func memoryID(m brain.Memory) string { return m.ID }

// tornByID is every kind of read by id, by name. Update locks what they read.
func tornByID() map[string]func(brain.Reader) error {
	var memories, sources, sections, records []string
	for no := range tornNodes {
		memories, sources = append(memories, tornMemory(no, 0, 0).ID), append(sources, tornSource(no, 0).ID)
		sections, records = append(sections, tornSection(no, 0).ID), append(records, tornRecord(no, 0).ID)
	}
	return map[string]func(brain.Reader) error{
		"memories by id": func(r brain.Reader) error {
			ms, err := r.Memories(memories...)
			return all(ms, err, memoryID, wholeMemory)
		},
		"sources by id": func(r brain.Reader) error {
			ss, err := r.Sources(sources...)
			return all(ss, err, sourceID, wholeSource)
		},
		"sections by id": func(r brain.Reader) error {
			ss, err := r.Sections(sections...)
			return all(ss, err, sectionID, wholeSection)
		},
		"records by id": func(r brain.Reader) error {
			rs, err := r.Records(brain.NoteFileRecord, records...)
			return all(rs, err, recordID, wholeRecord)
		},
	}
}

// tornReading is every other kind of read, by name.
func tornReading() map[string]func(brain.Reader) error {
	ofMemories := func(ms []brain.Memory, err error) error { return all(ms, err, memoryID, known) }
	ofSources := func(ss []brain.Source, err error) error { return all(ss, err, sourceID, known) }
	ofRecords := func(rs []brain.Record, err error) error { return all(rs, err, recordID, known) }
	keys := []string{Hash(tornSource(0, 0).ID), Hash(tornSource(1, 0).ID)}
	return map[string]func(brain.Reader) error{
		"memories by name": func(r brain.Reader) error {
			return ofMemories(r.MemoriesByName([]string{Hash("torn name")}, 99))
		},
		"lists": func(r brain.Reader) error {
			return ofMemories(r.Strongest(brain.ListFilter{Tier: tiers.Core, Limit: 99}))
		},
		"sources by file":    func(r brain.Reader) error { return ofSources(r.SourcesByFile(tornDir, tornFile)) },
		"sources by key":     func(r brain.Reader) error { return ofSources(r.SourcesByKey(keys...)) },
		"sources by title":   func(r brain.Reader) error { return ofSources(r.SourcesByTitle([]string{Hash("torn title")}, 99)) },
		"sources by instant": func(r brain.Reader) error { return ofSources(r.ListSources(brain.SourceFilter{Limit: 99})) },
		"sections by file": func(r brain.Reader) error {
			ss, err := r.SectionsByFile(tornDir, tornFile)
			return all(ss, err, sectionID, known)
		},
		"records by owner":   func(r brain.Reader) error { return ofRecords(r.RecordsByOwner(brain.NoteFileRecord, tornOwner)) },
		"records by key":     func(r brain.Reader) error { return ofRecords(r.RecordsByKey(brain.NoteFileRecord, tornKey)) },
		"the latest records": func(r brain.Reader) error { return ofRecords(r.LatestRecords(brain.NoteFileRecord, time.Time{}, 99)) },
		"relations":          tornRelations,
		"due": func(r brain.Reader) error {
			due, err := r.Due(Hours(10_000))
			return all(due, err, func(d brain.Due) string { return d.ID }, known)
		},
		"ids with a prefix": tornIDs,
		"search":            tornSearch,
	}
}

func sourceID(s brain.Source) string   { return s.ID }
func sectionID(s brain.Section) string { return s.ID }
func recordID(r brain.Record) string   { return r.ID }

func tornRelations(r brain.Reader) error {
	var ids []string
	for no := range tornNodes {
		ids = append(ids, tornMemory(no, 0, 0).ID)
	}
	rs, err := r.Relations(ids...)
	return all(rs, err, func(r brain.Relation) string { return r.From }, wholeRelation)
}

func tornIDs(r brain.Reader) error {
	ids, err := r.Matching(99, "")
	return all(ids, err, func(id string) string { return id }, known)
}

func tornID(id string) error {
	if no := tornNo(id); no < 0 || no >= tornNodes {
		return fmt.Errorf("%q is no id that was ever given", id)
	}
	return nil
}

func tornSearch(r brain.Reader) error {
	hits, err := r.Search(brain.SearchQuery{Words: words.Parse("torn"), Limit: 99})
	return all(hits, err, func(h brain.Hit) string { return h.ID }, known)
}

// tornRace lets one handle write its rounds, and others read until it is done.
func tornRace(t *testing.T, h harness, read func(b *db, reading func(brain.Reader) error) error) {
	b := h.brain(t)
	if err := tornRound(b, 0); err != nil {
		t.Fatal(err)
	}
	var done atomic.Bool
	err := together(3, []*db{b, b.again(), b.again()}, func(i int, b *db) error {
		if i == 0 {
			defer done.Store(true)
			return tornWriter(b)
		}
		for !done.Load() {
			for what, reading := range tornReading() {
				if err := read(b, reading); err != nil {
					return fmt.Errorf("%s: %w", what, err)
				}
			}
			for what, reading := range tornByID() { // those of View may be of two commits
				if err := b.Update(b.ctx(), func(tx brain.Tx) error { return reading(tx) }); err != nil {
					return fmt.Errorf("%s: %w", what, err)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func tornWriter(b *db) error {
	for round := range tornRounds {
		if err := tornRound(b, round+1); err != nil {
			return err
		}
	}
	return nil
}

func tornReads(t *testing.T, h harness) {
	tornRace(t, h, func(b *db, reading func(brain.Reader) error) error { return b.View(b.ctx(), reading) })
}

func tornUpdates(t *testing.T, h harness) {
	tornRace(t, h, func(b *db, reading func(brain.Reader) error) error {
		return b.Update(b.ctx(), func(tx brain.Tx) error { return reading(tx) })
	})
}
