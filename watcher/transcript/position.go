package transcript

import (
	"fmt"
	"io"
	"io/fs"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// File is the part of *os.File that Check and Follow use.
type File interface {
	io.ReadSeeker
	Stat() (fs.FileInfo, error)
}

// Position is the place up to which a file has been read. The zero Position is the
// beginning. It may be stored as JSON.
type Position struct {
	// Size, ModTime (nanoseconds since 1970) and Inode are hints: if none of
	// them has changed, neither has the file.
	Size    int64  `json:"size"`
	ModTime int64  `json:"modTime"`
	Inode   uint64 `json:"inode,omitempty"`
	// Prefix is the hash of the bytes before State.Offset. It decides.
	Prefix uint64 `json:"prefix"`
	State  State  `json:"state"`
}

// Matches reports whether the hints of a file are those of the position. Then
// the file is unchanged.
func (p Position) Matches(info fs.FileInfo) bool {
	return p.ModTime != 0 && info.Size() == p.Size && info.ModTime().UnixNano() == p.ModTime && durable.Inode(info) == p.Inode
}

// Change is the difference of a file from a Position.
type Change int

// The three changes.
const (
	// Unchanged files need no reading.
	Unchanged Change = iota
	// Grown files begin with the bytes that were read: go on behind them.
	Grown
	// Rewritten files do not, or are shorter: read them anew, and forget what
	// was found in them before. A file that was never read is one too.
	Rewritten
)

// Check returns the change of a file since pos. It reads the part that has
// been read before if the hints have changed, and leaves the file at a place
// that is not defined.
func Check(f File, pos Position) (Change, error) {
	change, _, err := check(f, pos)
	return change, err
}

func check(f File, pos Position) (Change, *xxh3.Hasher, error) {
	info, err := f.Stat()
	if err != nil {
		return Rewritten, nil, fmt.Errorf("look at transcript: %w", err)
	}
	if pos.Matches(info) {
		return Unchanged, nil, nil
	}
	hash := xxh3.New()
	if pos.State.Offset == 0 || info.Size() < pos.State.Offset {
		return Rewritten, hash, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Rewritten, nil, fmt.Errorf("seek in transcript: %w", err)
	}
	n, err := io.Copy(hash, io.LimitReader(f, pos.State.Offset))
	if err != nil {
		return Rewritten, nil, fmt.Errorf("compare transcript with what was read before: %w", err)
	}
	if n < pos.State.Offset || hash.Sum64() != pos.Prefix {
		return Rewritten, xxh3.New(), nil
	}
	return Grown, hash, nil
}

// Follow reads what a file holds beyond pos, or all of it if it was rewritten,
// and returns the new position. change says which it was: of an Unchanged file
// nothing is read. Options.State is not looked at, pos has its own.
//
// Errors are those of f and, as they are, of each; pos stays good after one,
// and the messages handed out so far come again.
func Follow(f File, pos Position, o Options, each func(Message) error) (Position, Result, Change, error) {
	change, hash, err := check(f, pos)
	if err != nil || change == Unchanged {
		return pos, Result{State: pos.State}, change, err
	}
	o.State = State{}
	if change == Grown {
		o.State = pos.State
	}
	// Hints are taken before reading: what is written meanwhile is seen next time.
	info, err := f.Stat()
	if err != nil {
		return pos, Result{}, change, fmt.Errorf("look at transcript: %w", err)
	}
	if _, err := f.Seek(o.State.Offset, io.SeekStart); err != nil {
		return pos, Result{}, change, fmt.Errorf("seek in transcript: %w", err)
	}
	if o.FileTime.IsZero() {
		o.FileTime = info.ModTime()
	}
	res, err := read(f, o, hash, each)
	if err != nil {
		return pos, res, change, err
	}
	return Position{
		Size: info.Size(), ModTime: info.ModTime().UnixNano(), Inode: durable.Inode(info),
		Prefix: hash.Sum64(), State: res.State,
	}, res, change, nil
}
