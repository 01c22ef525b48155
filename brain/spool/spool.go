// Package spool keeps captures in a file while their store cannot be reached,
// and hands them over in order once it can.
//
// The folder of a spool holds:
//
//	captures.jsonl  a line per capture: brain, store, time and the capture
//	captures.size   the number of bytes that captures.jsonl has at least
//	rejected.jsonl  lines that the store refused for good or that cannot be read
//	append.lock     held while captures.jsonl changes
//	drain.lock      held by the process that hands captures over
//
// A line leaves captures.jsonl only after the store has acknowledged it or it was
// written to rejected.jsonl. If a process dies in between, the next one hands it
// over again; storing a capture twice changes nothing, because it has its ids, and a
// rejected line may be in rejected.jsonl twice.
// The file is replaced by a rename. A torn last line is ended by the next writer
// and rejected by the next drain.
package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Spool is the spool of one brain on one store. It is safe for concurrent use,
// and several may use one folder, in any number of processes.
type Spool struct {
	dir, brain, store string
	former            string // a store from which the brain has moved to store; "" for none
}

// New returns the spool in a folder, which is made with the first capture.
// storeURI is written to the file, so it must not hold a password.
func New(dir, brainName, storeURI string) *Spool {
	return &Spool{dir: dir, brain: brainName, store: storeURI}
}

// From returns the spool with the captures that wait for a store from which the brain has moved.
func (s Spool) From(former string) *Spool {
	s.former = former
	return &s
}

func (s *Spool) path(name string) string { return filepath.Join(s.dir, name) }
func (s *Spool) captures() string        { return s.path("captures.jsonl") }
func (s *Spool) rejected() string        { return s.path("rejected.jsonl") }

// lockWait is how long to wait for another process that writes to the spool.
const lockWait = 30 * time.Second

// lock keeps other processes from changing the file of captures.
func (s *Spool) lock() durable.Lock {
	return durable.Lock{
		Path: s.path("append.lock"), Wait: lockWait, Busy: brain.Busy("another process is writing to the spool in %s", s.dir),
	}
}

// Add keeps a capture, durably. A capture without an id is [brain.ErrInvalid].
func (s *Spool) Add(ctx context.Context, c brain.Capture) error {
	if err := check(c); err != nil {
		return err
	}
	raw, err := plaintext.JSON(line{Brain: s.brain, Store: s.store, At: c.At, Capture: c}, "")
	if err != nil {
		return err
	}
	err = s.lock().Do(ctx, func() error {
		err := appendLines(s.captures(), raw)
		if err == nil {
			s.note(s.noted() + int64(len(raw)))
		}
		return err
	})
	var file *fs.PathError
	if errors.As(err, &file) {
		return fmt.Errorf("the spool %s cannot be written: %w", s.dir, file.Err)
	}
	return err
}

func (s *Spool) sizeFile() string { return s.path("captures.size") }

// noted returns the size that the file of captures has at least, 0 if that is unknown.
func (s *Spool) noted() int64 {
	text, err := os.ReadFile(s.sizeFile())
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // 0 if it is damaged
	return n
}

// note stores the size, without waiting for the disk. If it fails, a loss is not noticed.
func (s *Spool) note(size int64) {
	if size == 0 {
		_ = os.Remove(s.sizeFile())
		return
	}
	_ = os.WriteFile(s.sizeFile(), []byte(strconv.FormatInt(size, 10)+"\n"), durable.PrivateFile)
}

// Cut reports whether the file of captures was cut or deleted by something else: captures that
// waited are lost. The next drain forgets that.
func (s *Spool) Cut() bool {
	noted := s.noted()
	info, err := os.Stat(s.captures())
	return noted > 0 && (errors.Is(err, fs.ErrNotExist) || err == nil && info.Size()+1 < noted) // the last line may be without its end
}

// appendLines adds whole lines to a file, durably. If a writer died in the last
// line, it is ended first. After an error the file is as it was, as far as the
// disk allows.
func appendLines(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, durable.PrivateFile)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte("\n"), lines...)
		}
	}
	if _, err = f.Write(lines); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	if size == 0 {
		return durable.SyncDir(filepath.Dir(path))
	}
	return nil
}

// Waiting counts the captures in the folder: those of this brain and store, and those for
// others by the URI of their store. A line that cannot be read counts for this store, whose
// next drain rejects it. Waiting takes no lock.
func (s *Spool) Waiting() (here int, elsewhere map[string]int, err error) {
	content, err := durable.ReadFile(s.captures())
	if err != nil {
		return 0, nil, fmt.Errorf("count spooled captures: %w", err)
	}
	elsewhere = map[string]int{}
	for _, raw := range split(content) {
		l, err := parse(raw)
		if err != nil || s.mine(l) {
			here++
			continue
		}
		elsewhere[l.Store]++
	}
	return here, elsewhere, nil
}

// Rejected counts the captures that were rejected, and names their file; the
// name is empty if there are none. It takes no lock.
func (s *Spool) Rejected() (n int, file string, err error) {
	content, err := durable.ReadFile(s.rejected())
	if err != nil {
		return 0, "", fmt.Errorf("count rejected captures: %w", err)
	}
	if n = len(split(content)); n == 0 {
		return 0, "", nil
	}
	return n, s.rejected(), nil
}

// Damaged returns the numbers of the lines of waiting captures that cannot be read, from 1, and
// the file. The next drain moves them to the rejected file. It takes no lock.
func (s *Spool) Damaged() (lines []int, file string, err error) {
	content, err := durable.ReadFile(s.captures())
	if err != nil {
		return nil, "", fmt.Errorf("read the spool: %w", err)
	}
	for i, raw := range split(content) {
		if _, err := parse(raw); err != nil {
			lines = append(lines, i+1)
		}
	}
	return lines, s.captures(), nil
}
