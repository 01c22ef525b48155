package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/brainbridge/brainbridge/brain"
)

// Where SQLite cannot lock a file or keep its log, because the disk is full or the file or its
// folder cannot be written, the file is read from a copy in memory, or in the temporary folder if it is large.

// mostInMemory is the size of the largest file of which each connection has a copy in memory.
const mostInMemory = 64 << 20

// Copied reports whether the store is a copy, which does not change.
func (s *Store) Copied() bool { return s.pool.image != nil || s.copyDir != "" }

// unwritable says why a file could not be opened that perhaps can be read, "" for other errors.
func (s *Store) unwritable(err error) string {
	c := code(err) & 0xff
	failed := c == sqlite3.SQLITE_FULL || c == sqlite3.SQLITE_IOERR
	closed := c == sqlite3.SQLITE_CANTOPEN || c == sqlite3.SQLITE_READONLY || c == sqlite3.SQLITE_PERM ||
		errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	var disk syscall.Statfs_t
	switch {
	case failed && syscall.Statfs(filepath.Dir(s.path), &disk) == nil && disk.Bavail*uint64(disk.Bsize) < 1<<20:
		return "the disk is full"
	case failed:
		return "the disk cannot be written"
	case closed:
		return "the file or its folder is read-only"
	}
	return ""
}

// openCopy opens a copy of the file. Every write to it is [brain.ErrReadOnly].
func (s *Store) openCopy(ctx context.Context, why string) error {
	if info, err := os.Stat(s.path); err == nil && info.Size() > mostInMemory {
		return s.openLargeCopy(ctx, why)
	}
	image, opened, err := readImage(s.path)
	if err != nil {
		return err
	}
	s.why, s.pool.image = why, image // of which each connection has a copy of its own
	return s.openConnection(ctx, opened)
}

// openLargeCopy is openCopy in the temporary folder. [Store.Close] removes the copy.
func (s *Store) openLargeCopy(ctx context.Context, why string) error {
	dir, err := os.MkdirTemp("", "brainbridge-")
	if err != nil {
		return err
	}
	before, log := stats(s.path)
	to := filepath.Join(dir, "brain.db")
	err = copyFile(to, s.path)
	if err == nil && log != nil {
		err = copyFile(to+"-wal", s.path+"-wal")
	}
	if now, nowLog := stats(s.path); err == nil && (!same(before, now) || !same(log, nowLog)) {
		err = brain.Busy("%s is being written", s.path)
	}
	if err == nil {
		s.why, s.pool.path, s.copyDir = why, to, dir
		err = s.openConnection(ctx, before)
	}
	if err != nil {
		s.pool.path, s.copyDir = s.path, ""
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// readOnly is the error of every write to a copy.
func (s *Store) readOnly() error {
	where := " in memory"
	if s.copyDir != "" {
		where = ""
	}
	return brain.Errorf(brain.ErrReadOnly, "free some space on that disk, or check who may write to the file and its folder; in the sandbox of an agent, call the tools of the MCP server instead",
		"%s can only be read, from a copy%s: %s", s.path, where, s.why)
}

// readImage reads a database file and its write-ahead log as one file without a log. It reads
// again if they change meanwhile.
func readImage(path string) ([]byte, os.FileInfo, error) {
	const tries = 5
	for range tries {
		before, log := stats(path)
		file, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		wal, err := os.ReadFile(path + "-wal")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if now, nowLog := stats(path); same(before, now) && same(log, nowLog) {
			return withLog(file, wal), before, nil
		}
	}
	return nil, nil, brain.Busy("%s is being written", path)
}

func stats(path string) (file, log os.FileInfo) {
	file, _ = os.Stat(path) // reading it says what is wrong
	log, _ = os.Stat(path + "-wal")
	return file, log
}

func same(a, b os.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// withLog returns a database file with what is committed in its write-ahead log. See "WAL Format" in
// https://sqlite.org/fileformat2.html.
func withLog(file, log []byte) []byte {
	const header, frameHeader, magic = 32, 24, 0x377f0682
	const writeVersion, readVersion, rollback = 18, 19, 1
	be := binary.BigEndian
	if len(file) > readVersion {
		file[writeVersion], file[readVersion] = rollback, rollback // memory has no log
	}
	if len(log) < header || be.Uint32(log)&^1 != magic {
		return file
	}
	var order binary.ByteOrder = binary.LittleEndian
	if be.Uint32(log)&1 == 1 {
		order = be
	}
	size, salt := int(be.Uint32(log[8:])), log[16:24]
	if size < 512 || size > 65536 {
		return file
	}
	sum := addSum(order, [2]uint32{}, log[:24])
	pages := map[int][]byte{} // of the transaction
	for frame := log[header:]; len(frame) >= frameHeader+size; frame = frame[frameHeader+size:] {
		no, pagesAfter, page := int(be.Uint32(frame)), int(be.Uint32(frame[4:])), frame[frameHeader:frameHeader+size]
		sum = addSum(order, addSum(order, sum, frame[:8]), page)
		if no == 0 || !bytes.Equal(frame[8:16], salt) || sum != [2]uint32{be.Uint32(frame[16:]), be.Uint32(frame[20:])} {
			break
		}
		if pages[no] = page; pagesAfter == 0 {
			continue
		}
		if pagesAfter > (len(file)+len(log))/size { // which no SQLite writes
			break
		}
		file = append(file, make([]byte, max(0, pagesAfter*size-len(file)))...)[:pagesAfter*size]
		for no, page := range pages {
			if no <= pagesAfter {
				copy(file[(no-1)*size:], page)
			}
		}
		clear(pages)
	}
	if len(file) > readVersion {
		file[writeVersion], file[readVersion] = rollback, rollback
	}
	return file
}

// addSum adds words of eight bytes to a checksum of a write-ahead log.
func addSum(order binary.ByteOrder, sum [2]uint32, data []byte) [2]uint32 {
	for ; len(data) >= 8; data = data[8:] {
		sum[0] += order.Uint32(data) + sum[1]
		sum[1] += order.Uint32(data[4:]) + sum[0]
	}
	return sum
}

// connectCopy opens a connection to a copy in memory.
func connectCopy(ctx context.Context, image []byte) (*conn, error) {
	connector, err := sqlite.NewConnector("file::memory:?_pragma=temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	c := &conn{db: sql.OpenDB(connector), statements: map[string]*sql.Stmt{}}
	if c.c, err = c.db.Conn(ctx); err != nil {
		return nil, errors.Join(err, c.db.Close())
	}
	err = c.c.Raw(func(driver any) error {
		d, ok := driver.(interface{ Deserialize(image []byte) error })
		if !ok {
			return fmt.Errorf("%T cannot read a database in memory", driver)
		}
		return d.Deserialize(image)
	})
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}
