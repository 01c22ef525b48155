package lifecycle

import (
	"maps"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// Known are current memories by what they say. The zero value knows nothing.
type Known struct {
	byText  map[string][]brain.Memory // oldest first
	sources map[string]brain.Source   // of these memories, by id
}

// ReadKnown reads the memories with these text keys, see [brain.Memory.TextKey].
func ReadKnown(r brain.Reader, keys ...string) (Known, error) {
	k := Known{byText: map[string][]brain.Memory{}, sources: map[string]brain.Source{}}
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "" })
	ms, err := r.ListMemories(brain.ListFilter{By: brain.ByText, Keys: keys})
	if err != nil || len(ms) == 0 {
		return k, err
	}
	ms = Get(&err, r.Memories, brain.IDs(ms)...) // which locks them
	slices.SortStableFunc(ms, func(a, b brain.Memory) int { return a.Created.Compare(b.Created) })
	for _, m := range ms {
		if m.Current() {
			k.byText[m.TextKey()] = append(k.byText[m.TextKey()], m)
		}
	}
	for _, s := range Get(&err, r.Sources, SourceIDs(ms)...) {
		k.sources[s.ID] = s
	}
	return k, err
}

// Find returns the memory that says the same as m, which is not stored yet, in the same
// words. s is the source of m, nil for none. A reminder that is done does not count, nor one
// that is due on another day than a reminder s.
func (k Known) Find(m *brain.Memory, s *brain.Source) (found brain.Memory, ok bool) {
	for _, held := range k.byText[m.TextKey()] {
		reminder := k.sources[held.SourceNodeID]
		if held.MemoryType == "reminder" && (!reminder.Done.IsZero() || s != nil && s.Kind == brain.Reminder && !sameDay(s.Due, reminder.Due)) {
			continue
		}
		return held, m.TextKey() != ""
	}
	return brain.Memory{}, false
}

func sameDay(a, b time.Time) bool {
	return a.IsZero() == b.IsZero() && a.Local().Format(time.DateOnly) == b.Local().Format(time.DateOnly)
}

// Clone returns a copy, to which [Known.Put] can add.
func (k Known) Clone() Known {
	clone := Known{byText: make(map[string][]brain.Memory, len(k.byText)), sources: make(map[string]brain.Source, len(k.sources))}
	for key, ms := range k.byText {
		clone.byText[key] = slices.Clone(ms)
	}
	maps.Copy(clone.sources, k.sources)
	return clone
}

// Put adds a memory with its source, nil for none, or replaces it.
func (k Known) Put(m brain.Memory, s *brain.Source) {
	if s != nil {
		k.sources[s.ID] = *s
	}
	same := k.byText[m.TextKey()]
	if i := slices.IndexFunc(same, func(held brain.Memory) bool { return held.ID == m.ID }); i >= 0 {
		same[i] = m
	} else if m.TextKey() != "" {
		k.byText[m.TextKey()] = append(same, m)
	}
}

// Drop removes a memory.
func (k Known) Drop(m brain.Memory) {
	k.byText[m.TextKey()] = slices.DeleteFunc(k.byText[m.TextKey()], func(held brain.Memory) bool { return held.ID == m.ID })
}

// Confirmed returns a known memory after m, with the source s or none, said the same: with
// the higher importance and the tags of both. Its type yields if it is note. Its own source
// yields if that is no longer in its note, and an open reminder follows its newest one.
func (k Known) Confirmed(held brain.Memory, m *brain.Memory, s *brain.Source) brain.Memory {
	held.Importance = held.Importance.Higher(m.Importance)
	held.Tags = brain.Union(slices.Clip(held.Tags), m.Tags)
	if held.MemoryType == "note" && m.MemoryType != "" {
		held.MemoryType = m.MemoryType
	}
	held.Version++
	gone := !k.sources[held.SourceNodeID].Removed.IsZero()
	switch {
	case s == nil && gone:
		held.SourceNodeID = ""
	case s != nil && (gone || s.Kind == brain.Reminder && held.MemoryType == "reminder"):
		held.SourceNodeID, held.Group, held.Position = s.ID, m.Group, m.Position
	}
	return held
}

// PutRedirect lets the id of what was said again lead to the memory that is known.
func PutRedirect(tx brain.RecordWriter, from, to string, at time.Time) error {
	return PutRecord(tx, brain.RedirectRecord, from, "", to, at, struct{}{})
}
