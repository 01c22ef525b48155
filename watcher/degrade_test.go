package watcher

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestDegradesAndRecovers(t *testing.T) {
	tests := []struct {
		name string
		fail func(r *rig)
		mend func(r *rig)
		want string
	}{
		{
			"no more watches",
			func(r *rig) {
				r.addErr = func(p string) error {
					if strings.HasSuffix(p, "/x") {
						return syscall.ENOSPC
					}
					return nil
				}
			},
			func(r *rig) { r.addErr = nil }, "max_user_watches",
		},
		{
			"no more files",
			func(r *rig) { r.openErr = fmt.Errorf("inotify: %w", syscall.EMFILE) },
			func(r *rig) { r.openErr = nil }, "too many open files",
		},
		{
			"not permitted",
			func(r *rig) { r.addErr = func(string) error { return syscall.EPERM } },
			func(r *rig) { r.addErr = nil }, "operation not permitted",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, "a.md", "x/b.md")
				r.set(tt.fail)
				r.start()
				defer r.end()
				if why := r.w.Degraded(); !strings.Contains(why, tt.want) {
					t.Errorf("degraded: %q, want %q", why, tt.want)
				}
				r.want("at the start", full...)
				r.pass(2 * time.Second)
				r.want("first scan instead of events", full...)
				r.pass(3 * time.Minute) // 4, 8, 16, then each 30 s
				if n := len(r.take()); n < 7 || n > 9 {
					t.Errorf("%d scans in 3 minutes, want back-off from 2 s to 30 s", n)
				}
				r.set(tt.mend)
				r.pass(30 * time.Second)
				r.want("when it can be had", full...)
				if why := r.w.Degraded(); why != "" {
					t.Errorf("not recovered: %s", why)
				}
				r.event(fsnotify.Write, "x/b.md")
				r.pass(50 * time.Millisecond)
				r.want("an event again", paths("x/b.md"))
				if n := strings.Count(r.log.String(), "scanning with back-off"); n != 1 {
					t.Errorf("said %d times, want once:\n%s", n, &r.log)
				}
				if n := strings.Count(r.log.String(), "arrive again"); n != 1 {
					t.Errorf("recovery said %d times, want once", n)
				}
			})
		})
	}
}

func TestNotifierThatEndsIsOpenedAgain(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		close(r.notifier().events)
		synctest.Wait()
		r.want("after opening again", full...)
		if why := r.w.Degraded(); why != "" || len(r.notifiers) != 2 {
			t.Errorf("not opened again: %s", why)
		}
	})
}

// If an absent directory were emitted, its files would be taken for removed.
func TestDirectoryThatIsAway(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		must(t, os.Rename(r.dir, r.dir+".away"))
		r.event(fsnotify.Remove, "a.md")
		r.event(fsnotify.Rename, ".")
		r.pass(10 * time.Minute)
		r.want("while it is away")
		if why := r.w.Degraded(); !strings.Contains(why, "does not exist") {
			t.Errorf("degraded: %q", why)
		}
		must(t, os.Rename(r.dir+".away", r.dir))
		r.pass(30 * time.Second)
		r.want("when it is back", full...)
		if why := r.w.Degraded(); why != "" {
			t.Errorf("degraded: %q", why)
		}
	})
}

func TestDirectoryThatComesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		must(t, os.Remove(r.dir))
		r.start()
		defer r.end()
		r.pass(time.Second)
		r.want("before it is there")
		write(t, r.dir, "a.md")
		r.pass(4 * time.Second)
		r.want("when it is there", full...)
	})
}

// No event tells of this: the watch stays with the old directory.
func TestDirectoryReplacedUnseen(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		must(t, os.Rename(r.dir, r.dir+".old"))
		write(t, r.dir, "b.md")
		r.pass(scanEvery)
		r.want("at the next scan", full...)
		if len(r.notifiers) != 2 {
			t.Error("the old directory is still the watched one")
		}
	})
}
