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
	// View identifies the settings that Days depends on. If they change, the file is
	// read again from the start.
	View     string              `json:"view"`
	Position transcript.Position `json:"position"`
	Days     map[string]*fileDay `json:"days"`
	// Points are the ends of earlier reads, ascending by offset. A day is read again
	// from the last point before it.
	Points   []transcript.State   `json:"points,omitempty"`
	Problems []transcript.Problem `json:"problems,omitempty"`
	More     int                  `json:"more,omitempty"` // number of further problems
	// Unknown counts the skipped lines and blocks by type name.
	Unknown map[string]transcript.Unknown `json:"unknown,omitempty"`
	// Unfinished is the line number of an incomplete last line, 0 if there is none.
	Unfinished int `json:"unfinished,omitempty"`
	// Lost lists the days that had other messages before the file was rewritten. Only
	// their cleaned transcripts still have those messages.
	Lost []string `json:"lost,omitempty"`
}

// dayState is the stored state of a day.
type dayState struct {
	Digest string `json:"digest"` // of its messages
	Method string `json:"method"` // how its items were found, see [Extractor.method]
	// Clean reports whether no chunk failed or is waiting.
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
	chunkWaiting = "waiting" // until a run may use the model
	chunkUnasked = "unasked" // not sent, because of a dry run
)

const (
	maxPoints   = 16        // maximum number of Points of a file
	pointEvery  = 256 << 10 // minimum distance between two of them, in bytes
	stateBatch  = 100       // files whose state is stored in one transaction
	maxProblems = 50        // maximum number of stored problems of a file
)

// update adds the result of a read. fromStart reports whether the file was read from its
// beginning.
func (s *fileState) update(pos transcript.Position, res transcript.Result, fromStart bool) {
	if fromStart {
		s.Points, s.Problems, s.More, s.Unknown = nil, nil, 0, nil
	} else {
		s.addPoint()
	}
	s.Position, s.Unfinished = pos, res.Unfinished
	s.Problems = append(s.Problems, res.Problems...)
	s.More += res.More
	if over := len(s.Problems) - maxProblems; over > 0 {
		s.Problems, s.More = s.Problems[:maxProblems], s.More+over
	}
	for name, u := range res.Unknown {
		if s.Unknown == nil {
			s.Unknown = map[string]transcript.Unknown{}
		}
		transcript.AddUnknown(s.Unknown, name, u)
	}
}

// recordLost records the days whose messages changed when the file was rewritten.
func (s *fileState) recordLost(now map[string]*fileDay) {
	for _, day := range slices.Sorted(maps.Keys(s.Days)) {
		if (now[day] == nil || now[day].Digest != s.Days[day].Digest) && !slices.Contains(s.Lost, day) {
			s.Lost = append(s.Lost, day)
		}
	}
}

// addPoint adds the end of the previous read as a point, unless it is close to the last
// one.
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

// resumePoint returns the last point at or before an offset, or the start of the file.
func (s *fileState) resumePoint(offset int64) transcript.State {
	for _, p := range slices.Backward(s.Points) {
		if p.Offset <= offset {
			return p
		}
	}
	return transcript.State{}
}

// recordID returns the id of the state of a file or session, or of a record about a day.
func (x *Extractor) recordID(kind brain.RecordKind, key string) string {
	switch kind {
	case brain.TranscriptFileRecord:
		return brain.Hash("transcript", x.o.Host, key)
	case brain.TranscriptSessionRecord:
		return brain.Hash("transcript session", x.o.Host, key)
	}
	return brain.Hash("transcript day", x.o.Host, key)
}

// view identifies the settings that the days of a file depend on.
func (x *Extractor) view() string {
	return x.o.Location.String() + " side=" + strconv.FormatBool(x.o.SideChains)
}

// loadStates returns the states of a kind by key: that of one key, or with the key ""
// all of this host.
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
		return nil, fmt.Errorf("load transcript state: %w", err)
	}
	return states, nil
}

// stateRecord is a state to store under a key.
type stateRecord struct {
	kind  brain.RecordKind
	key   string // path, session or day
	state any
}

// put stores states in one transaction.
func (x *Extractor) put(ctx context.Context, all ...stateRecord) error {
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
		return fmt.Errorf("save transcript state: %w", err)
	}
	return nil
}

// judged changes with the rules of what is kept.
const judged = "judge 1"

// method identifies the extraction method. If it changes, a day that a person asks for
// is extracted again.
func (x *Extractor) method() string {
	parts := []string{"by", judged, "chunks of " + strconv.Itoa(x.o.ChunkTokens)}
	if x.o.Model != nil {
		return "model " + brain.Hash(append(parts, x.o.Model.Name())...)[:16]
	}
	for _, p := range x.o.Patterns {
		parts = append(parts, p.String())
	}
	return "rules " + brain.Hash(parts...)[:16]
}
