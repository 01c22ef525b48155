package model_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brainbridge/brainbridge/integration/model"
)

// script answers one request after the other without a network, so that a
// synctest bubble can wait for it.
type script struct {
	steps []step
	calls []time.Time
}

type step struct {
	status     int
	body       string
	retryAfter string
	header     http.Header // more of it
	hang       bool
	err        error
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	one := s.steps[min(len(s.calls), len(s.steps)-1)]
	s.calls = append(s.calls, time.Now())
	if one.hang {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	if one.err != nil {
		return nil, one.err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	maps.Copy(header, one.header)
	if one.retryAfter != "" {
		header.Set("Retry-After", one.retryAfter)
	}
	return &http.Response{StatusCode: one.status, Header: header, Body: io.NopCloser(strings.NewReader(one.body)), Request: r}, nil
}

func scripted(t *testing.T, budget *account, m *memory, steps ...step) (*model.Client, *script) {
	t.Helper()
	s := &script{steps: steps}
	return open(t, m, budget, s), s
}

func nothing() step { return step{status: 200, body: completion(items(""), "stop")} }

func TestRetriesHonourRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, &account{left: 100_000}, &memory{}, step{status: 429, retryAfter: "17"}, step{status: 500}, nothing())
		if _, _, err := c.Extract(t.Context(), chunk()); err != nil {
			t.Fatal(err)
		}
		if len(s.calls) != 3 {
			t.Fatalf("%d calls, want 3", len(s.calls))
		}
		if waited := s.calls[1].Sub(s.calls[0]); waited != 17*time.Second {
			t.Errorf("waited %v after Retry-After: 17", waited)
		}
		if waited := s.calls[2].Sub(s.calls[1]); waited < 500*time.Millisecond || waited > 8*time.Second {
			t.Errorf("backed off for %v", waited)
		}
	})
}

func TestTheEndpointSaysHowLongToWait(t *testing.T) {
	for name, test := range map[string]struct {
		header, value string
		least, most   time.Duration // both 0: it is not asked again
	}{
		"seconds":       {"Retry-After", "90", 90 * time.Second, 90 * time.Second},
		"at once":       {"Retry-After", "0", 0, time.Nanosecond},
		"a date":        {"Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT", 30 * time.Second, 30 * time.Second},
		"a date gone":   {"Retry-After", "Fri, 31 Dec 1999 23:59:00 GMT", 0, time.Nanosecond},
		"two minutes":   {"Retry-After", "120", 2 * time.Minute, 2 * time.Minute},
		"too long":      {"Retry-After", "121", 0, 0},
		"a date far":    {"Retry-After", "Sat, 01 Jan 2000 01:00:00 GMT", 0, 0},
		"negative":      {"Retry-After", "-5", 500 * time.Millisecond, 8 * time.Second},
		"no number":     {"Retry-After", "NaN", 500 * time.Millisecond, 8 * time.Second},
		"words":         {"Retry-After", "soon", 500 * time.Millisecond, 8 * time.Second},
		"not worth it":  {"X-Should-Retry", "false", 0, 0},
		"no such thing": {"X-Other", "1", 500 * time.Millisecond, 8 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // its clock begins with the year 2000
				c, s := scripted(t, &account{left: 100_000}, &memory{},
					step{status: 429, header: http.Header{test.header: {test.value}}}, nothing())
				_, _, err := c.Extract(t.Context(), chunk())
				if test.most == 0 {
					if err == nil || !strings.Contains(err.Error(), "429 Too Many Requests") || len(s.calls) != 1 {
						t.Errorf("%v after %d calls, want the 429 after one", err, len(s.calls))
					}
					return
				}
				if err != nil || len(s.calls) != 2 {
					t.Fatalf("%v after %d calls, want an answer to the second", err, len(s.calls))
				}
				if waited := s.calls[1].Sub(s.calls[0]); waited < test.least || waited > test.most {
					t.Errorf("waited %v, want %v to %v", waited, test.least, test.most)
				}
			})
		})
	}
}

func TestWhatIsWorthAnotherAttempt(t *testing.T) {
	for name, test := range map[string]struct {
		step  step
		calls int
	}{
		"connection":       {step{err: errors.New("connection refused")}, 3},
		"overloaded":       {step{status: 503}, 3},
		"conflict":         {step{status: 409}, 3},
		"an endless error": {step{status: 500, body: strings.Repeat("x", 9<<20)}, 3},
		"bad request":      {step{status: 400}, 1},
		"wrong key":        {step{status: 401}, 1},
		"garbage":          {step{status: 200, body: "<html>"}, 1},
		"late":             {step{hang: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := &account{left: 100_000}
				c, s := scripted(t, budget, &memory{}, test.step)
				if _, _, err := c.Extract(t.Context(), chunk()); err == nil || budget.calls != 1 || len(s.calls) != test.calls {
					t.Errorf("%v, %+v after %d attempts, want %d", err, budget, len(s.calls), test.calls)
				}
			})
		})
	}
}

