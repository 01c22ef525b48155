package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// dropProgram lets go of the pages of the program's code that were mapped so far:
// many were needed to start and never again. Those that are needed come back
// from the cache of the system, where they stay. Not to be able to is no failure.
// Only code is dropped: what is merely read may have been written by the loader.
func dropProgram() {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close() //nolint:errcheck // only read
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		f := strings.Fields(lines.Text()) // range, permissions, offset, device, inode, path
		if len(f) < 6 || f[5] != self || f[1] != "r-xp" {
			continue
		}
		var from, to uintptr
		if _, err := fmt.Sscanf(f[0], "%x-%x", &from, &to); err == nil {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
		}
	}
}
