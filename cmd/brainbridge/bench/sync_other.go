//go:build !linux

package bench

import "os"

// syncData makes the content of a file last.
func syncData(f *os.File) error { return f.Sync() }
