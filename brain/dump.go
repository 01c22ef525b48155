package brain

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// PageSize is the maximum number of nodes or relations in a page of a dump.
const PageSize = 500

// Page is one part of a dump.
type Page struct {
	// Outdated are ids of memories that have changed since an earlier page, in backups of
	// earlier versions. Loading this page first removes them and their relations. Those that
	// still exist are among Memories.
	Outdated  []string
	Memories  []Memory
	Sources   []Source
	Sections  []Section
	Relations []Relation
	Records   []Record
	// Unreadable are nodes that the dump leaves out.
	Unreadable []Unreadable
	// Edited are the ids of Memories that a person has changed since they were stored, true if
	// a version counts the change. A read returns what follows from such a change, like the
	// expiry that belongs to an energy; searches and runs follow once the memory is stored again.
	Edited map[string]bool
}

// Unreadable is a node or relation that cannot be decoded, or has a value that no store
// writes, such as an unknown tier.
type Unreadable struct {
	Kind string // one of the constants below, or the kind of a record; "" for a part of the file
	ID   string // "" if even that is unknown
	Why  string
}

func (u Unreadable) String() string {
	return u.Name() + " cannot be read and is left out: " + u.Why
}

// Name says what it is: "Memory ID", or what a record is for, "an action of a run (Action ID)".
func (u Unreadable) Name() string {
	what := RecordKind(u.Kind).purpose()
	switch {
	case u.Kind == "":
		return "a part of the file"
	case u.ID == "":
		return "a part of the file (" + u.Kind + ")"
	case what == "":
		return u.Kind + " " + u.ID
	}
	return what + " (" + u.Kind + " " + u.ID + ")"
}

// UnreadableRelation names a relation that cannot be read.
func UnreadableRelation(r *Relation) Unreadable {
	return Unreadable{Kind: RelationNode, ID: r.From + " " + r.Type + " " + r.To}
}

// The kinds of what is not a record, and of records whose kind is unknown.
const (
	MemoryNode   = "Memory"
	SourceNode   = "Source"
	SectionNode  = "Section"
	RelationNode = "Relation"
	RecordNode   = "Record"
)

// PageOf returns a page with nodes, relations or records.
func PageOf[T any](values []T) (p Page) {
	switch values := any(values).(type) {
	case []Memory:
		p.Memories = values
	case []Source:
		p.Sources = values
	case []Section:
		p.Sections = values
	case []Relation:
		p.Relations = values
	case []Record:
		p.Records = values
	}
	return p
}

// StoreNodes stores everything in the page except its relations.
func (p Page) StoreNodes(tx Tx) error {
	if err := tx.DeleteNodes(p.Outdated...); err != nil {
		return err
	}
	if err := tx.PutMemories(p.Memories...); err != nil {
		return err
	}
	if err := tx.PutSources(p.Sources...); err != nil {
		return err
	}
	if err := tx.PutSections(p.Sections...); err != nil {
		return err
	}
	return tx.PutRecords(p.Records...)
}

// Len returns the number of nodes and relations in the page.
func (p Page) Len() int {
	return len(p.Memories) + len(p.Sources) + len(p.Sections) + len(p.Relations) + len(p.Records)
}

// Dumper reads and replaces whole brains.
type Dumper interface {
	// Dump calls fn with everything in the brain except its leases, in pages of
	// about [PageSize]. An error of fn ends the dump and is returned unchanged. A
	// relation never comes before its ends. A memory never comes before the one
	// that it was promoted from, if the store knows the order in which they were
	// stored. Memory use does not grow with the store.
	//
	// What cannot be decoded is left out and named in Unreadable. The rest of a damaged
	// SQLite file is read as far as possible.
	//
	// On SQLite a dump is one snapshot. On Neo4j it keeps writers out: they wait for some
	// seconds, and are then told that the store is unavailable. Another dump or a load by
	// another process is waited for as long, and is then [ErrBusy].
	Dump(ctx context.Context, fn func(Page) error) error

	// Scan calls fn like Dump, with the memories of any tier or with everything else. Nobody
	// waits for it, so pages may be those of different commits on Neo4j. With everything else,
	// SQLite also checks its file and names damage that no row shows.
	Scan(ctx context.Context, memories bool, fn func(Page) error) error

	// Load replaces everything in the brain with these pages, which it reads once. It
	// leaves out relations with a missing end. Just before its first change it calls first,
	// unless first is nil. first may read the brain; from that call until Load returns,
	// nobody else writes to the brain. An error of first ends the load and is returned
	// unchanged.
	//
	// It also removes what Dump cannot read.
	//
	// After any error except [ErrUnavailable] the brain is unchanged. An error of pages is
	// returned unchanged; a duplicate unique key is [ErrConflict]. After ErrUnavailable the
	// brain may have been replaced, or will be.
	//
	// On SQLite a load is one transaction; other writers to the file wait. On Neo4j the
	// pages are first stored next to the brain and then replace it in transactions of
	// bounded size, even if ctx ends. If the process dies, the next one that opens the
	// brain or writes to it completes the load. Until then, and while first runs, updates
	// by others return ErrUnavailable. The caller must exclude maintenance and other loads.
	Load(ctx context.Context, pages iter.Seq2[Page, error], first func() error) error
}

// Archive keeps forgotten memories outside the store.
type Archive interface {
	// Append adds memories to the archive of the day and reads them back before
	// it returns nil. After an error nothing may be deleted from the store.
	Append(ctx context.Context, day time.Time, forgotten []Forgotten) (path string, err error)
	// Find returns the newest entry of a memory id, or [ErrNotFound].
	Find(ctx context.Context, id string) (Forgotten, error)
}

// Forgotten is a forgotten memory in the archive.
type Forgotten struct {
	Memory      Memory     `json:"memory"`
	Source      *Source    `json:"source,omitempty"`
	Relations   []Relation `json:"relations,omitempty"`
	ForgottenAt time.Time  `json:"forgottenAt"`
	Reason      string     `json:"reason"`
}

// Journal reads the archived runs, which are no longer in the store.
type Journal interface {
	// JournalSince returns the archived lines, as [journal.Service.JournalLines] wrote
	// them, from the month of an instant on, in order. A line may occur twice. The
	// sequence may continue after an error.
	JournalSince(ctx context.Context, month time.Time) iter.Seq2[json.RawMessage, error]
}
