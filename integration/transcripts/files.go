package transcripts

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/klauspost/compress/zstd"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// file is the current state of a session file, or of a session in a database of OpenClaw.
type file struct {
	path string // of a session in a database: PATH#SESSION; of a packed file: before it was packed
	version
}

// version identifies a state of a file. Of a session in a database, Size is the number of its
// events and ModTime the time of the last one.
type version struct {
	Size    int64  `json:"size"`
	ModTime int64  `json:"modTime"` // nanoseconds since 1970
	Inode   uint64 `json:"inode,omitempty"`
}

// packedExt is the extension that a session of Codex gets when Codex packs it.
const packedExt = ".zst"

// versionOf returns the version of a regular file, which may be packed.
func versionOf(path string) (version, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(path + packedExt)
	}
	if err != nil {
		return version{}, err
	}
	if !info.Mode().IsRegular() {
		return version{}, errors.New("it is not a regular file")
	}
	return version{info.Size(), info.ModTime().UnixNano(), durable.Inode(info)}, nil
}

// find returns the transcripts in the sources by path, and records those that cannot be read.
func (x *Extractor) find(ctx context.Context, s *scanned) (all []file) {
	var paths []string
	for _, glob := range x.o.Sources {
		found, err := doublestar.FilepathGlob(glob, doublestar.WithFilesOnly())
		if err != nil {
			s.problems = append(s.problems, Problem{File: glob, Message: "cannot be searched: " + durable.Cause(err).Error()})
		}
		for _, path := range found {
			paths = append(paths, strings.TrimSuffix(path, packedExt))
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		found := []file{{path: path}}
		var err error
		if strings.HasSuffix(path, databaseExt) {
			found, err = sessionsIn(ctx, path)
		} else {
			found[0].version, err = versionOf(path)
		}
		if err != nil {
			s.unreadable(path, err)
			continue
		}
		all = append(all, found...)
	}
	s.found = len(all)
	return all
}

// open opens a transcript as lines.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if database, session, found := cutSession(path); found {
		return openSession(ctx, database, session)
	}
	f, err := os.Open(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f, err = os.Open(path + packedExt); err != nil {
		return nil, err
	}
	unpack, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1)) // without goroutines to end
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{unpack, f}, nil
}

func (x *Extractor) reading(path string, modTime int64) transcript.Options {
	o := transcript.Options{File: path, SideChains: x.o.SideChains, FileTime: time.Unix(0, modTime), Now: x.brain.Base.Now()}
	if i := strings.LastIndex(path, "/chats/"); i >= 0 { // Gemini CLI stores the folder next to the sessions
		root, _ := os.ReadFile(filepath.Join(path[:i], ".project_root"))
		o.Folder = strings.TrimSpace(string(root))
	}
	return o
}
