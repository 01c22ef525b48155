package backups

import (
	"bufio"
	"bytes"
	"cmp"
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
)

// AppendJournal adds lines to the archive of a month (in UTC), journal-YYYY-MM.jsonl.zst,
// as one more zstd frame. Each line is one JSON value; anything else is [brain.ErrInvalid].
// In that case, or if lines yields an error, nothing is written.
//
// The file is replaced as in [Archive.Append]. After a crash the caller appends the same
// lines again, so a reader may meet a line twice.
func (a *Archive) AppendJournal(ctx context.Context, month time.Time, lines iter.Seq2[json.RawMessage, error]) error {
	path := a.journalPath(month)
	var frame bytes.Buffer
	n, err := writeFrame(&frame, lines)
	if err == nil && n > 0 {
		err = a.replace(ctx, path, isZstd, func(old []byte) []byte { return append(old, frame.Bytes()...) })
	}
	return brain.Wrap(err, "archive the journal in %s", path)
}

func (a *Archive) journalPath(month time.Time) string {
	return filepath.Join(a.dir, "journal-"+month.UTC().Format("2006-01")+".jsonl.zst")
}

func isZstd(content []byte) bool {
	d, err := newDecoder(bytes.NewReader(content))
	if err != nil {
		return false
	}
	defer d.Close()
	_, err = io.Copy(io.Discard, d)
	return err == nil
}

// newDecoder returns a decoder that starts no goroutine.
func newDecoder(r io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
}

// writeFrame writes lines as one zstd frame and returns their number.
func writeFrame(w io.Writer, lines iter.Seq2[json.RawMessage, error]) (n int, err error) {
	enc, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, enc.Close()) }()
	var line bytes.Buffer
	for raw, err := range lines {
		if err != nil {
			return n, err
		}
		n++
		line.Reset()
		if err := json.Compact(&line, raw); err != nil {
			return n, fmt.Errorf("line %d: %w: %w", n, brain.ErrInvalid, err)
		}
		line.WriteByte('\n')
		if _, err := enc.Write(line.Bytes()); err != nil {
			return n, err
		}
	}
	return n, nil
}

// JournalSince reads the archived journal from a month on (in UTC), oldest month first. A
// damaged file yields its lines up to the damage, then an error; the next months follow.
func (a *Archive) JournalSince(ctx context.Context, month time.Time) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		paths, err := a.journals()
		if err != nil {
			yield(nil, err)
			return
		}
		for _, path := range paths {
			if path < a.journalPath(month) {
				continue
			}
			for line, err := range readLines(ctx, path) {
				if !yield(line, err) || ctx.Err() != nil {
					return
				}
			}
		}
	}
}

func (a *Archive) journals() ([]string, error) {
	entries, err := os.ReadDir(a.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the archive: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if _, err := time.Parse("journal-2006-01.jsonl.zst", e.Name()); err == nil {
			paths = append(paths, filepath.Join(a.dir, e.Name()))
		}
	}
	return paths, nil
}

// readLines yields the lines of a journal up to an error, which comes last.
func readLines(ctx context.Context, path string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = f.Close() }() // only read
		d, err := newDecoder(f)
		if err != nil {
			yield(nil, err)
			return
		}
		defer d.Close()
		for r := bufio.NewReader(d); ; {
			line, err := r.ReadBytes('\n')
			switch err = cmp.Or(ctx.Err(), err); {
			case errors.Is(err, io.EOF) && len(line) == 0:
				return
			case err != nil:
				yield(nil, fmt.Errorf("read the journal in %s: %w", path, err))
				return
			case !yield(bytes.TrimSuffix(line, []byte("\n")), nil):
				return
			}
		}
	}
}
