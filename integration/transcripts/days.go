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

// fileDay is the part of a file with the messages of a day.
type fileDay struct {
	First  int64 `json:"first"` // offset of the first message
	Last   int64 `json:"last"`  // offset just past the last message
	Count  int   `json:"count"` // number of messages, including copies
	Digest sum   `json:"digest"`
}

// sum is a digest of messages in order.
type sum uint64

// MarshalText writes a sum in hexadecimal.
func (s sum) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(s), 16), nil }

// UnmarshalText reads a sum.
func (s *sum) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*s = sum(n)
	return err
}

// add makes the digest one of the present digest, the key of a message and its text.
func (s *sum) add(m transcript.Message) {
	var buf [32]byte
	key := m.Key().Bytes()
	data := append(buf[:0], key[:]...)
	data = binary.LittleEndian.AppendUint64(data, xxh3.HashString(m.Text))
	data = binary.LittleEndian.AppendUint64(data, uint64(*s))
	*s = sum(xxh3.Hash(data))
}

// tally counts the messages of a file by day.
type tally struct {
	days map[string]*fileDay
	zone *time.Location
	// The day of the previous message, and its bounds.
	day         string
	from, until time.Time
}

// newTally returns a tally that continues from a copy of the days of an earlier read.
func newTally(days map[string]*fileDay, zone *time.Location) *tally {
	t := &tally{days: map[string]*fileDay{}, zone: zone}
	for day, f := range days {
		c := *f
		t.days[day] = &c
	}
	return t
}

// add counts a message and returns its day. Messages mostly arrive in order, so the
// bounds of the previous day usually apply.
func (t *tally) add(m transcript.Message) string {
	if t.day == "" || m.At.Before(t.from) || !m.At.Before(t.until) {
		t.day = transcript.Day(m.At, t.zone)
		t.from, t.until, _ = transcript.Bounds(t.day, t.zone) // cannot fail: Day returned it
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
	lost   []string // paths of rewritten files whose earlier messages of the day are gone
}

// input is the part of one file with the messages of a day.
type input struct {
	path string
	*fileDay
}

// daysOf groups the parts of files by day. Those of a day are sorted by path.
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