func TestAModelThatCannotChatIsNotAskedFor(t *testing.T) {
	s := &script{steps: []step{nothing()}}
	c, err := model.Open(t.Context(), &memory{}, &account{left: 100_000}, model.Options{BaseURL: "http://model.test/v1", Model: "text-davinci-003", Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Extract(t.Context(), chunk()); err == nil || !strings.Contains(err.Error(), "check llm.model") || len(s.calls) != 0 {
		t.Errorf("%v after %d calls, want an error that names the setting", err, len(s.calls))
	}
}

func TestARunThatIsCancelledWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		m := &memory{}
		c, s := scripted(t, &account{left: 100_000}, m, step{status: 429, retryAfter: "100"}, nothing())
		time.AfterFunc(7*time.Second, func() { cancel(errors.New("the daemon ends")) })
		began := time.Now()
		_, _, err := c.Extract(ctx, chunk())
		if !errors.Is(err, context.Canceled) || time.Since(began) != 7*time.Second || len(s.calls) != 1 || m.breaker.Failures != 0 {
			t.Errorf("%v after %v and %d calls, breaker %+v", err, time.Since(began), len(s.calls), m.breaker)
		}
	})
}

func TestALateEndpointFailsTheChunkAndIsPaidFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := &account{left: 100_000}
		c, _ := scripted(t, budget, &memory{}, step{hang: true})
		began := time.Now()
		_, _, err := c.Extract(t.Context(), chunk())
		if err == nil || !strings.Contains(err.Error(), "did not answer in time") || time.Since(began) != time.Minute {
			t.Errorf("%v after %v, want a failure after a minute", err, time.Since(began))
		}
		if budget.spent == 0 || budget.reserved != 0 {
			t.Errorf("account %+v: the endpoint may have worked on it", budget)
		}
	})
}

func TestThreeFailuresEndTheRunAndTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := step{err: errors.New("connection refused")}
		m := &memory{}
		c, s := scripted(t, &account{left: 100_000}, m, refused)
		for range 3 {
			if _, _, err := c.Extract(t.Context(), chunk()); err == nil || errors.Is(err, model.ErrResting) || !strings.Contains(err.Error(), "cannot be reached") {
				t.Fatalf("%v, want a failure of the chunk", err)
			}
		}
		calls := len(s.calls)
		if _, _, err := c.Extract(t.Context(), chunk()); !errors.Is(err, model.ErrResting) || len(s.calls) != calls {
			t.Errorf("%v and %d calls more, want ErrResting and none", err, len(s.calls)-calls)
		}
		next, s := scripted(t, &account{left: 100_000}, m, nothing())
		if _, _, err := next.Extract(t.Context(), chunk()); !errors.Is(err, model.ErrResting) || len(s.calls) != 0 {
			t.Errorf("the next run: %v, %d calls; want it to rest too", err, len(s.calls))
		}
		<-time.After(time.Until(m.breaker.Until))
		if _, _, err := next.Extract(t.Context(), chunk()); err != nil {
			t.Errorf("after ten minutes: %v", err)
		}
	})
}

func TestAnAnswerStartsTheCountAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := step{status: 200, body: completion("prose", "stop")}
		m := &memory{}
		c, _ := scripted(t, &account{left: 100_000}, m, bad, bad, nothing(), bad, bad)
		for i := range 5 {
			if _, _, err := c.Extract(t.Context(), chunk()); (err != nil) != (i != 2) || errors.Is(err, model.ErrResting) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if m.breaker.Failures != 2 {
			t.Errorf("breaker %+v, want two failures", m.breaker)
		}
	})
}

func TestACancelledRunIsNoFailureOfTheEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		budget, m := &account{left: 100_000}, &memory{}
		c, _ := scripted(t, budget, m, step{hang: true})
		go cancel()
		if _, _, err := c.Extract(ctx, chunk()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the cancellation", err)
		}
		if m.breaker.Failures != 0 || budget.reserved != 0 {
			t.Errorf("breaker %+v, %d reserved", m.breaker, budget.reserved)
		}
	})
}
