package transcripts

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// fileState is the stored state of a session file.
type fileState struct {
	Settings string             `json:"view"` // see [Extractor.settings]
	version                     // of the file when it was read
	Days     map[string]fileDay `json:"days"`
	Problems []Problem          `json:"problems,omitempty"`
	Unknown  int                `json:"unknown,omitempty"` // lines of types that are not known
}

// dayState is the stored state of a day whose items were extracted.
type dayState struct {
	Digest   string `json:"digest"`         // of the messages
	Settings string `json:"view,omitempty"` // see [Extractor.settings]
	Method   string `json:"method"`         // see [Extractor.method]
	Clean    bool   `json:"clean"`          // no chunk failed or is waiting
	Report   Day    `json:"report"`
}

const (
	// readerVersion is increased when the reader changes, so that known files are read again.
	readerVersion = "4"
	// rulesVersion is increased when the rules of extraction change.
	rulesVersion = "forms 1"
)

// settings identifies the settings that decide how a file is read. If they change, it is read again.
func (x *Extractor) settings() string {
	return x.o.Location.String() + " " + readerVersion + " side=false"
}

// method identifies how items are found. A request for a day extracts it again if its
// method has changed.
func (x *Extractor) method() string {
	prefix, parts := "rules ", []string{"by", rulesVersion, "chunks of " + strconv.Itoa(x.o.ChunkTokens)}
	if x.o.Model != nil {
		prefix, parts = "model ", append(parts, x.o.Model.Name())
	}
	return prefix + brain.Hash(parts...)[:16]
}

func (x *Extractor) recordID(kind brain.RecordKind, key string) string {
	prefix := "transcript day"
	if kind == brain.TranscriptFileRecord {
		prefix = "transcript"
	}
	return brain.Hash(prefix, x.o.Host, key)
}

// loadStates returns the states of a kind with the given keys, by key.
func loadStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind, keys ...string) (map[string]T, error) {
	ids := brain.Map(keys, func(key string) string { return x.recordID(kind, key) })
	return readStates[T](ctx, x, func(r brain.Reader) ([]brain.Record, error) { return r.Records(kind, ids...) })
}

// loadAllStates returns all states of a kind of this host, by key.
func loadAllStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind) (map[string]T, error) {
	return readStates[T](ctx, x, func(r brain.Reader) ([]brain.Record, error) {
		return r.ListRecords(kind, brain.RecordFilter{By: brain.ByOwner, Keys: []string{x.o.Host}})
	})
}

func readStates[T any](ctx context.Context, x *Extractor, list func(brain.Reader) ([]brain.Record, error)) (states map[string]T, err error) {
	err = x.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		recs, bodies, err := brain.WithBodies[T](list(r))
		states = map[string]T{}
		for i, state := range bodies {
			states[recs[i].Key] = state
		}
		return err
	})
	return states, brain.Wrap(err, "load transcript state")
}

// putStates stores states of a kind in one transaction. The keys are paths or days.
func putStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind, states map[string]T) error {
	var recs []brain.Record
	now := x.brain.Base.Now()
	for _, key := range slices.Sorted(maps.Keys(states)) {
		rec, err := brain.NewRecord(kind, x.recordID(kind, key), x.o.Host, key, now, states[key])
		if err != nil {
			return brain.Wrap(err, "save transcript state")
		}
		recs = append(recs, rec)
	}
	err := x.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(recs...) })
	return brain.Wrap(err, "save transcript state")
}

// fileDay describes the messages of a day in one file.
type fileDay struct {
	Last  int64  `json:"last"`  // offset after the last message
	Count int    `json:"count"` // of messages, including copies
	Keys  uint64 `json:"keys"`  // digest of their keys, in order
	Size  int64  `json:"size"`  // of their texts in bytes
}

// with returns the description with m added.
func (d fileDay) with(m transcript.Message) fileDay {
	key := m.Key().Bytes()
	data := binary.LittleEndian.AppendUint64(key[:], d.Keys)
	return fileDay{Last: max(d.Last, m.End), Count: d.Count + 1, Keys: xxh3.Hash(data), Size: d.Size + int64(len(m.Text))}
}

// input is a file with messages of a day.
type input struct {
	path string
	fileDay
}

// daysOf groups the files by day, sorted by path.
func daysOf(files map[string]fileState) map[string][]input {
	days := map[string][]input{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for day, f := range files[path].Days {
			days[day] = append(days[day], input{path, f})
		}
	}
	return days
}

func digest(inputs []input) string {
	parts := []string{"transcripts of a day"}
	for _, in := range inputs {
		parts = append(parts, in.path, strconv.FormatUint(in.Keys, 16), strconv.Itoa(in.Count), strconv.FormatInt(in.Size, 10))
	}
	return brain.Hash(parts...)
}
