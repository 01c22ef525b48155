package sqlite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// TestPostingsAreThoseOfFTS5 compares the lists that are read from segments with what FTS5
// itself says, after anything that makes segments, merges them or deletes from them.
func TestPostingsAreThoseOfFTS5(t *testing.T) {
	path := filepath.Join(t.TempDir(), "brain.db")
	s, other := open(t, path, "one"), open(t, path, "two")
	r := rand.New(rand.NewPCG(3, 3))
	var ids []string
	tombstones := 0
	for round := range 60 {
		ms := someTexts(r, round)
		for _, m := range ms {
			ids = append(ids, m.ID)
		}
		must(t, s.Update(t.Context(), func(x brain.Tx) error {
			if err := x.PutMemories(ms...); err != nil {
				return err
			}
			gone := ids[:r.IntN(len(ids)/3+1)]
			ids = ids[len(gone):]
			return x.DeleteMemories(gone...)
		}))
		must(t, other.Update(t.Context(), func(x brain.Tx) error { return x.PutMemories(someTexts(r, round)[:1]...) }))
		if round%10 == 9 {
			comparePostings(t, s)
			comparePostings(t, other)
		}
		must(t, s.View(t.Context(), func(x brain.Reader) error {
			segments, err := x.(*tx).segmentsOf("current_fts")
			for _, s := range segments {
				tombstones += len(s.deleted)
			}
			return err
		}))
	}
	if tombstones == 0 {
		t.Error("no segment had tombstones")
	}
}

// someTexts makes memories that share words: some that all have, some that few have. One
// has a word so often that its positions fill pages.
func someTexts(r *rand.Rand, round int) []brain.Memory {
	ms := make([]brain.Memory, 5+r.IntN(40))
	for i := range ms {
		var text strings.Builder
		for range r.IntN(60) {
			fmt.Fprintf(&text, "w%d ", int(r.ExpFloat64()*40))
		}
		ms[i] = storetest.Memory(text.String())
		ms[i].Name, ms[i].Tags = fmt.Sprintf("w%d w%d", r.IntN(3), r.IntN(500)), []string{"w1", fmt.Sprint("w", r.IntN(9))}
	}
	if round%8 == 0 {
		ms[0].Content = strings.Repeat("w1 w2 w3 ", 4000)
	}
	return ms
}

func comparePostings(t *testing.T, s *Store) {
	t.Helper()
	must(t, s.View(t.Context(), func(reader brain.Reader) error {
		x := reader.(*tx)
		if _, err := x.c.c.ExecContext(t.Context(), `CREATE VIRTUAL TABLE IF NOT EXISTS temp.instance USING fts5vocab(main, current_fts, instance)`); err != nil {
			return err
		}
		low := x.partOf(false) << partBits
		want := map[string]map[int64]int{}
		type instance struct {
			term, column string
			row          int64
			times        int
		}
		dest := func(i *instance) []any { return []any{&i.term, &i.row, &i.column, &i.times} }
		all, err := collect(x, dest, `SELECT term, doc, col, count(*) FROM temp.instance WHERE doc >> 40 = ? GROUP BY 1, 2, 3`, low>>partBits)
		if err != nil {
			return err
		}
		for _, i := range all {
			if want[i.term] == nil {
				want[i.term] = map[int64]int{}
			}
			want[i.term][i.row] += i.times * fieldWeights[slices.Index([]string{"name", "content", "rest"}, i.column)]
		}
		for _, word := range append(slices.Sorted(maps.Keys(want)), "absent", "w", "zz") {
			got, err := x.postings("current_fts", word, low, low+1<<partBits-1)
			if err != nil {
				return err
			}
			same := map[int64]int{}
			for _, p := range got {
				same[p.row] = p.count
			}
			if !maps.Equal(same, want[word]) || len(got) != len(same) || !slices.IsSortedFunc(got, byRow) {
				t.Fatalf("%s is in %v, FTS5 says %v", word, got, want[word])
			}
		}
		return nil
	}))
}

// A file that was damaged must not end the program.
func FuzzSegment(f *testing.F) {
	huge := bytes.Repeat([]byte{0xff}, 9)
	f.Add([]byte{0, 0, 0, 8, 1, 0, 5, 1}, []byte{4})
	f.Add([]byte{0, 0, 0, 8, 1, 0, 5, 1}, huge)
	f.Add(append([]byte{0, 0, 0, 13}, huge...), []byte{4})
	f.Fuzz(func(_ *testing.T, lists, footer []byte) {
		decodeStructure(lists)
		tombstones{lists}.has(1 << 20)
		if len(lists) < pageHeader || len(lists) > math.MaxUint16 {
			return
		}
		binary.BigEndian.PutUint16(lists[2:], uint16(len(lists)))
		p := page(slices.Concat(lists, footer))
		for _, word := range []string{"0a", ""} {
			if from, to, found := p.list(word); found {
				l := list{high: 1 << 60}
				l.read(p, from, to)
			}
		}
		l := list{high: 1 << 60}
		l.read(p, pageHeader, p.firstWord())
	})
}
