package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

func TestCapturesFromManyProcessesAtOnce(t *testing.T) {
	t.Parallel()
	for name, daemon := range map[string]bool{"without the daemon": false, "with the daemon": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, h *home) {
				if daemon {
					h.serve()
				}
				const many = 20
				var all sync.WaitGroup
				answers, errs := make([]answer, many), make([]error, many)
				for i := range many {
					all.Go(func() { answers[i], errs[i] = h.try("-q", "learn", fmt.Sprint("concept ", i), fmt.Sprint("fact ", i)) })
				}
				all.Wait()
				stored := map[string]string{}
				for _, m := range h.all() {
					stored[m.ID] = m.Content
				}
				for i, a := range answers {
					must(t, errs[i])
					want(t, fmt.Sprint("exit code of ", i), a.code, 0)
					want(t, a.String(), stored[strings.TrimSpace(a.out)], fmt.Sprint("fact ", i))
				}
				want(t, "stored", len(stored), many)
				testlab.Report(t, h.storeName(), "%d processes at once, %d memories", many, len(stored))
			})
		})
	}
}

// ledger is what was captured, and which of it was acknowledged.
type ledger struct {
	mu    sync.Mutex
	acked map[string]string // id by content
	tried []string          // contents
}

// note keeps what a capture said, and reports whether it was acknowledged.
func (l *ledger) note(content string, a answer) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tried = append(l.tried, content)
	id, whole := strings.CutSuffix(a.out, "\n")
	if whole {
		l.acked[content] = id
	}
	return whole
}

// count wants all that was acknowledged, once, and nothing twice.
func (l *ledger) count(t *testing.T, h *home) {
	t.Helper()
	ids := map[string][]string{}
	for _, m := range h.all() {
		ids[m.Content] = append(ids[m.Content], m.ID)
	}
	lost, doubled := 0, 0
	for _, content := range l.tried {
		id, acked := l.acked[content]
		if acked && !slices.Contains(ids[content], id) {
			lost++
			t.Errorf("%q was acknowledged as %s, stored are %v", content, id, ids[content])
		}
		if len(ids[content]) > 1 {
			doubled++
			t.Errorf("%q is stored as %v", content, ids[content])
		}
		delete(ids, content)
	}
	for content := range ids {
		t.Errorf("%q is stored, and nobody captured it", content)
	}
	testlab.Report(t, h.storeName(), "%d captures, %d acknowledged, %d lost, %d doubled", len(l.tried), len(l.acked), lost, doubled)
}

// check is count, and wants that the kills hit captures in their middle.
func (l *ledger) check(t *testing.T, h *home) {
	t.Helper()
	l.count(t, h)
	if len(l.acked) == 0 || len(l.acked) == len(l.tried) {
		t.Errorf("%d of %d were acknowledged: the kills hit nothing, or everything", len(l.acked), len(l.tried))
	}
}

// killed captures n times from two processes at once and kills each at a
// random moment. How long they live follows from how the ones before ended, so
// that about half are acknowledged, whatever else the machine does.
func (h *home) killed(n int, seed uint64) *ledger {
	h.t.Helper()
	l := &ledger{acked: map[string]string{}}
	var life time.Duration
	for _, content := range []string{"the first one, which makes the store", "the usual one"} {
		start := time.Now()
		l.note(content, h.ok("-q", "remember", content))
		life = time.Since(start)
	}
	var both sync.WaitGroup
	errs := make([]error, 2)
	for worker := range errs {
		rnd, longest := rand.New(rand.NewPCG(seed, uint64(worker))), 2*float64(life)
		both.Go(func() {
			for i := 0; i < n/2 && errs[worker] == nil; i++ {
				var done bool
				done, errs[worker] = h.killedOnce(l, fmt.Sprintf("capture %d of worker %d", i, worker), time.Duration(rnd.Float64()*longest))
				if done {
					longest *= 0.9
				} else {
					longest /= 0.9
				}
			}
		})
	}
	both.Wait()
	for _, err := range errs {
		must(h.t, err)
	}
	return l
}

