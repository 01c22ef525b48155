package brain

import (
	"context"
	"time"
)

// Store is one open database, bound to one brain. Its methods are safe for
// concurrent use, and several processes may have the same brain open at once. It
// never reads or writes another brain.
//
// Every call ends when its context does. An error wraps one of the sentinels of this
// package or the error of the context, or is an internal one. After any error of Update
// except ErrUnavailable, nothing was stored.
type Store interface {
	// View runs fn for reading. On SQLite fn sees one snapshot. On Neo4j it sees committed
	// data: two reads, and even two properties of one node, may be those of different commits
	// of other processes. No result has duplicates. fn may run again after a lost
	// connection, so its only side effects may be assignments that it repeats. Its error is
	// returned unchanged.
	View(ctx context.Context, fn func(Reader) error) error

	// Update runs fn in one transaction. When it returns nil, all writes of fn are
	// durable: they survive kill -9 and loss of power. When fn returns an error,
	// none is stored, and the error is returned unchanged.
	//
	// Two Updates that read the same memory, source or record by id do not
	// interleave: what fn reads by id is locked until the end. Other reads take no lock, and on
	// Neo4j they see what View sees; read again by id before deciding. fn sees its own writes in
	// reads by id, by owner and by key; whether Search, ListMemories and Counts see them before
	// the commit depends on the store.
	//
	// fn may run more than once (deadlock, lost connection, a commit whose outcome is
	// unknown), even after a run was committed. Each run must repeat all its assignments
	// and be idempotent by id: it first looks up the id that it writes, and does nothing if
	// that exists.
	//
	// A unique key that is taken (entity, outcome, section) is ErrConflict.
	// ErrUnavailable means that the outcome is unknown: the write may be stored.
	Update(ctx context.Context, fn func(Tx) error) error

	// AwaitWriters returns when every Update of any process that began before has ended.
	AwaitWriters(ctx context.Context) error

	Leaser
	Dumper
	Mender

	// Info describes the store without accessing it.
	Info() StoreInfo

	// Version returns a mark of what is committed, whatever process wrote it: after every
	// commit to the brain it is another one. On Neo4j it also changes with other brains of the
	// database.
	Version(ctx context.Context) (string, error)

	// Close waits for calls in progress and releases everything. The store cannot
	// be used afterwards.
	Close() error
}

// StoreInfo describes a store to people: the first line of status.
type StoreInfo struct {
	Kind  string // "sqlite" or "neo4j"
	URI   string // without any secret
	Brain string

	Editable bool // people may change its memories by hand
}

// Reader reads one brain. Results come in the order of the given ids or keys,
// without those that do not exist; otherwise in the order that the method names.
type Reader interface {
	MemoryReader
	MemoryLister
	MemoryCounter
	NodeReader
	RelationReader
	RecordReader
	Searcher
	VectorReader

	// WhyUnreadable returns why a node or record that was looked for in this transaction is left
	// out, nil if it is not, and what to do next.
	WhyUnreadable(id string) (next string, why error)
}

// Tx reads and writes one brain inside [Store.Update].
type Tx interface {
	Reader
	MemoryWriter
	NodeWriter
	RecordWriter
	VectorWriter
}

// MemoryReader reads memories.
type MemoryReader interface {
	// Memories returns the memories with these ids in any tier. Inside Update it
	// locks them, in an order that cannot deadlock.
	Memories(ids ...string) ([]Memory, error)

	// Matching returns the ids with one of these prefixes of all nodes that can be
	// shown (memories, sources, sections, runs, redirects), ascending, each once, at
	// most limit for each prefix.
	Matching(limit int, prefixes ...string) ([]string, error)
}

// MemoryLister lists memories in an order that the store keeps, or by a condition that it
// has an index for.
type MemoryLister interface {
	// ListMemories returns the lists of these filters one after the other, see [ListFilter].
	// The time it takes depends on the limits, not on the size of the store, unless few
	// memories of a tier, a group or the brain match the rest of a filter. A list by keys sees
	// the writes of fn inside Update. One by text makes other Updates of the brain that list by
	// text wait until this one has ended: of two that store a text unless it is there, one does.
	ListMemories(fs ...ListFilter) ([]Memory, error)

	// Written returns memories of any tier in the order in which their texts were stored or
	// replaced, at most limit (above 0), after a mark. next is the mark to continue from;
	// jobs keep it in a checkpoint. "" and a mark from another brain or store, as after a
	// restore, mean the beginning. Fewer memories than limit mean the end.
	//
	// A reader that continues from next to the end, and later from the next of that end,
	// gets every text at least once, even if its transaction was open while a mark was read
	// and was committed much later. It may get a memory again that was stored without a
	// change of its text and, on Neo4j if others are new, those of the last two minutes before
	// the end that it reached. Texts stored within one millisecond may come in any order. The time it takes
	// depends only on limit.
	Written(after string, limit int) (ms []Memory, next string, err error)
}

