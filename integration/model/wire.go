package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sashabaranov/go-openai"
)

const (
	retries     = 2               // of a call, with back-off or by Retry-After
	longestWait = 2 * time.Minute // for Retry-After; the next run tries again after more
	maxAnswer   = 8 << 20         // bytes; 64 vectors of 4,096 numbers on lines of their own are 6 MB
)

// wire makes calls with retries and limits. It is not safe for concurrent use.
type wire struct {
	client *http.Client
	tries  uint
	status int // of the last response, 0 for none; the caller resets it
}

// newWire follows no redirect, which could send the transcript and the key elsewhere.
func newWire(transport http.RoundTripper) *wire {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &wire{client: &http.Client{Transport: transport, CheckRedirect: stay}, tries: 1 + retries}
}

func (w *wire) library(baseURL, key string) *openai.Client {
	settings := openai.DefaultConfig(key)
	settings.BaseURL, settings.HTTPClient = baseURL, w
	return openai.NewClientWithConfig(settings)
}

// Do implements the HTTP client of the library. It retries until there is an answer or
// an error that remains. A timeout is not retried: the endpoint may charge for it.
func (w *wire) Do(request *http.Request) (*http.Response, error) {
	ctx := request.Context()
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.RandomizationFactor, wait.Multiplier = 750*time.Millisecond, 0.25, 2
	response, err := backoff.Retry(ctx, func() (*http.Response, error) {
		response, err := w.attempt(request)
		return response, verdict(response, err)
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(w.tries), backoff.WithMaxElapsedTime(0))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case response != nil:
		return response, nil
	}
	return nil, err
}

func (w *wire) attempt(request *http.Request) (*http.Response, error) {
	w.status = 0
	ctx, cancel := context.WithTimeout(request.Context(), timeout)
	defer cancel()
	request = request.Clone(ctx)
	var err error
	if request.Body, err = request.GetBody(); err != nil {
		return nil, backoff.Permanent(err)
	}
	response, err := w.client.Do(request)
	if response != nil {
		w.status = response.StatusCode
	}
	var text []byte
	if err == nil {
		defer func() { _ = response.Body.Close() }() // only read
		text, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
		response.Body = io.NopCloser(bytes.NewReader(text))
	}
	switch {
	case err == nil:
		return response, nil
	case ctx.Err() != nil:
		return nil, backoff.Permanent(ctx.Err())
	case response != nil: // it broke off
		return nil, backoff.Permanent(err)
	}
	return nil, err
}

// verdict returns an error, as the backoff library expects it, if a retry may succeed.
func verdict(response *http.Response, err error) error {
	if err != nil || !retryable(response) {
		return err
	}
	err = errors.New(response.Status)
	switch wait, told := retryAfter(response); {
	case !told:
		return err
	case wait > longestWait:
		return nil
	default:
		return &backoff.RetryAfterError{Duration: wait}
	}
}

func retryable(response *http.Response) bool {
	code := response.StatusCode
	return response.Header.Get("X-Should-Retry") != "false" && (code == http.StatusRequestTimeout ||
		code == http.StatusConflict || code == http.StatusTooManyRequests || code >= http.StatusInternalServerError)
}

// retryAfter returns how long the endpoint asks to wait, in seconds or until a date.
func retryAfter(response *http.Response) (wait time.Duration, told bool) {
	text := response.Header.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(text)
	return time.Until(at), err == nil
}
