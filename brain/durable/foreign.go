package durable

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// ForeignDatabase returns the URI by which SQLite opens a database of another program for
// reading only, with further parameters. If the database uses a write-ahead log that does not
// exist at the moment, SQLite creates none, so the folder need not be writable.
func ForeignDatabase(path, parameters string) string {
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) && hasLog(path) {
		parameters += "&immutable=1"
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=ro&" + parameters}).String()
}

// hasLog reports whether a database uses a write-ahead log, according to its header.
func hasLog(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // it was only read
	header := make([]byte, 20)
	n, err := f.Read(header)
	return err == nil && n == len(header) && header[19] == 2
}
