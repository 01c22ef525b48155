package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

// withDisk marks the process in which a test runs again, with mounts of its own.
const withDisk = "BRAINBRIDGE_E2E_WITH_DISK"

// ownMounts reports whether the calling test was run in a process that may mount, and is to return at once.
func ownMounts(t *testing.T) bool {
	t.Helper()
	if os.Getenv(withDisk) != "" {
		return false
	}
	own, err := os.Executable()
	must(t, err)
	c := exec.CommandContext(t.Context(), own, "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.v")
	c.Env = append(os.Environ(), withDisk+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.EACCES) {
		t.Skipf("this machine allows no disks of one's own: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	return true
}

// onDisk makes a home on a disk of 16 MB with a brain whose last capture is only in the write-ahead log.
func onDisk(t *testing.T) *home {
	t.Helper()
	h := newHome(t)
	must(t, unix.Mount("none", h.dir, "tmpfs", 0, "size=16m"))
	t.Cleanup(func() { must(t, unix.Unmount(h.dir, unix.MNT_DETACH)) })
	h.fillBrain()
	return h
}

func (h *home) fillBrain() {
	h.t.Helper()
	h.ok("learn", "falcon", "nests on the tower")
	d := h.serve()
	h.ok("learn", "falcon", "is only in the log")
	d.kill()
	must(h.t, os.Remove(h.database()+"-shm")) // without space for another one SQLite cannot open the file
}

// fill leaves no byte free on the disk of the home.
func (h *home) fill() {
	h.t.Helper()
	f, err := os.Create(h.path("ballast"))
	must(h.t, err)
	defer func() { _ = f.Close() }()
	for _, block := range []int{64 << 10, 4096, 1} {
		for err == nil {
			_, err = f.Write(make([]byte, block))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			h.t.Fatal(err)
		}
		err = nil
	}
}

// readable wants every reading command to answer, with one warning, and a backup elsewhere.
func (h *home) readable(why string) {
	h.t.Helper()
	t := h.t
	found := h.recall("falcon")
	want(t, "recalled", len(found), 2)
	elsewhere := t.TempDir()
	for _, args := range [][]string{
		{"list"},
		{"recall", "falcon"},
		{"context"},
		{"show", found[0].ID},
		{"status"},
		{"health"},
		{"reminders"},
		{"reflect"},
		{"backup", "create", "--to", elsewhere},
	} {
		a := h.ok(args...)
		if n := strings.Count(a.err, why); n != 1 {
			t.Errorf("it says %q %d times: %s", why, n, a)
		}
	}
	says(t, h.ok("context").out, "nests on the tower", "is only in the log")
	made, err := filepath.Glob(filepath.Join(elsewhere, "brain-*"))
	must(t, err)
	want(t, "backups", len(made), 1)
	h.ok("backup", "verify", made[0])
}

// With a full disk everything can be read, and a capture is refused in one line.
func TestFullDiskIsRead(t *testing.T) {
	if ownMounts(t) {
		return
	}
	h := onDisk(t)
	h.fill()
	h.readable("the disk is full")
	for why, args := range map[string][]string{
		"the disk is full": {"learn", "falcon", "has flown"}, "no space left on device": {"outcome", "decision", "Title", "body"},
	} {
		a := h.exits(5, args...)
		says(t, a.err, why, "free some space on that disk")
		want(t, "lines of the error and its hint", strings.Count(a.err, "\n"), 2)
	}
	for _, a := range []answer{h.exits(1, "doctor"), h.ok("health")} {
		says(t, a.out, " are free in ", "captures fail, or will soon")
	}
	if a := h.run("list"); strings.Contains(a.err, "check who may write") {
		t.Errorf("it says what is not the cause: %s", a)
	}
	must(t, os.Remove(h.path("ballast")))
	want(t, "spooled", ask[captured](h, "learn", "falcon", "has flown").Spooled, false)
	want(t, "memories", len(h.all()), 3)
}

// A daemon whose disk fills up goes on reading, and takes captures again when there is space.
func TestFullDiskUnderADaemon(t *testing.T) {
	if ownMounts(t) {
		return
	}
	h := onDisk(t)
	d := h.serve()
	m := h.mcp()
	h.fill()
	says(t, m.call("recall", `{"query":"falcon"}`), "nests on the tower")
	shown(t, h.allPlaces(), "disk: ", "disk)", `name="disk"} 1`, `"name":"disk","state":"warn"`)
	ballast, err := os.Stat(h.path("ballast"))
	must(t, err)
	must(t, os.Truncate(h.path("ballast"), ballast.Size()-1<<20)) // so that the disk fills up in the middle
	failed, stored := 0, 0
	for i := range 40 {
		a := h.run("learn", "falcon", fmt.Sprintf("egg %d of the nest %s", i, strings.Repeat("x", 4000)))
		switch a.code {
		case 0:
			stored++
		case 5:
			failed++
		default:
			t.Fatal(a)
		}
	}
	want(t, "some are acknowledged and some refused", stored > 0 && failed > 0, true)
	want(t, "recalled", len(h.recall("tower")), 1)
	must(t, os.Remove(h.path("ballast")))
	h.ok("learn", "falcon", "has flown")
	want(t, "memories", len(h.all()), 3+stored)
	testlab.Report(t, "SQLite", "%d captures on a full disk, %d acknowledged, %d refused, 0 lost", 40, stored, failed)
	d.stop()
}

// On a disk that is mounted for reading only everything can be read.
func TestReadOnlyDisk(t *testing.T) {
	if ownMounts(t) {
		return
	}
	h := onDisk(t)
	must(t, unix.Mount("none", h.dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	h.readable("can only be read")
	a := h.exits(5, "learn", "falcon", "has flown")
	says(t, a.err, "can only be read", "read-only file system")
	a = h.exits(5, "consolidate")
	says(t, a.err, "mount it for writing")
	h.exits(5, "serve")
	if out := h.run("doctor").out; strings.Contains(out, " schema  ") {
		t.Errorf("doctor finds something wrong with the schema:\n%s", out)
	}
	must(t, unix.Mount("none", h.dir, "tmpfs", unix.MS_REMOUNT, ""))
	h.ok("learn", "falcon", "has flown")
	want(t, "memories", len(h.all()), 3)
}

// A folder or a file without write permission can be read; captures wait in the spool.
func TestReadOnlyFolder(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	for name, c := range map[string]struct {
		mode os.FileMode
		path func(h *home) string
	}{
		"folder": {0o500, func(h *home) string { return h.path("data", "default") }},
		"file":   {0o400, func(h *home) string { return h.database() }},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.fillBrain()
			path := c.path(h)
			must(t, os.Chmod(path, c.mode))
			t.Cleanup(func() { must(t, os.Chmod(path, 0o700)) })
			want(t, "recalled", len(h.recall("falcon")), 2)
			for _, args := range [][]string{{"list"}, {"context"}, {"status"}, {"health"}} {
				h.ok(args...)
			}
			c := ask[captured](h, "learn", "falcon", "has flown")
			want(t, "spooled", c.Spooled, true)
			h.ok("recall", "falcon") // although the spool cannot be drained
			h.ok("doctor", "--fix")
			if _, err := os.Stat(h.path("state", "default", "spool", "captures.jsonl")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the capture waits after doctor --fix: %v", err)
			}
			want(t, "memories", len(h.all()), 3)
		})
	}
}
