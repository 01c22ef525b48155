package transcripts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// fileState is the stored state of one transcript.
type fileState struct {
	// View names the settings that its days depend on. Under others the file is
	// read anew.
	View     string              `json:"view"`
	Position transcript.Position `json:"position"`
	Days     map[string]*fileDay `json:"days"`
	// Points are where earlier reads ended, by offset: a day is read again from
	// the last one before it.
	Points   []transcript.State   `json:"points,omitempty"`
	Problems []transcript.Problem `json:"problems,omitempty"`
	More     int                  `json:"more,omitempty"` // problems beyond these
	// Unknown has the lines and blocks that were left out, by name.
	Unknown map[string]transcript.Unknown `json:"unknown,omitempty"`
	// Unfinished is the number of a last line that is cut in the middle.
	Unfinished int `json:"unfinished,omitempty"`
	// Lost are the days of which the file said something else before it was
	// rewritten. What their cleaned transcripts have of that is nowhere else.
	Lost []string `json:"lost,omitempty"`
}

// dayState is the stored state of a day.
type dayState struct {
	Digest string `json:"digest"` // of the messages that it was made of
	Method string `json:"method"` // by which its items were found
	// Clean: every chunk ended as items or as nothing.
	Clean  bool `json:"clean"`
	Report Day  `json:"report"`
}

// coverage is the result of each chunk of a day.
type coverage struct {
	Method string       `json:"method"`
	Chunks []chunkState `json:"chunks"`
}

// chunkState is the result of one chunk.
type chunkState struct {
	Key     string       `json:"key"` // of its text
	Session string       `json:"session"`
	From    time.Time    `json:"from"`
	Until   time.Time    `json:"until"`
	State   string       `json:"state"` // one of those below
	Items   int          `json:"items,omitempty"`
	Error   string       `json:"error,omitempty"`
	Found   []storedItem `json:"found,omitempty"` // the answer of a model
}

// The states of a chunk.
const (
	chunkItems   = "items"
	chunkNothing = "nothing"
	chunkFailure = "failure"
	chunkWaiting = "waiting" // for a run in which the model may be asked
	chunkUnasked = "unasked" // in a dry run
)

const (
	// maxPoints bounds the places that a file can be read again from.
	maxPoints = 16
	// pointEvery is how many bytes are between two of them at least.
	pointEvery = 256 << 10
	// stateBatch is how many files are stored in one transaction.
	stateBatch = 100
	maxShown   = 50 // problems of one file that are remembered
)

// remember adds the result of a read. anew: the file was read from its beginning.
func (s *fileState) remember(pos transcript.Position, res transcript.Result, anew bool) {
	if anew {
		s.Points, s.Problems, s.More, s.Unknown = nil, nil, 0, nil
	} else {
		s.addPoint()
	}
	s.Position, s.Unfinished = pos, res.Unfinished
	s.Problems = append(s.Problems, res.Problems...)
	s.More += res.More
	if over := len(s.Problems) - maxShown; over > 0 {
		s.Problems, s.More = s.Problems[:maxShown], s.More+over
	}
	for name, u := range res.Unknown {
		if s.Unknown == nil {
			s.Unknown = map[string]transcript.Unknown{}
		}
		transcript.AddUnknown(s.Unknown, name, u)
	}
}

// lose records the days of which a rewritten file says something else now.
func (s *fileState) lose(now map[string]*fileDay) {
	for _, day := range slices.Sorted(maps.Keys(s.Days)) {
		if (now[day] == nil || now[day].Digest != s.Days[day].Digest) && !slices.Contains(s.Lost, day) {
			s.Lost = append(s.Lost, day)
		}
	}
}

// addPoint keeps the place where a read ended as one to read on from.
func (s *fileState) addPoint() {
	at, last := s.Position.State, int64(0)
	if n := len(s.Points); n > 0 {
		last = s.Points[n-1].Offset
	}
	if at.Offset-last >= pointEvery {
		s.Points = append(s.Points, at)
		s.Points = s.Points[max(0, len(s.Points)-maxPoints):]
	}
}

// from returns the last place at or before an offset that a file can be read
// from.
func (s *fileState) from(offset int64) transcript.State {
	for _, p := range slices.Backward(s.Points) {
		if p.Offset <= offset {
			return p
		}
	}
	return transcript.State{}
}

// recordID returns the id of the state of a file, or of a record about a day.
func (x *Extractor) recordID(kind brain.RecordKind, key string) string {
	if kind == brain.TranscriptFileRecord {
		return brain.Hash("transcript", x.o.Host, key)
	}
	return brain.Hash("transcript day", x.o.Host, key)
}

// view names the settings that the days of a file depend on.
func (x *Extractor) view() string {
	return x.o.Location.String() + " side=" + strconv.FormatBool(x.o.SideChains)
}

// loadStates reads the states of a kind by their keys: that of one key, or with the
// key "" all of this machine.
func loadStates[T any](ctx context.Context, x *Extractor, kind brain.RecordKind, key string) (map[string]T, error) {
	states := map[string]T{}
	err := x.brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
		clear(states)
		var recs []brain.Record
		if key == "" {
			recs, err = r.RecordsByOwner(kind, x.o.Host)
		} else {
			recs, err = r.Records(kind, x.recordID(kind, key))
		}
		for _, rec := range recs {
			var s T
			if err := json.Unmarshal(rec.Body, &s); err != nil {
				return fmt.Errorf("read the state of %s: %w", rec.Key, err)
			}
			states[rec.Key] = s
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up how far transcripts were read: %w", err)
	}
	return states, nil
}

// saved is a state to store under a key.
type saved struct {
	kind  brain.RecordKind
	key   string // path or day
	state any
}

// put stores states in one transaction.
func (x *Extractor) put(ctx context.Context, all ...saved) error {
	if len(all) == 0 {
		return nil
	}
	recs := make([]brain.Record, 0, len(all))
	for _, s := range all {
		body, err := json.Marshal(s.state)
		if err != nil {
			return fmt.Errorf("encode %s: %w", s.kind, err)
		}
		recs = append(recs, brain.Record{
			Kind: s.kind, ID: x.recordID(s.kind, s.key), Owner: x.o.Host, Key: s.key, At: x.brain.Base.Now(), Body: body,
		})
	}
	err := x.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(recs...) })
	if err != nil {
		return fmt.Errorf("store how far transcripts were read: %w", err)
	}
	return nil
}

// method names the way in which items are found. If it changes, a day is
// extracted again when it is asked for.
func (x *Extractor) method() string {
	parts := []string{"by", "chunks of " + strconv.Itoa(x.o.ChunkTokens)}
	if x.o.Model != nil {
		return "model " + brain.Hash(append(parts, x.o.Model.Name())...)[:16]
	}
	for _, p := range x.o.Patterns {
		parts = append(parts, p.String())
	}
	return "patterns " + brain.Hash(parts...)[:16]
}
