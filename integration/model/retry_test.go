package model_test

import (
	"context"
	"errors"
	"io"
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
	if one.retryAfter != "" {
		header.Set("Retry-After", one.retryAfter)
	}
	return &http.Response{StatusCode: one.status, Header: header, Body: io.NopCloser(strings.NewReader(one.body)), Request: r}, nil
}

func scripted(t *testing.T, budget model.Budget, breaker model.Breaker, steps ...step) (*model.Client, *script) {
	t.Helper()
	s := &script{steps: steps}
	c, err := model.New(model.Options{BaseURL: "http://model.test/v1", Model: "m", Budget: budget, Breaker: breaker, Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func nothing() step { return step{status: 200, body: completion(items(""), "stop")} }

func TestRetriesHonourRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, &account{left: 100_000}, model.Breaker{}, step{status: 429, retryAfter: "17"}, step{status: 500}, nothing())
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

func TestALateEndpointFailsTheChunkAndIsPaidFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := &account{left: 100_000}
		c, _ := scripted(t, budget, model.Breaker{}, step{hang: true})
		began := time.Now()
		_, usage, err := c.Extract(t.Context(), chunk())
		if err == nil || !strings.Contains(err.Error(), "did not answer in time") || time.Since(began) != time.Minute {
			t.Errorf("%v after %v, want a failure after a minute", err, time.Since(began))
		}
		if usage.Prompt == 0 || budget.spent != usage.Prompt || budget.reserved != 0 {
			t.Errorf("usage %+v, account %+v: the endpoint may have worked on it", usage, budget)
		}
	})
}

func TestThreeFailuresEndTheRunAndTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := step{err: errors.New("connection refused")}
		c, s := scripted(t, &account{left: 100_000}, model.Breaker{}, refused)
		for range 3 {
			if _, _, err := c.Extract(t.Context(), chunk()); err == nil || errors.Is(err, model.ErrResting) || !strings.Contains(err.Error(), "cannot be reached") {
				t.Fatalf("%v, want a failure of the chunk", err)
			}
		}
		calls := len(s.calls)
		if _, _, err := c.Extract(t.Context(), chunk()); !errors.Is(err, model.ErrResting) || len(s.calls) != calls {
			t.Errorf("%v and %d calls more, want ErrResting and none", err, len(s.calls)-calls)
		}
		kept := c.Breaker()
		next, s := scripted(t, &account{left: 100_000}, kept, nothing())
		if _, _, err := next.Extract(t.Context(), chunk()); !errors.Is(err, model.ErrResting) || len(s.calls) != 0 {
			t.Errorf("the next run: %v, %d calls; want it to rest too", err, len(s.calls))
		}
		<-time.After(time.Until(kept.Until))
		if _, _, err := next.Extract(t.Context(), chunk()); err != nil {
			t.Errorf("after ten minutes: %v", err)
		}
		if _, _, err := c.Extract(t.Context(), chunk()); !errors.Is(err, model.ErrResting) {
			t.Errorf("the run that failed goes on: %v", err)
		}
	})
}

func TestAnAnswerStartsTheCountAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := step{status: 200, body: completion("prose", "stop")}
		c, _ := scripted(t, &account{left: 100_000}, model.Breaker{}, bad, bad, nothing(), bad, bad)
		for i := range 5 {
			if _, _, err := c.Extract(t.Context(), chunk()); (err != nil) != (i != 2) || errors.Is(err, model.ErrResting) {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if c.Breaker().Failures != 2 {
			t.Errorf("breaker %+v, want two failures", c.Breaker())
		}
	})
}

func TestACancelledRunIsNoFailureOfTheEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		budget := &account{left: 100_000}
		c, _ := scripted(t, budget, model.Breaker{}, step{hang: true})
		go cancel()
		if _, _, err := c.Extract(ctx, chunk()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the cancellation", err)
		}
		if c.Breaker().Failures != 0 || budget.reserved != 0 {
			t.Errorf("breaker %+v, %d reserved", c.Breaker(), budget.reserved)
		}
	})
}
