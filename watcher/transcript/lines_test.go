package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// Runs of base64 go, wherever they begin and end, and all else stays.
func TestBase64IsLeftOut(t *testing.T) {
	for _, size := range []int{minBase64 - 1, minBase64, minBase64 + 1, 3 * minBase64, 3 * readAhead} {
		for _, before := range []string{"", "see: ", strings.Repeat("a b ", 30_000)} {
			run := strings.Repeat("QUJD", size/4+1)[:size]
			all, _ := readText(t, said("u1", noon, before+run+", rest of it"), Options{})
			want := before + run + ", rest of it"
			if size >= minBase64 {
				want = before + "[base64], rest of it"
			}
			if len(all) != 1 || all[0].Text != want {
				t.Errorf("run of %d after %d bytes: %d messages", size, len(before), len(all))
			}
		}
	}
}

// repeat is a reader of size bytes, the same letter again and again.
func repeat(letter byte, size int64) io.Reader {
	return io.LimitReader(readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = letter
		}
		return len(p), nil
	}), size)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A line with a picture of 10 MB, and one that is too long.
func TestLongLinesAreNotHeld(t *testing.T) {
	picture := io.MultiReader(
		strings.NewReader(`{"type":"user","uuid":"u1","sessionId":"s","timestamp":`+noon+`,"message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"data":"`),
		repeat('A', 10<<20), strings.NewReader(`"}}]}}`+"\n"))
	long := io.MultiReader(strings.NewReader(`{"type":"user","message":{"role":"user","content":"`), repeat(' ', 20<<20), strings.NewReader(`"}}`+"\n"))
	var texts []string
	var res Result
	held := peak(t, func(sample func()) {
		var err error
		in := io.MultiReader(picture, long, strings.NewReader(said("u2", noon, "after")))
		res, err = Read(sampled(in, sample), Options{}, func(m Message) error {
			texts = append(texts, m.Text)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	same(t, texts, []string{"look", "after"})
	if len(res.Problems) != 1 || res.Problems[0].Line != 2 {
		t.Errorf("problems %v", res.Problems)
	}
	if held > 48<<20 {
		t.Errorf("%d MB held", held>>20)
	}
}

// peak is the most memory that was live while work ran, beyond what was live
// before. work calls sample from time to time.
func peak(t *testing.T, work func(sample func())) uint64 {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most := m.HeapAlloc, m.HeapAlloc
	work(func() {
		runtime.GC()
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	})
	return most - before
}

// sampled calls sample for every 8 MiB that are read.
func sampled(r io.Reader, sample func()) io.Reader {
	left := 0
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if left -= n; left <= 0 {
			left = 8 << 20
			sample()
		}
		return n, err
	})
}

// 200 MB are read in a few MB. A part of it is made
// up while it is read, the rest is the same piece again and again.
func TestABigTranscriptIsReadInLittleMemory(t *testing.T) {
	made, again := int64(16<<20), 46
	if testing.Short() {
		again = 1
	}
	block := mixed(4 << 20)
	size := made + int64(again*len(block))
	messages := 0
	var res Result
	held := peak(t, func(sample func()) {
		var err error
		parts := []io.Reader{fixture.Stream(1, made, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}
		for range again {
			parts = append(parts, bytes.NewReader(block))
		}
		res, err = Read(sampled(io.MultiReader(parts...), sample), Options{}, func(Message) error {
			messages++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d MB read, %d messages, %.1f MB held at most", res.Bytes>>20, messages, float64(held)/(1<<20))
	if res.Bytes < size || len(res.Problems) > 0 {
		t.Errorf("%d bytes read, problems %v", res.Bytes, res.Problems)
	}
	if held > 24<<20 {
		t.Errorf("%d MB held", held>>20)
	}
}

func TestAReaderThatStopsInALongLine(t *testing.T) {
	in := io.MultiReader(repeat(' ', readAhead+10), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := Read(in, Options{}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if _, err := Read(iotest.OneByteReader(strings.NewReader("x\n")), Options{}, nil); err != nil {
		t.Error(err)
	}
}

func TestSlowReaders(t *testing.T) {
	text := file(t, "claude.jsonl")
	want, _ := readText(t, text, Options{})
	var got []Message
	_, err := Read(iotest.OneByteReader(strings.NewReader(text)), Options{}, func(m Message) error {
		got = append(got, m)
		return nil
	})
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("byte by byte something else comes out: %v", err)
	}
}
