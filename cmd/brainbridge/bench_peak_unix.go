//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process that has ended held, in bytes.
func peakMemory(s *os.ProcessState) int {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int(usage.Maxrss)
	}
	return int(usage.Maxrss) * 1024
}
