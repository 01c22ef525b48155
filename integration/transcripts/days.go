package transcripts

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// fileDay describes the messages of a day in one file.
type fileDay struct {
	Last  int64  `json:"last"`  // offset after the last message
	Count int    `json:"count"` // of messages, including copies
	Keys  uint64 `json:"keys"`  // digest of their keys, in order
	Size  int64  `json:"size"`  // of their texts in bytes
}

// with returns the description with one more message.
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

// daysOf groups the files by day. Those of a day are sorted by path.
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
