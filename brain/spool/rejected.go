package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// SetAside counts the captures that were set aside because the store refused
// them or they could not be read, and names their file; the name is empty if
// there are none. It takes no lock.
func (s *Spool) SetAside() (n int, file string, err error) {
	if n, err = countFile(s.rejected()); err != nil {
		return 0, "", fmt.Errorf("count rejected captures: %w", err)
	}
	if n == 0 {
		return 0, "", nil
	}
	return n, s.rejected(), nil
}

// countFile counts the lines of a file; one that does not exist has none.
func countFile(path string) (int, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	return countLines(f)
}
