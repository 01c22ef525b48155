package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A service manager hears when the daemon is ready, that it lives, and that it
// stops.
func TestDaemonTellsItsManager(t *testing.T) {
	dir, err := os.MkdirTemp("", "bb") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	address := &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"}
	manager, err := net.ListenUnixgram("unixgram", address)
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	c := program(t, t.TempDir(), "serve", "-q")
	c.Env = append(c.Env, "NOTIFY_SOCKET="+address.Name, "WATCHDOG_USEC=100000")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, manager, "READY=1")
	for range 3 {
		waitFor(t, manager, "WATCHDOG=1")
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	waitFor(t, manager, "STOPPING=1")
	_ = c.Wait()
}

// waitFor reads what the daemon says until one line of it is that.
func waitFor(t *testing.T, manager *net.UnixConn, line string) {
	t.Helper()
	buf := make([]byte, 4096)
	for {
		n, err := manager.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(buf[:n]), line) {
			return
		}
	}
}