func (h *home) killedOnce(l *ledger, content string, after time.Duration) (acked bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), after) // ends it with kill -9
	defer cancel()
	c := h.command(ctx, "-q", "remember", content)
	out, err := c.Output()
	if c.ProcessState == nil && ctx.Err() == nil {
		return false, fmt.Errorf("run %s: %w", c, err)
	}
	return l.note(content, answer{out: string(out)}), nil
}

// kills is how often the loops kill.
func kills(embedded bool) int {
	switch {
	case testing.Short():
		return 40
	case embedded:
		return 400
	}
	return 80
}

func TestKilledCapturesAreThereIfAcknowledged(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		l := h.killed(kills(h.embedded()), 1)
		l.check(t, h)
		h.ok("learn", "after", "everything works")
		h.once("everything works")
	})
}

// The same while the store is away: what was acknowledged is in the spool, and
// once in the store when that is back.
func TestKilledCapturesAreSpooledIfAcknowledged(t *testing.T) {
	t.Parallel()
	h, p := behindProxy(t)
	p.refuse()
	l := h.killed(kills(false), 2)
	p.pass()
	want(t, "spooled", h.status().Spooled, 0)
	l.check(t, h)
}

// A full disk, here a limit on the size of a file: a capture is acknowledged
// and there, or it is an error and is not.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	t.Run("store", func(t *testing.T) {
		t.Parallel()
		h := newHome(t)
		h.ok("remember", "something that fills the first pages")
		h.fillUp(30_000, 16, func(content string) bool { return h.contents()[content] == 1 })
		h.once("first pages")
	})
	t.Run("spool", func(t *testing.T) {
		t.Parallel()
		h, p := behindProxy(t)
		p.refuse()
		stored := h.fillUp(3_000, 4, func(content string) bool { return strings.Count(h.spool(), content) == 1 })
		p.pass()
		want(t, "spooled", h.status().Spooled, 0)
		got := h.contents()
		want(t, "stored in the end", len(got), len(stored))
		for _, content := range stored {
			want(t, "memories of "+content[:10], got[content], 1)
		}
	})
}

// fillUp captures under limits that grow, in blocks of 512 bytes, and looks
// after each one whether what was acknowledged is there, and what was not is
// not. It returns what was acknowledged.
func (h *home) fillUp(size, step int, there func(content string) bool) (acked []string) {
	h.t.Helper()
	const limits = 50
	for blocks := 0; blocks < limits*step; blocks += step {
		content := fmt.Sprintf("block %d %s", blocks, strings.Repeat("x", size))
		a := h.limited(blocks, "-q", "remember", content)
		switch stored := there(content); {
		case a.code == 0 && stored:
			acked = append(acked, content)
		case (a.code == 1 || a.code == 5) && !stored && strings.Contains(a.err, "brainbridge: "):
		default:
			h.t.Errorf("with a limit of %d blocks exit code %d, and stored: %t\n%.500s", blocks, a.code, stored, a.err)
		}
	}
	testlab.Report(h.t, strings.TrimPrefix(h.t.Name(), "TestFullDisk/"), "%d captures, %d acknowledged and there, %d refused and not there", limits, len(acked), limits-len(acked))
	if len(acked) == 0 || len(acked) == limits {
		h.t.Errorf("%d of %d were acknowledged: the limit was never in the middle", len(acked), limits)
	}
	return acked
}

// limited runs the program where no file may grow past some blocks of 512 bytes.
func (h *home) limited(blocks int, args ...string) answer {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	c := h.command(ctx)
	inner := append([]string{"-c", "ulimit -f " + strconv.Itoa(blocks) + ` && exec "$0" "$@"`, binary}, args...)
	limited := exec.CommandContext(ctx, "/bin/sh", inner...)
	limited.Env, limited.Dir = c.Env, c.Dir
	a, err := finish(ctx, limited)
	must(h.t, err)
	return a
}
