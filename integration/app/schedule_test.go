package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

// diary is a job that remembers when it ran.
type diary struct {
	mu   sync.Mutex // the fake clock does not order what two goroutines do
	last time.Time
	ran  []time.Time
	err  error
}

func (d *diary) job(next func(time.Time) (time.Time, error)) Job {
	return Job{
		Name: "diary", Next: next,
		Last: func(context.Context) (time.Time, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.last, nil
		},
		Run: func(context.Context) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.ran = append(d.ran, time.Now())
			if d.err == nil {
				d.last = time.Now()
			}
			return d.err
		},
	}
}

// times returns how often it ran.
func (d *diary) times() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ran)
}

func TestJobRunsWhenItIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{last: time.Now()}
		job := d.job(Every(10 * time.Minute))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour+time.Second)
		defer cancel()
		if err := runJobs(ctx, zerolog.Nop(), func(string, error) {}, job); err != nil {
			t.Fatal(err)
		}
		if len(d.ran) != 6 {
			t.Errorf("ran %d times in an hour, want 6", len(d.ran))
		}
	})
}

// The machine sleeps: its timers stand still while the wall clock goes on, which is the same
// as a last time that is longer ago.
func TestJobCatchesUpAfterSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{last: time.Now()}
		job := d.job(Cron("0 3 * * *", time.UTC))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- runJobs(ctx, zerolog.Nop(), func(string, error) {}, job) }()
		synctest.Wait()
		if n := d.times(); n != 0 {
			t.Errorf("ran at once %d times", n)
		}
		d.mu.Lock()
		d.last = d.last.Add(-60 * time.Hour) // two nights
		d.mu.Unlock()
		<-time.After(tick)
		synctest.Wait()
		if n := d.times(); n != 1 {
			t.Errorf("ran %d times after two nights of sleep, want once", n)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestFailedJobIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{err: errors.New("store away")}
		job := d.job(Every(time.Hour))
		ctx, cancel := context.WithTimeout(t.Context(), 2*tick+time.Second)
		defer cancel()
		if err := runJobs(ctx, zerolog.Nop(), func(string, error) {}, job); err != nil {
			t.Fatal(err)
		}
		if len(d.ran) != 3 {
			t.Errorf("tried %d times in three looks", len(d.ran))
		}
	})
}

func TestJobOfWhichNothingIsKnownIsNoted(t *testing.T) {
	var noted error
	j := Job{Name: "backup", Last: func(context.Context) (time.Time, error) { return time.Time{}, errors.New("not a folder") }}
	j.runIfDue(t.Context(), zerolog.Nop(), func(_ string, err error) { noted = err })
	if noted == nil {
		t.Error("nobody hears that the job cannot run")
	}
	j.Last, j.Next = func(context.Context) (time.Time, error) { return time.Now(), nil }, Every(time.Hour)
	j.runIfDue(t.Context(), zerolog.Nop(), func(_ string, err error) { noted = err })
	if noted != nil {
		t.Errorf("it is still said to fail, though it is not due: %v", noted)
	}
}

func TestClockThatWentBack(t *testing.T) {
	d := &diary{last: time.Now().Add(24 * time.Hour)}
	if due, err := d.job(Every(time.Hour)).due(t.Context()); err != nil || !due {
		t.Errorf("a job that ended in the future is not due: %v, %v", due, err)
	}
}

func TestBadCronIsAnError(t *testing.T) {
	if _, err := Cron("every night", time.UTC)(time.Now()); err == nil {
		t.Error("a schedule that cannot be read was accepted")
	}
}

func TestAJobThatFailsIsTriedLessAndLessOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var tried []time.Duration
		fails := errors.New("no")
		job := WithBackoff(func(context.Context) error {
			tried = append(tried, time.Since(begun))
			if len(tried) == 5 {
				return nil
			}
			return fails
		})
		for range 2 * 60 * 5 { // five hours, a tick every 30 seconds
			if err := job(t.Context()); err != nil && !errors.Is(err, fails) && !errors.Is(err, errWaiting) {
				t.Fatal(err)
			}
			if len(tried) == 6 {
				break
			}
			<-time.After(tick)
		}
		want := "[0s 5m0s 15m0s 35m0s 1h15m0s 1h15m30s]"
		if fmt.Sprint(tried) != want {
			t.Errorf("tried after %v, want %s", tried, want)
		}
	})
}
