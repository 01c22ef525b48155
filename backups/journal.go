package backups

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// AppendJournal adds lines to the archive of the journal of a month (in UTC),
// journal-YYYY-MM.jsonl.zst, as one more zstd frame. Each line is one JSON
// value; one that is none is [brain.ErrInvalid] and nothing is written. The
// file is replaced as a whole, so that a crash leaves no torn frame, then read
// back, decoded and compared before AppendJournal returns nil; one that cannot
// be decoded is first set aside under another name. Only then may the lines
// leave the store; who dies in between appends them again, so a reader may
// meet a line twice.
func (a *Archive) AppendJournal(ctx context.Context, month time.Time, lines []json.RawMessage) error {
	if len(lines) == 0 {
		return nil
	}
	text, err := joinLines(lines)
	if err != nil {
		return fmt.Errorf("archive the journal: %w", err)
	}
	unlock, err := a.lock(ctx)
	if err != nil {
		return fmt.Errorf("archive the journal: %w", err)
	}
	defer unlock()
	path := a.journalPath(month)
	if err := a.appendFrame(path, text); err != nil {
		return fmt.Errorf("archive the journal in %s: %w", path, err)
	}
	return nil
}

func (a *Archive) journalPath(month time.Time) string {
	return filepath.Join(a.dir, "journal-"+month.UTC().Format("2006-01")+".jsonl.zst")
}

func joinLines(lines []json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	for i, l := range lines {
		if err := json.Compact(&b, l); err != nil {
			return nil, fmt.Errorf("line %d: %w: %w", i+1, brain.ErrInvalid, err)
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

func (a *Archive) appendFrame(path string, text []byte) error {
	durable.RemoveTemps(path)
	old, err := durable.ReadFile(path)
	if err != nil {
		return err
	}
	size, err := decodedSize(old)
	if err != nil {
		if err := a.setAside(path); err != nil {
			return err
		}
		old, size = nil, 0
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if err := durable.WriteFile(path, enc.EncodeAll(text, old), durable.Options{}); err != nil {
		return err
	}
	return verifyFrame(path, size, text)
}

// decodedSize is how much text a file holds, or why it cannot be decoded.
func decodedSize(compressed []byte) (int64, error) {
	d, err := newDecoder(bytes.NewReader(compressed))
	if err != nil {
		return 0, err
	}
	defer d.Close()
	return io.Copy(io.Discard, d)
}

// verifyFrame decodes a file and compares what it holds from an offset on.
func verifyFrame(path string, from int64, want []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	d, err := newDecoder(f)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := io.CopyN(io.Discard, d, from); err != nil {
		return fmt.Errorf("read it back: %w", err)
	}
	got, err := io.ReadAll(d)
	if err != nil {
		return fmt.Errorf("read it back: %w", err)
	}
	if !bytes.Equal(got, want) {
		return errors.New("it reads back differently from what was written; nothing may leave the store, look at the disk")
	}
	return nil
}

// newDecoder starts no goroutine.
func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
}

// Journal reads the archived journal of a month (in UTC), oldest line first;
// none where there is no archive of it. Lines of a damaged file come up to the
// damage, then its error, which ends the sequence.
func (a *Archive) Journal(ctx context.Context, month time.Time) iter.Seq2[json.RawMessage, error] {
	path := a.journalPath(month)
	return func(yield func(json.RawMessage, error) bool) {
		stopped, err := readLines(ctx, path, yield)
		if err != nil && !stopped {
			yield(nil, fmt.Errorf("read the journal in %s: %w", path, err))
		}
	}
}

// readLines yields the lines of a file; stopped says that the reader has had
// enough.
func readLines(ctx context.Context, path string, yield func(json.RawMessage, error) bool) (stopped bool, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	d, err := newDecoder(f)
	if err != nil {
		return false, err
	}
	defer d.Close()
	for r := bufio.NewReader(d); ; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !yield(bytes.TrimSuffix(line, []byte("\n")), nil) {
			return true, nil
		}
	}
}