// MemoryCounter counts memories.
type MemoryCounter interface {
	// Counts counts memories by tier as stored, and the live ones that are past
	// their expiresAt at now, due for promotion or not.
	Counts(now time.Time) (Counts, error)
}

// MemoryWriter writes memories.
type MemoryWriter interface {
	// PutMemories inserts memories or replaces those with the same ids, and updates the
	// search index. A new archived or superseded one may share the place in the index of a memory
	// with the same text that fn has read.
	PutMemories(ms ...Memory) error

	// PutLives stores only the fields of memories that [Memory.SetLife] sets, never their
	// text. It skips memories that do not exist.
	PutLives(ms ...Memory) error
}

// NodeReader reads source nodes and sections of notes.
type NodeReader interface {
	// Sources returns the sources with these ids; inside Update it locks them.
	Sources(ids ...string) ([]Source, error)
	// ListSources returns sources, see [SourceFilter].
	ListSources(f SourceFilter) ([]Source, error)

	// Sections returns the sections with these ids.
	Sections(ids ...string) ([]Section, error)
	// SectionsByFile returns the sections of these files, by file and line.
	SectionsByFile(dir string, files ...string) ([]Section, error)
}

// SourceFilter chooses sources and their order: newest first, with By by file and line. Ties
// are by id.
type SourceFilter struct {
	// By lists the outcomes with one of Keys; a reminder in a note counts as an outcome. With
	// [ByFile], Keys are files of the notes directory Dir, and removed outcomes are included.
	By      Key
	Keys    []string
	Dir     string
	Kind    SourceKind // "" for all
	Open    bool       // only reminders that are neither done nor removed from their note
	Project *string    // nil: any; pointer to "": no project
	// Limit is above 0 without By. With By, which must be [ByTitle], it is that of each key, 0 for
	// all: latest date and time first, ties by id.
	Limit int
}

// NodeWriter writes source nodes, sections of notes and relations.
type NodeWriter interface {
	// PutSources inserts sources or replaces those with the same ids.
	PutSources(ss ...Source) error
	// PutSections inserts sections or replaces those with the same ids, and updates the
	// search index.
	PutSections(ss ...Section) error
	// DeleteNodes removes the memories, sources and sections with these ids, and all their
	// relations. Ids that do not exist are ignored.
	DeleteNodes(ids ...string) error
	// PutRelations stores relations. A relation that exists is left as it is, with its
	// Made. Relations of built-in types have no Made. The ends of a relation are memories,
	// sources or sections; a missing end is ErrNotFound.
	PutRelations(rs ...Relation) error
	// DeleteRelations removes relations. Relations that do not exist are ignored.
	DeleteRelations(rs ...Relation) error
}

// RelationReader reads relations.
type RelationReader interface {
	// Relations returns every relation from or to one of these ids, including
	// HAS_MEMORY, PROMOTED_TO and SUPERSEDES, each once, in the order of
	// [Relation.Compare].
	Relations(ids ...string) ([]Relation, error)
}

// RecordReader reads records.
type RecordReader interface {
	// Records returns the records of a kind with these ids; inside Update it locks
	// them.
	Records(kind RecordKind, ids ...string) ([]Record, error)
	// ListRecords returns records of a kind, see [RecordFilter].
	ListRecords(kind RecordKind, f RecordFilter) ([]Record, error)
}

// RecordFilter chooses records of a kind: with By those with one of these owners ([ByOwner]) or
// keys ([ByKey]), At ascending, ties by id; otherwise the latest, At descending, ties by id
// descending.
type RecordFilter struct {
	By     Key
	Keys   []string
	Before time.Time // zero: no bound; without By
	Limit  int       // above 0 without By, which has none
}

// RecordWriter writes records.
type RecordWriter interface {
	// PutRecords inserts records or replaces those with the same kind and id.
	PutRecords(rs ...Record) error
	// DeleteRecords removes records of a kind. Ids that do not exist are ignored.
	DeleteRecords(kind RecordKind, ids ...string) error
}

// Leaser grants leases: named locks that one process at a time holds. With Neo4j the
// processes may be on several machines.
type Leaser interface {
	// Lease takes the lease with this name or fails at once with a [HeldError].
	// A lease lasts 60 seconds by the clock of the store and is renewed every 20
	// seconds until it is released. The lease of another holder can be taken when
	// it has expired, or at once if dead returns true for the holder.
	Lease(ctx context.Context, name string, h Holder, dead func(Holder) bool) (Lease, error)
}

// Holder names a process.
type Holder struct {
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	Token string `json:"token"` // random, new for each lease taken
}

// Lease is a lock that is held.
type Lease interface {
	// Lost is closed when the lease could not be kept.
	Lost() <-chan struct{}
	// Release ends the lease and waits for its renewal to end. It may be called
	// more than once.
	Release() error
}
