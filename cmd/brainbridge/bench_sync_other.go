//go:build !linux

package main

import "os"

// syncData makes the content of a file last.
func syncData(f *os.File) error { return f.Sync() }
