package brain

import (
	"encoding/json"
	"time"
)

// RecordKind is the label of a node of the book-keeping: everything in the
// graph that is neither memory, source nor section.
type RecordKind string

// The kinds of records. All of them are in a backup.
const (
	RunRecord       RecordKind = "Run"                 // id: run
	ActionRecord    RecordKind = "Action"              // owner: run, key: root of the main subject
	UseEventRecord  RecordKind = "UseEvent"            // owner: root of the memory, key: session
	TombstoneRecord RecordKind = "Tombstone"           // owner: forgotten memory, key: identity or content hash
	NoteFileRecord  RecordKind = "NoteFile"            // owner: notes directory, key: path
	PendingRecord   RecordKind = "PendingRelation"     // owner: from, key: hash of the name it waits for
	RedirectRecord  RecordKind = "Redirect"            // id: the id that is gone, key: where it leads
	ConfigRecord    RecordKind = "ConsolidationConfig" // id "current" for the one with no validTo
	NotesDirRecord  RecordKind = "NotesDirectory"      // id: notes directory
)

// RecordKinds lists every kind, for schemas and backups.
func RecordKinds() []RecordKind {
	return []RecordKind{
		RunRecord, ActionRecord, UseEventRecord, TombstoneRecord, NoteFileRecord,
		PendingRecord, RedirectRecord, ConfigRecord, NotesDirRecord, CheckpointRecord,
	}
}

// Record is one node of the book-keeping. Kind and ID are unique within the
// brain. Owner and Key are what it is looked up by besides, At is the order
// within an owner (ties by ID). Body is a JSON object with everything else;
// Neo4j shows its plain values as properties too.
type Record struct {
	Kind  RecordKind      `json:"kind"`
	ID    string          `json:"id"`
	Owner string          `json:"owner,omitempty"`
	Key   string          `json:"key,omitempty"`
	At    time.Time       `json:"at"`
	Body  json.RawMessage `json:"body,omitempty"`
}
