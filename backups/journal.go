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
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// AppendJournal adds lines to the archive of a month (in UTC),
// journal-YYYY-MM.jsonl.zst, as one more zstd frame, however many they are: none
// of it is held whole. Each line is one JSON value; one that is none is
// [brain.ErrInvalid]. After that, or an error among the lines, nothing is
// written. The file is replaced as a whole, so that a crash leaves no torn
// frame, then read back, decoded and compared before AppendJournal returns nil;
// one that cannot be decoded is first set aside under another name. Only then
// may the lines leave the store; who dies in between appends them again, so a
// reader may meet a line twice.
func (a *Archive) AppendJournal(ctx context.Context, month time.Time, lines iter.Seq2[json.RawMessage, error]) error {
	unlock, err := a.lock(ctx)
	if err != nil {
		return fmt.Errorf("archive the journal: %w", err)
	}
	defer unlock()
	path := a.journalPath(month)
	if err := a.appendFrame(path, lines); err != nil {
		return fmt.Errorf("archive the journal in %s: %w", path, err)
	}
	return nil
}

func (a *Archive) journalPath(month time.Time) string {
	return filepath.Join(a.dir, "journal-"+month.UTC().Format("2006-01")+".jsonl.zst")
}

func (a *Archive) appendFrame(path string, lines iter.Seq2[json.RawMessage, error]) error {
	durable.RemoveTemps(path)
	size, err := decodedSize(path)
	if err != nil {
		if err := a.setAside(path); err != nil {
			return err
		}
		size = 0
	}
	f, err := durable.Create(path, durable.Options{})
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := copyFrom(path, f); err != nil {
		return err
	}
	text, err := writeFrame(f, lines)
	if err != nil || text.size == 0 {
		return err
	}
	if err := f.Replace(); err != nil {
		return err
	}
	return verifyFrame(path, size, text)
}

// decodedSize is how much text a file holds, 0 if it is not there, or why it
// cannot be decoded.
func decodedSize(path string) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	d, err := newDecoder(f)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	return io.Copy(io.Discard, d)
}

// copyFrom writes what a file holds, if it is there.
func copyFrom(path string, w io.Writer) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(w, f)
	return err
}

// digest is what was written, without keeping it.
type digest struct {
	hash *xxh3.Hasher
	size int64
}

func (d *digest) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return d.hash.Write(p)
}

// writeFrame writes lines as one zstd frame.
func writeFrame(w io.Writer, lines iter.Seq2[json.RawMessage, error]) (*digest, error) {
	text := &digest{hash: xxh3.New()}
	enc, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	n := 0
	var line bytes.Buffer
	for raw, err := range lines {
		if err != nil {
			return nil, errors.Join(err, enc.Close())
		}
		n++
		line.Reset()
		if err := json.Compact(&line, raw); err != nil {
			return nil, errors.Join(fmt.Errorf("line %d: %w: %w", n, brain.ErrInvalid, err), enc.Close())
		}
		line.WriteByte('\n')
		if _, err := io.MultiWriter(enc, text).Write(line.Bytes()); err != nil {
			return nil, errors.Join(err, enc.Close())
		}
	}
	return text, enc.Close()
}

// verifyFrame decodes a file and compares what it holds from an offset on.
func verifyFrame(path string, from int64, want *digest) error {
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
	got := &digest{hash: xxh3.New()}
	if _, err := io.Copy(got, d); err != nil {
		return fmt.Errorf("read it back: %w", err)
	}
	if got.size != want.size || got.hash.Sum128() != want.hash.Sum128() {
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

// JournalSince reads the archived journal from a month on (in UTC), oldest
// month first. A file that is damaged gives its lines up to the damage, then
// its error; the months after it follow.
func (a *Archive) JournalSince(ctx context.Context, month time.Time) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		names, err := filesIn(a.dir)
		if err != nil {
			yield(nil, fmt.Errorf("look into the archive: %w", err))
			return
		}
		first := filepath.Base(a.journalPath(month))
		for _, name := range names { // in the order of their months
			if !isJournal(name) || name < first {
				continue
			}
			path := filepath.Join(a.dir, name)
			stopped, err := readLines(ctx, path, yield)
			if err != nil {
				stopped = !yield(nil, fmt.Errorf("read the journal in %s: %w", path, err))
			}
			if stopped || ctx.Err() != nil {
				return
			}
		}
	}
}

func isJournal(name string) bool {
	month, ok := strings.CutPrefix(name, "journal-")
	month, whole := strings.CutSuffix(month, ".jsonl.zst")
	_, err := time.Parse("2006-01", month)
	return ok && whole && err == nil
}

// filesIn are the names in a folder, in order; one that does not exist has none.
func filesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
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
