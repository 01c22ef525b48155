package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
)

func tornCases() []testCase {
	return []testCase{{"nothing is read twice, and by id inside Update nothing is half written", tornReads}}
}

const tornParcels, tornRounds = 6, 25

// tornParcel is parcel no in a version that all its fields tell, of a length that changes
// with it, so that a new text does not fit where the old one was.
func tornParcel(no, version int) parcel {
	text := "parcel torn" + strings.Repeat(fmt.Sprint(" ", version), 1+version%7*20)
	at := Hours(float64(version))
	m := Memory(text)
	m.ID = fmt.Sprintf("torn memory %d", no)
	m.Name, m.Tags, m.Severity, m.Origin = text, []string{text}, text, text
	m.EntityKey, m.Energy, m.LastDecay, m.BaseAt, m.ValidFrom = Hash(m.ID), float64(version)+.25, at, at, at
	m.UseCount, m.RecallCount, m.Version, m.Group = version, version, version, text
	s := OutcomeAt("d", "torn.md", version+1)
	s.ID = fmt.Sprintf("torn source %d", no)
	s.Key, s.Title, s.TitleKey, s.Body, s.Tags = Hash(s.ID), text, Hash("torn"), text, []string{text}
	section := Section("d", "torn.md", version+1, text)
	section.ID = fmt.Sprintf("torn section %d", no)
	section.Key, section.Heading, section.Modified = Hash(section.ID), text, at
	if version%2 == 0 {
		m.Project, m.PromoteDue, m.LastUsed, s.Removed, s.Project = "atlas", at, at, at, ""
	}
	r := Record(brain.NoteFileRecord, "torn", "torn", at)
	r.ID, r.Body = fmt.Sprintf("torn record %d", no), json.RawMessage(fmt.Sprintf(`{"text":%q,"n%d":1}`, text, version%5))
	return parcel{m, s, section, brain.Relation{From: s.ID, Type: brain.HasMemory, To: m.ID}, r}
}

func tornThere(no, version int) bool { return (version+no)%3 > 0 }

// tornRound stores a version of the parcels, but removes every third.
func tornRound(version int) func(brain.Tx) error {
	return func(tx brain.Tx) (err error) {
		for no := range tornParcels {
			if p := tornParcel(no, version); tornThere(no, version) {
				err = errors.Join(err, p.put(tx), tx.PutLives(p.memory))
			} else {
				err = errors.Join(err, p.remove(tx))
			}
		}
		return err
	}
}

// tornByID reads a parcel by its ids, which Update locks, and expects that each node was written so.
func tornByID(tx brain.Tx, no int) error {
	p := tornParcel(no, 0)
	ms, err := tx.Memories(p.memory.ID)
	ss, sourceErr := tx.Sources(p.source.ID)
	parts, sectionErr := tx.Sections(p.section.ID)
	rs, recordErr := tx.Records(p.record.Kind, p.record.ID)
	diff := ""
	for _, m := range ms {
		diff += cmp.Diff(tornParcel(no, m.UseCount).memory, m, equal())
	}
	for _, s := range ss {
		diff += cmp.Diff(tornParcel(no, s.Line-1).source, s, equal())
	}
	for _, s := range parts {
		diff += cmp.Diff(tornParcel(no, s.Line-1).section, s, equal())
	}
	for _, r := range rs {
		diff += cmp.Diff(tornParcel(no, int(r.At.Sub(Start).Hours())).record, r, equal())
	}
	if diff != "" {
		return fmt.Errorf("this was never written (- nearest version, + read):\n%s", diff)
	}
	return errors.Join(err, sourceErr, sectionErr, recordErr)
}

// tornTwice reads all parcels by all that they share: an id may be there once only.
func tornTwice(r brain.Reader) error {
	for what, read := range everyRead(tornParcel(0, 0)) {
		ids, err := read(r)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if slices.Sort(ids); len(slices.Compact(slices.Clone(ids))) < len(ids) {
			return fmt.Errorf("%s: an id is there twice: %v", what, ids)
		}
	}
	return nil
}

// tornReads lets one handle write its rounds, and two others read until it is done.
func tornReads(t *testing.T, b *db) {
	b.update(tornRound(0))
	var done atomic.Bool
	err := together(3, []*db{b, b.again(), b.again()}, func(i int, b *db) error {
		if i > 0 {
			for n := 0; !done.Load(); n++ {
				err := b.Update(b.ctx(), func(tx brain.Tx) error { return tornByID(tx, n%tornParcels) })
				if n%4 == 0 {
					err = errors.Join(err, b.Update(b.ctx(), func(tx brain.Tx) error { return tornTwice(tx) }), b.View(b.ctx(), tornTwice))
				}
				if err != nil {
					return err
				}
			}
			return nil
		}
		defer done.Store(true)
		for version := range tornRounds {
			if err := b.Update(b.ctx(), tornRound(version)); err != nil {
				return err
			}
		}
		return nil
	})
	works(t, "readers and the writer", err)
}
