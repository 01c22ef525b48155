package watcher

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

var full = []Batch{{Full: true}}

func (r *rig) want(what string, want ...Batch) {
	r.t.Helper()
	if d := cmp.Diff(want, r.take()); d != "" {
		r.t.Errorf("%s: batches (-want +got):\n%s", what, d)
	}
}

func paths(p ...string) Batch { return Batch{Paths: p} }

// bubble runs a test on fake time with a watcher that has started.
func bubble(t *testing.T, files []string, test func(*rig)) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, files...)
		r.start()
		defer r.end()
		r.want("at the start", full...)
		test(r)
	})
}

func TestStateAfterTheFirstScan(t *testing.T) {
	bubble(t, []string{"a.md", "x/y/b.md"}, func(r *rig) {
		if why := r.w.Degraded(); why != "" {
			t.Errorf("degraded: %s", why)
		}
		for _, dir := range []string{"", "x", "x/y"} {
			if !r.notifier().watches(r.path(dir)) {
				t.Errorf("%q is not watched", dir)
			}
		}
		r.end()
		if !r.notifier().closed {
			t.Error("the notifier stays open")
		}
	})
}

func TestDebounce(t *testing.T) {
	bubble(t, []string{"a.md", "b.md"}, func(r *rig) {
		begin := time.Now()
		r.event(fsnotify.Write, "b.md")
		r.pass(40 * time.Millisecond)
		r.event(fsnotify.Write, "a.md", "b.md")
		r.pass(49 * time.Millisecond)
		r.want("before it is quiet")
		r.pass(time.Millisecond)
		r.set(func(r *rig) {
			if len(r.times) != 1 || r.times[0].Sub(begin) != 90*time.Millisecond {
				t.Errorf("emitted %v, want 50 ms after the last event", r.times)
			}
		})
		r.want("when it is quiet", paths("a.md", "b.md"))
		r.pass(time.Minute)
		r.want("afterwards")
	})
}

func TestSteadyWritingDoesNotPutABatchOff(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		for range 100 { // 3 s of writing without 50 ms of quiet
			r.event(fsnotify.Write, "a.md")
			r.pass(30 * time.Millisecond)
		}
		if n := len(r.take()); n < 2 || n > 4 {
			t.Errorf("%d batches in 3 s, want one a second", n)
		}
	})
}

func TestWhatDoesNotCount(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		r.event(fsnotify.Create|fsnotify.Write, "a.png", ".a.md.swp", "a.md~", "#a.md#", "a\nb.md")
		r.notifier().events <- fsnotify.Event{}
		r.notifier().events <- fsnotify.Event{Name: r.dir + "/../other.md", Op: fsnotify.Write}
		r.pass(time.Second)
		r.want("after noise")
	})
}

func TestAtomicReplaceShowsOnlyCreate(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		r.event(fsnotify.Create, "a.md.tmp")
		r.event(fsnotify.Rename, "a.md.tmp")
		r.event(fsnotify.Create, "a.md")
		r.pass(50 * time.Millisecond)
		r.want("after the replace", paths("a.md"))
	})
}

func TestNewFolderIsWatchedAndRead(t *testing.T) {
	bubble(t, nil, func(r *rig) {
		write(t, r.dir, "new/deep/a.md", "new/b.md", "new/c.png")
		r.event(fsnotify.Create, "new")
		r.pass(50 * time.Millisecond)
		r.want("after mkdir", full...)
		for _, dir := range []string{"new", "new/deep"} {
			if !r.notifier().watches(r.path(dir)) {
				t.Errorf("%s is not watched", dir)
			}
		}
	})
}

func TestSkippedFolderIsNotWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, "skip/a.md")
		r.cfg.SkipDir = func(rel string) bool { return strings.HasPrefix(rel, "skip") }
		r.start()
		defer r.end()
		write(t, r.dir, "skip2/b.md")
		r.event(fsnotify.Create, "skip2")
		r.pass(time.Second)
		r.want("nothing but the start", full...)
		if r.notifier().watches(r.path("skip")) || r.notifier().watches(r.path("skip2")) {
			t.Error("a skipped folder is watched")
		}
	})
}

