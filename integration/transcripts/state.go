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
	// Settings identifies the settings that Days depends on.
	Settings string             `json:"view"`
	version                     // of the file when it was read
	Days     map[string]fileDay `json:"days"`
	Problems []Problem          `json:"problems,omitempty"`
	// Lost lists the days that had other messages before the file was rewritten. Only
	// their cleaned transcripts still have those messages.
	Lost []string `json:"lost,omitempty"`
}

// dayState is the stored state of a day whose items were extracted.
type dayState struct {
	Digest string `json:"digest"` // of the messages
	Method string `json:"method"` // see [Extractor.method]
	// Clean reports whether no chunk failed or is waiting.
	Clean  bool `json:"clean"`
	Report Day  `json:"report"`
}

func (x *Extractor) recordID(kind brain.RecordKind, key string) string {
	prefix := "transcript day"
	if kind == brain.TranscriptFileRecord {
		prefix = "transcript"
	}
	return brain.Hash(prefix, x.o.Host, key)
}

// readerVersion is increased when the reader changes, so that known files are read again.
const readerVersion = "3"

// settings identifies the settings that the days of a file depend on.
func (x *Extractor) settings() string {
	return x.o.Location.String() + " " + readerVersion + " side=" + strconv.FormatBool(x.o.SideChains)
}

// loadStates returns the states of a kind by key. Without keys it returns all of this host.
func loadStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind, keys ...string) (map[string]T, error) {
	states := map[string]T{}
	err := x.brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
		clear(states)
		var recs []brain.Record
		if len(keys) == 0 {
			recs, err = r.RecordsByOwner(kind, x.o.Host)
		} else {
			recs, err = r.Records(kind, brain.Map(keys, func(key string) string { return x.recordID(kind, key) })...)
		}
		for _, rec := range recs {
			if states[rec.Key], err = brain.Body[T](rec); err != nil {
				return err
			}
		}
		return err
	})
	return states, brain.Wrap(err, "load transcript state")
}

// putStates stores states of a kind in one transaction. The keys are paths or days.
func putStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind, states map[string]T) error {
	var recs []brain.Record
	for key, state := range states {
		rec, err := brain.NewRecord(kind, x.recordID(kind, key), x.o.Host, key, x.brain.Base.Now(), state)
		if err != nil {
			return err
		}
		recs = append(recs, rec)
	}
	err := x.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(recs...) })
	return brain.Wrap(err, "save transcript state")
}

// rulesVersion is increased when the rules of extraction change.
const rulesVersion = "forms 1"

// method identifies how items are found. A request for a day extracts it again if its
// method has changed.
func (x *Extractor) method() string {
	parts := []string{"by", rulesVersion, "chunks of " + strconv.Itoa(x.o.ChunkTokens)}
	if x.o.Model != nil {
		return "model " + brain.Hash(append(parts, x.o.Model.Name())...)[:16]
	}
	return "rules " + brain.Hash(parts...)[:16]
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
	var buf [24]byte
	key := m.Key().Bytes()
	data := binary.LittleEndian.AppendUint64(append(buf[:0], key[:]...), d.Keys)
	return fileDay{Last: max(d.Last, m.End), Count: d.Count + 1, Keys: xxh3.Hash(data), Size: d.Size + int64(len(m.Text))}
}

type dayFiles struct {
	inputs []input
	lost   []string // paths of rewritten files whose earlier messages of the day are gone
}

// input is a file with messages of a day.
type input struct {
	path string
	fileDay
}

// daysOf groups the files by day, sorted by path.
func daysOf(states map[string]*fileState) map[string]dayFiles {
	days := map[string]dayFiles{}
	for _, path := range slices.Sorted(maps.Keys(states)) {
		for day, f := range states[path].Days {
			d := days[day]
			d.inputs = append(d.inputs, input{path, f})
			days[day] = d
		}
		for _, day := range states[path].Lost {
			d := days[day]
			d.lost = append(d.lost, path)
			days[day] = d
		}
	}
	return days
}

func (d dayFiles) digest() string {
	parts := []string{"transcripts of a day"}
	for _, in := range d.inputs {
		parts = append(parts, in.path, strconv.FormatUint(in.Keys, 16), strconv.Itoa(in.Count), strconv.FormatInt(in.Size, 10))
	}
	return brain.Hash(parts...)
}
