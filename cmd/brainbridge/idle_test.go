package main

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleRestsOnceAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rests atomic.Int32
		i := newIdle(2*time.Second, func() { rests.Add(1) })
		wait := func(d time.Duration, want int32) {
			t.Helper()
			time.Sleep(d) //nolint:forbidigo // the clock of the bubble
			synctest.Wait()
			if got := rests.Load(); got != want {
				t.Errorf("%d rests, want %d", got, want)
			}
		}
		wait(time.Minute, 0)
		for range 5 {
			i.busy()
			wait(time.Second, 0)
		}
		wait(time.Second, 1)
		wait(time.Minute, 1)
		i.busy()
		wait(2*time.Second, 2)
		i.busy()
		i.stop()
		i.busy()
		wait(time.Minute, 2)
	})
	var none *idle
	none.busy()
}
