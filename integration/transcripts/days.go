package transcripts

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// fileDay is the part of a file that speaks of a day.
type fileDay struct {
	First  int64 `json:"first"` // offset of the first line
	Last   int64 `json:"last"`  // and behind the last
	Count  int   `json:"count"` // messages, copies too
	Digest sum   `json:"digest"`
}

// sum is a digest of messages.
type sum uint64

// MarshalText writes a sum in hexadecimal.
func (s sum) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(s), 16), nil }

// UnmarshalText reads a sum.
func (s *sum) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*s = sum(n)
	return err
}

// add adds a message to the digest.
func (s *sum) add(m transcript.Message) {
	var buf [32]byte
	key := m.Key().Bytes()
	all := append(buf[:0], key[:]...)
	all = binary.LittleEndian.AppendUint64(all, xxh3.HashString(m.Text))
	all = binary.LittleEndian.AppendUint64(all, uint64(*s))
	*s = sum(xxh3.Hash(all))
}

// tally counts the messages of a file by day.
type tally struct {
	days map[string]*fileDay
	zone *time.Location
	// The day of the message before, and its bounds.
	day         string
	from, until time.Time
}

// newTally returns one that goes on from the days of an earlier read.
func newTally(days map[string]*fileDay, zone *time.Location) *tally {
	t := &tally{days: map[string]*fileDay{}, zone: zone}
	for day, f := range days {
		held := *f
		t.days[day] = &held
	}
	return t
}

// add counts a message and returns its day. Messages mostly come day by day, so
// that the bounds of the one before tell.
func (t *tally) add(m transcript.Message) string {
	if t.day == "" || m.At.Before(t.from) || !m.At.Before(t.until) {
		t.day = transcript.Day(m.At, t.zone)
		t.from, t.until, _ = transcript.Bounds(t.day, t.zone) // Day returns no other days
	}
	d := t.days[t.day]
	if d == nil {
		d = &fileDay{First: m.Offset}
		t.days[t.day] = d
	}
	d.First, d.Last = min(d.First, m.Offset), max(d.Last, m.End)
	d.Count++
	d.Digest.add(m)
	return t.day
}

// dayFiles are the files that a day is made of.
type dayFiles struct {
	inputs []input
	lost   []string // paths of files that said something else of it before
}

// input is the part of one file that speaks of a day.
type input struct {
	path string
	*fileDay
}

// daysOf returns the files of each day, by path.
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

// digest returns a hash of the messages of a day.
func (d dayFiles) digest() string {
	parts := []string{"transcripts of a day"}
	for _, in := range d.inputs {
		parts = append(parts, in.path, strconv.FormatUint(uint64(in.Digest), 16), strconv.Itoa(in.Count))
	}
	return brain.Hash(parts...)
}
