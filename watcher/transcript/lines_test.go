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

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/watcher/transcript/fixture"
)

// stripped is what the line reader makes of one line, read piece by piece.
func stripped(t interface{ Fatal(...any) }, r io.Reader) string {
	l := newLineReader(r, nil)
	line, err := l.next()
	if err != nil {
		t.Fatal(err)
	}
	return string(line.text)
}

// Runs of base64 go, wherever they begin and end, and all else stays.
func TestBase64IsLeftOutWhileReading(t *testing.T) {
	for _, size := range []int{minRun - 1, minRun, minRun + 1, 3 * minRun, readAhead - 2, readAhead, readAhead + 1, 3*readAhead + 5} {
		for _, before := range []string{"", "{\"data\":\"", strings.Repeat("a b ", 30_000)} {
			run := strings.Repeat("QUJD", size/4+1)[:size]
			text := before + run + "\", rest of it"
			got, want := stripped(t, strings.NewReader(text+"\n")), text
			if size >= minRun {
				want = before + dropped + "\", rest of it"
			}
			if got != want {
				t.Errorf("run of %d after %d bytes: %d bytes left, want %d", size, len(before), len(got), len(want))
			}
		}
	}
}

// The backslashes at the end of a run stay: the last belongs to the quote after it.
func TestEscapesAroundBase64StayWhole(t *testing.T) {
	for _, size := range []int{minRun, readAhead - 3, readAhead - 2, readAhead - 1, readAhead, 2 * readAhead} {
		for slashes := range 4 {
			run := strings.Repeat("A", size) + strings.Repeat(`\`, slashes)
			text := said("u1", noon, `see `+run+`\" end`)
			all, res := readText(t, text, Options{})
			if slashes%2 == 1 {
				continue // the quote then ends the string, and the line is no JSON
			}
			if len(all) != 1 || all[0].Text != `see `+dropped+strings.Repeat(`\`, slashes/2)+`" end` {
				t.Fatalf("%d letters and %d backslashes: %d messages, problems %v", size, slashes, len(all), res.Problems)
			}
		}
	}
}

// The same comes out whatever the pieces are in which a file arrives.
func TestPiecesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			letters := rapid.SampledFrom([]string{"A", `\`, "+/", "aB3=", `\u4e2d`, "u"}).Draw(t, "letters")
			b.WriteString(strings.Repeat(letters, rapid.IntRange(0, 2*minRun).Draw(t, "times")))
			b.WriteString(rapid.SampledFrom([]string{"", " ", `"`, "é"}).Draw(t, "gap"))
		}
		whole := stripper{text: []byte(b.String())}
		whole.strip()
		var pieces stripper
		for rest := []byte(b.String()); len(rest) > 0; {
			n := min(len(rest), rapid.IntRange(1, 3*minRun).Draw(t, "piece"))
			pieces.add(bytes.Clone(rest[:n]))
			rest = rest[n:]
		}
		if !bytes.Equal(whole.text, pieces.text) || whole.open != pieces.open {
			t.Fatalf("whole: %d bytes; in pieces: %d bytes", len(whole.text), len(pieces.text))
		}
	})
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

// 20 MB of base64 in one line, and a line that is long without it.
func TestLongLinesAreNotHeld(t *testing.T) {
	picture := io.MultiReader(
		strings.NewReader(`{"type":"user","uuid":"u1","sessionId":"s","timestamp":`+noon+`,"message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"data":"`),
		repeat('A', 20<<20), strings.NewReader(`"}}]}}`+"\n"))
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
	if held > 40<<20 {
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

// 200 MB are read and their copies looked for in a few MB. A part of it is made
// up while it is read, the rest is the same piece again and again.
func TestABigTranscriptIsReadInLittleMemory(t *testing.T) {
	made, again := int64(16<<20), 46
	if testing.Short() {
		again = 1
	}
	block := mixed(4 << 20)
	size := made + int64(again*len(block))
	d := NewDeduper()
	var res Result
	held := peak(t, func(sample func()) {
		var err error
		parts := []io.Reader{fixture.Stream(1, made, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}
		for range again {
			parts = append(parts, bytes.NewReader(block))
		}
		res, err = Read(sampled(io.MultiReader(parts...), sample), Options{}, func(m Message) error {
			d.See(m)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d MB read, %d messages, %.1f MB held at most", res.Bytes>>20, len(d.seen), float64(held)/(1<<20))
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
