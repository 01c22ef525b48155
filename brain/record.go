package brain

import (
	"encoding/json"
	"fmt"
	"time"
)

// RecordKind is the label of a record.
type RecordKind string

// The kinds of records. Backups include all of them.
const (
	RunRecord        RecordKind = "Run"                 // id: run
	ActionRecord     RecordKind = "Action"              // owner: run, key: its main subject
	UseEventRecord   RecordKind = "UseEvent"            // owner: memory, key: session
	TouchRecord      RecordKind = "Touch"               // like UseEvent; touches that count once a session, kept for 90 days
	TombstoneRecord  RecordKind = "Tombstone"           // owner: forgotten memory, key: identity or content hash
	NoteFileRecord   RecordKind = "NoteFile"            // owner: notes directory, key: path
	PendingRecord    RecordKind = "PendingRelation"     // owner: from, key: hash of the name it waits for
	RedirectRecord   RecordKind = "Redirect"            // id: a removed id, key: the id that it redirects to
	ConfigRecord     RecordKind = "ConsolidationConfig" // id "current" for the one with no validTo
	NotesDirRecord   RecordKind = "NotesDirectory"      // id: hash of host and path; owner: notes directory
	CheckpointRecord RecordKind = "Checkpoint"          // id: name of a job; how far it came
	ReviewRecord     RecordKind = "ReviewItem"          // owner: state, key: fingerprint
	MemoryFileRecord RecordKind = "MemoryFile"          // id: a MEMORY.md on one machine; its last written content
	CoreFileRecord   RecordKind = "CoreFile"            // id: a core-memory.json on one machine; its last written content

	TranscriptFileRecord     RecordKind = "TranscriptFile"     // owner: host, key: path; how far it was read, and its days
	TranscriptDayRecord      RecordKind = "TranscriptDay"      // owner: host, key: date; its sources and the report
	TranscriptCoverageRecord RecordKind = "TranscriptCoverage" // owner: host, key: date; the answers of a model
	TranscriptSessionRecord  RecordKind = "TranscriptSession"  // owner: host, key: session; of earlier versions
	ModelSpendRecord         RecordKind = "ModelSpend"         // id: date in UTC; cost of models on that day

	TallyRecord     RecordKind = "Tally"     // id: what is counted; the number
	RejectionRecord RecordKind = "Rejection" // id: that of the rejected capture; owner: test or real
	DayTallyRecord  RecordKind = "DayTally"  // id: a date; what happened on that day
	AttentionRecord RecordKind = "Attention" // id "current": focus and weights
)

// LeaseRecord is the kind of leases, which are not in backups. id: name; at: when it
// expires.
const LeaseRecord RecordKind = "Lease"

// RecordKinds lists every kind that is in backups.
func RecordKinds() []RecordKind {
	return []RecordKind{
		RunRecord, ActionRecord, UseEventRecord, TouchRecord, TombstoneRecord, NoteFileRecord,
		PendingRecord, RedirectRecord, ConfigRecord, NotesDirRecord, CheckpointRecord,
		ReviewRecord, MemoryFileRecord, CoreFileRecord, TranscriptFileRecord, TranscriptDayRecord, TranscriptCoverageRecord, TranscriptSessionRecord, ModelSpendRecord,
		TallyRecord, RejectionRecord, DayTallyRecord, AttentionRecord,
	}
}

// purpose says for people what a record of the kind is for, "" for what is not a record.
func (k RecordKind) purpose() string {
	return map[RecordKind]string{
		RunRecord: "a run in the journal", ActionRecord: "an action of a run", UseEventRecord: "a use of a memory", TouchRecord: "a use of a memory",
		TombstoneRecord: "the mark of a forgotten memory", NoteFileRecord: "what was read of a note", PendingRecord: "a relation that waits for its other end",
		RedirectRecord: "the redirect of an old id", ConfigRecord: "the lifecycle numbers", NotesDirRecord: "the notes folder of the brain",
		CheckpointRecord: "how far a job came", ReviewRecord: "an item of the review queue",
		MemoryFileRecord: "what was last written to MEMORY.md", CoreFileRecord: "what was last written to core-memory.json",
		TranscriptFileRecord: "how far a transcript was read", TranscriptDayRecord: "the report on the transcripts of a day",
		TranscriptCoverageRecord: "what a model said of the transcripts of a day", TranscriptSessionRecord: "a session in a transcript",
		ModelSpendRecord: "the cost of models on a day", TallyRecord: "a counter", RejectionRecord: "a rejected capture",
		DayTallyRecord: "the counts of a day", AttentionRecord: "the topics of attention", RecordNode: "a record",
	}[k]
}

// Record is a node that is neither memory, source nor section, such as a run or a
// checkpoint. Kind and ID are unique within the brain. Owner and Key are further
// keys to look it up by; At is the order within an owner (ties by ID). Body is a
// JSON object with everything else; on Neo4j its plain values are properties.
type Record struct {
	Kind  RecordKind      `json:"kind"`
	ID    string          `json:"id"`
	Owner string          `json:"owner,omitempty"`
	Key   string          `json:"key,omitempty"`
	At    time.Time       `json:"at"`
	Body  json.RawMessage `json:"body,omitempty"`
}

// NewRecord returns a record with v as its body.
func NewRecord(kind RecordKind, id, owner, key string, at time.Time, v any) (Record, error) {
	raw, err := json.Marshal(v)
	return Record{Kind: kind, ID: id, Owner: owner, Key: key, At: at, Body: raw}, Wrap(err, "encode %s %s", kind, id)
}

// Body returns the decoded body of a record.
func Body[T any](rec Record) (T, error) {
	var v T
	if err := json.Unmarshal(rec.Body, &v); err != nil {
		return v, fmt.Errorf("read %s %s: %w", rec.Kind, rec.ID, err)
	}
	return v, nil
}

// First returns the first of the values that were read, the zero value if there are none.
// It takes the results of a reader, and returns its error unchanged.
func First[V any](values []V, err error) (first V, _ error) {
	if len(values) > 0 {
		first = values[0]
	}
	return first, err
}

// Bodies decodes the bodies of records, and leaves out those that cannot be decoded, which
// `health` names. It takes the results of a [RecordReader], and returns its error unchanged.
func Bodies[T any](recs []Record, err error) ([]T, error) {
	_, all, err := WithBodies[T](recs, err)
	return all, err
}

// WithBodies is [Bodies] with the records that were decoded.
func WithBodies[T any](recs []Record, err error) (decoded []Record, bodies []T, _ error) {
	bodies = make([]T, 0, len(recs))
	for _, rec := range recs {
		if v, failed := Body[T](rec); err == nil && failed == nil {
			decoded, bodies = append(decoded, rec), append(bodies, v)
		}
	}
	return decoded, bodies, err
}
