//go:build unix

package durable

import (
	"io/fs"
	"syscall"
)

// Inode returns the inode number of a file, 0 if it has none.
func Inode(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino) //nolint:unconvert // narrower on some systems
	}
	return 0
}
