package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// due fills the brain with memories that have expired a year later.
func (h *home) due(files, each int) {
	h.t.Helper()
	for i := range files {
		var text strings.Builder
		for j := range each {
			text.WriteString(outcome(fmt.Sprintf("%02d:00", j%24), fmt.Sprint("Note ", i, " ", j), fmt.Sprint("fact ", i, " ", j)))
		}
		h.save(fmt.Sprintf("2026-01-%02d-%04d.md", i%28+1, i), text.String())
	}
	h.ok("init")
	h.ok("notes", "sync")
}

// A consolidation that was killed holds up nobody, and leaves nothing half done.
func TestKilledConsolidationIsTakenOver(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		const files, each = 100, 20
		h.due(files, each)
		h.env = append(h.env, "BRAINBRIDGE_NOW="+time.Now().AddDate(1, 0, 0).Format(time.RFC3339))
		first := h.command(context.Background(), "consolidate")
		var said words
		first.Stdout, first.Stderr = &said, &said
		must(t, first.Start())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = first.Wait() // it is killed
		}()
		t.Cleanup(func() {
			_ = first.Process.Kill()
			<-ended
		})
		pause(t, first.Process, func() bool { // when some of it is done
			return len(ask[struct{ Runs []any }](h, "runs").Runs) > 0
		})
		must(t, first.Process.Kill())
		<-ended

		// At once: whoever waited for the lease to run out would be told 4.
		rest := ask[struct{ Expired int }](h, "consolidate").Expired
		if rest == 0 || rest == files*each {
			t.Errorf("%d were left for the second run: the first was not killed in its middle: %s", rest, &said)
		}
		s := h.status()
		want(t, "total", s.Total, files*each)
		want(t, "expired", s.Tiers["expired"], files*each)
		want(t, "due after it", ask[struct{ Expired int }](h, "consolidate").Expired, 0)
	})
}

// Who comes while another runs is told whose run it is, and is not kept
// waiting.
func TestConsolidationUnderWay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.due(1, 20)
		h.env = append(h.env, "BRAINBRIDGE_NOW="+time.Now().AddDate(1, 0, 0).Format(time.RFC3339))
		const many = 8
		answers := make(chan answer, many)
		errs := make(chan error, many)
		for range many {
			go func() {
				a, err := h.try("--json", "consolidate")
				answers <- a
				errs <- err
			}()
		}
		expired := 0
		for range many {
			must(t, <-errs)
			a := <-answers
			if a.code == 4 {
				says(t, a.failed(t).Error.Message, "consolidation is running since", "pid ")
				continue
			}
			want(t, "exit code", a.code, 0)
			c, err := decode[struct{ Expired int }](a.out)
			must(t, err)
			expired += c.Expired
		}
		want(t, "expired by all runs together", expired, 20)
	})
}
