package main

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleRestsOnceAfterAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rests := 0
		i := newIdle(2*time.Second, func() { rests++ })
		wait := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d) //nolint:forbidigo // the clock of the bubble
			synctest.Wait()
			if rests != want {
				t.Errorf("%d rests, want %d", rests, want)
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