// The kernel goes on reporting the inner folders of a moved one under the old
// name unless their watches are given up.
func TestMovedFolder(t *testing.T) {
	bubble(t, []string{"x/in/a.md"}, func(r *rig) {
		must(t, os.Rename(r.path("x"), r.path("y")))
		r.event(fsnotify.Rename, "x")
		r.event(fsnotify.Create, "y")
		r.pass(50 * time.Millisecond)
		r.want("after the move", full...)
		if r.notifier().watches(r.path("x/in")) || !r.notifiers[0].closed {
			t.Error("the inner folder is still watched under its old name")
		}
		if !r.notifier().watches(r.path("y/in")) {
			t.Error("the inner folder is not watched under its new name")
		}
	})
}

func TestFolderRemovedAndMadeAgain(t *testing.T) {
	bubble(t, []string{"x/a.md"}, func(r *rig) {
		must(t, os.RemoveAll(r.path("x")))
		r.event(fsnotify.Remove, "x/a.md", "x")
		r.pass(time.Second)
		r.want("after rm -r", full...)
		write(t, r.dir, "x/b.md")
		r.event(fsnotify.Create, "x")
		r.pass(time.Second)
		r.want("after mkdir", full...)
	})
}

func TestNewLinkAsksForAScan(t *testing.T) {
	bubble(t, []string{"a.txt"}, func(r *rig) {
		write(t, r.dir, "b.md -> a.txt")
		r.event(fsnotify.Create, "b.md")
		r.pass(time.Second)
		r.want("after ln -s", full...)
		write(t, r.dir, "n/c.md -> ../a.txt")
		r.event(fsnotify.Create, "n")
		r.pass(time.Second)
		r.want("after a folder with a link", full...)
	})
}

func TestOverflowMeansAFullScan(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		r.event(fsnotify.Write, "a.md")
		r.notifier().errs <- fsnotify.ErrEventOverflow
		r.pass(time.Second)
		r.want("after the overflow", full...)
		if len(r.notifiers) != 2 || !r.notifiers[0].closed || !r.notifier().watches(r.dir) {
			t.Error("watches that may be out of step were kept")
		}
	})
}

func TestManyPathsBecomeAFullScan(t *testing.T) {
	bubble(t, nil, func(r *rig) {
		for i := range maxPending + 1 {
			r.notifier().events <- fsnotify.Event{Name: r.path(fmt.Sprintf("%d.md", i)), Op: fsnotify.Write}
		}
		r.pass(2 * time.Second)
		r.want("after a flood", full...)
	})
}

func TestScheduledScan(t *testing.T) {
	bubble(t, nil, func(r *rig) {
		r.pass(5*time.Minute - time.Second)
		r.want("before the time")
		r.pass(time.Second)
		r.want("at the time", full...)
		r.pass(5 * time.Minute)
		r.want("again", full...)
	})
}

func TestChangesDuringEmitComeAfterIt(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		r.set(func(r *rig) { r.emit = func() { <-time.After(10 * time.Second) } })
		r.event(fsnotify.Write, "a.md")
		r.pass(time.Second)
		r.want("the first", paths("a.md"))
		r.event(fsnotify.Write, "b.md")
		r.pass(time.Second)
		r.event(fsnotify.Write, "c.md")
		r.pass(time.Second)
		r.want("while the consumer is busy")
		r.pass(10 * time.Second)
		r.want("when it is free", paths("b.md", "c.md"))
		r.pass(10 * time.Second)
	})
}

func TestFailedBatchIsTriedAgain(t *testing.T) {
	bubble(t, []string{"a.md"}, func(r *rig) {
		r.set(func(r *rig) { r.emitErr = errors.New("store away") })
		r.event(fsnotify.Write, "a.md")
		r.pass(100 * time.Millisecond)
		r.event(fsnotify.Write, "b.md")
		r.pass(500 * time.Millisecond)
		r.want("before the back-off is over", paths("a.md"))
		r.pass(2 * time.Second)
		r.want("second try, with what came since", paths("a.md", "b.md"))
		r.set(func(r *rig) { r.emitErr = nil })
		r.pass(4 * time.Second)
		r.want("third try", paths("a.md", "b.md"))
		r.pass(time.Minute)
		r.want("afterwards")
		if n := strings.Count(r.log.String(), "store away"); n != 2 {
			t.Errorf("the log tells of %d failures, want 2: %s", n, &r.log)
		}
	})
}
