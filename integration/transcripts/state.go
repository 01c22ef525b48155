package transcripts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// fileState is what is remembered of one transcript.
type fileState struct {
	// View names the settings that its days depend on. Under others the file is
	// read anew.
	View     string              `json:"view"`
	Position transcript.Position `json:"position"`
	Days     map[string]fileDay  `json:"days"`
	// Points are where earlier reads ended, by offset: a day is read again from
	// the last one before it.
	Points   []transcript.State   `json:"points,omitempty"`
	Problems []transcript.Problem `json:"problems,omitempty"`
	More     int                  `json:"more,omitempty"` // problems beyond these
	// Unknown are the types and roles that were left out, by name.
	Unknown map[string]transcript.Unknown `json:"unknown,omitempty"`
	// Unfinished is the number of a last line that is cut in the middle.
	Unfinished int `json:"unfinished,omitempty"`
	// Lost are the days of which the file said something else before it was
	// rewritten. What their cleaned transcripts have of that is nowhere else.
	Lost []string `json:"lost,omitempty"`
}

// fileDay is where a file speaks of a day.
type fileDay struct {
	First  int64  `json:"first"` // offset of the first line
	Last   int64  `json:"last"`  // and behind the last
	Count  int    `json:"count"` // messages, copies too
	Digest string `json:"digest"`
}

// dayState is what is remembered of a day.
type dayState struct {
	Digest string `json:"digest"` // of what it was made of
	Method string `json:"method"` // how its items were found
	// Clean: every chunk ended as items or as nothing.
	Clean  bool `json:"clean"`
	Report Day  `json:"report"`
}

// coverage is what became of each chunk of a day.
type coverage struct {
	Method string       `json:"method"`
	Chunks []chunkState `json:"chunks"`
}

// chunkState is what became of one chunk.
type chunkState struct {
	Key     string       `json:"key"` // of its text
	Session string       `json:"session"`
	From    time.Time    `json:"from"`
	Until   time.Time    `json:"until"`
	State   string       `json:"state"` // one of those below
	Items   int          `json:"items,omitempty"`
	Error   string       `json:"error,omitempty"`
	Found   []storedItem `json:"found,omitempty"` // what a model answered
}

// What a chunk may end as.
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

func (d *Door) fileID(path string) string { return brain.Hash("transcript", d.o.Host, path) }
func (d *Door) dayID(day string) string   { return brain.Hash("transcript day", d.o.Host, day) }

// view names the settings that the days of a file depend on.
func (d *Door) view() string {
	return d.o.Location.String() + " side=" + strconv.FormatBool(d.o.SideChains)
}

// fileStates reads what is remembered of every transcript of this machine.
func (d *Door) fileStates(ctx context.Context) (map[string]*fileState, error) {
	states := map[string]*fileState{}
	err := d.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		clear(states)
		recs, err := r.RecordsByOwner(brain.TranscriptFileRecord, d.o.Host)
		if err != nil {
			return err
		}
		for _, rec := range recs {
			s := &fileState{}
			if err := json.Unmarshal(rec.Body, s); err != nil {
				return fmt.Errorf("read what is known of %s: %w", rec.Key, err)
			}
			states[rec.Key] = s
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look up the transcripts: %w", err)
	}
	return states, nil
}

// putFiles stores what is known of these files.
func (d *Door) putFiles(ctx context.Context, states map[string]*fileState, paths []string) error {
	for batch := range slices.Chunk(paths, stateBatch) {
		var recs []brain.Record
		for _, path := range batch {
			rec, err := d.record(brain.TranscriptFileRecord, d.fileID(path), path, states[path])
			if err != nil {
				return err
			}
			recs = append(recs, rec)
		}
		err := d.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(recs...) })
		if err != nil {
			return fmt.Errorf("remember how far transcripts were read: %w", err)
		}
	}
	return nil
}

func (d *Door) record(kind brain.RecordKind, id, key string, v any) (brain.Record, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return brain.Record{}, fmt.Errorf("encode %s: %w", kind, err)
	}
	return brain.Record{Kind: kind, ID: id, Owner: d.o.Host, Key: key, At: d.brain.Base.Now(), Body: body}, nil
}

// dayStates reads what is remembered of one day, or of all days.
func (d *Door) dayStates(ctx context.Context, day string) (map[string]dayState, error) {
	states := map[string]dayState{}
	err := d.brain.Base.Store.View(ctx, func(r brain.Reader) (err error) {
		clear(states)
		var recs []brain.Record
		if day == "" {
			recs, err = r.RecordsByOwner(brain.TranscriptDayRecord, d.o.Host)
		} else {
			recs, err = r.Records(brain.TranscriptDayRecord, d.dayID(day))
		}
		for _, rec := range recs {
			var s dayState
			if err := json.Unmarshal(rec.Body, &s); err != nil {
				return fmt.Errorf("read what is known of %s: %w", rec.Key, err)
			}
			states[rec.Key] = s
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up the days of transcripts: %w", err)
	}
	return states, nil
}

func (d *Door) coverageOf(ctx context.Context, day string) (coverage, error) {
	var c coverage
	err := d.brain.Base.Store.View(ctx, func(r brain.Reader) error {
		c = coverage{}
		recs, err := r.Records(brain.TranscriptCoverageRecord, d.dayID(day))
		if err != nil || len(recs) == 0 {
			return err
		}
		return json.Unmarshal(recs[0].Body, &c)
	})
	if err != nil {
		return c, fmt.Errorf("look up the chunks of %s: %w", day, err)
	}
	return c, nil
}

// putDay stores what became of a day; a nil state or coverage stays as it is.
func (d *Door) putDay(ctx context.Context, day string, s *dayState, c *coverage) error {
	var recs []brain.Record
	if s != nil {
		rec, err := d.record(brain.TranscriptDayRecord, d.dayID(day), day, s)
		if err != nil {
			return err
		}
		recs = append(recs, rec)
	}
	if c != nil {
		rec, err := d.record(brain.TranscriptCoverageRecord, d.dayID(day), day, c)
		if err != nil {
			return err
		}
		recs = append(recs, rec)
	}
	err := d.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutRecords(recs...) })
	if err != nil {
		return fmt.Errorf("remember what became of %s: %w", day, err)
	}
	return nil
}

// method names how items are found: what a change of which makes a day worth
// another look when it is asked for.
func (d *Door) method() string {
	parts := []string{"by", "chunks of " + strconv.Itoa(d.o.ChunkTokens)}
	if d.o.Model != nil {
		return "model " + brain.Hash(append(parts, d.o.Model.Name())...)[:16]
	}
	for _, p := range d.o.Patterns {
		parts = append(parts, p.String())
	}
	return "patterns " + brain.Hash(parts...)[:16]
}
