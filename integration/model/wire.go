package model

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sashabaranov/go-openai"
)

const (
	retries     = 2               // of a call, with back-off or by Retry-After
	longestWait = 2 * time.Minute // for Retry-After; the next run tries again after more
	maxAnswer   = 4 << 20         // bytes
)

// wire makes the attempts of a call and records the result of the last one.
type wire struct {
	client   *http.Client
	timeout  time.Duration // of one attempt
	response *http.Response
	err      error
	late     bool
}

func newWire(transport http.RoundTripper, timeout time.Duration) *wire {
	return &wire{client: &http.Client{Transport: bounded{transport}, CheckRedirect: stay}, timeout: timeout}
}

// Do implements the HTTP client of the library.
func (w *wire) Do(request *http.Request) (*http.Response, error) {
	w.response, w.err = w.client.Do(request)
	return w.response, w.err
}

// call retries until there is an answer or an error that another attempt would not
// change. A timeout is not retried: the endpoint may charge for each attempt.
func (w *wire) call(ctx context.Context, chat *openai.Client, request openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
	var failed error
	completion, err := backoff.Retry(ctx, func() (completion openai.ChatCompletionResponse, err error) {
		completion, failed = w.attempt(ctx, chat, request)
		return completion, w.verdict(failed)
	}, backoff.WithBackOff(patience()), backoff.WithMaxTries(1+retries), backoff.WithMaxElapsedTime(0))
	switch {
	case err == nil:
		return completion, nil
	case ctx.Err() != nil:
		return completion, ctx.Err()
	}
	return completion, failed
}

func (w *wire) attempt(ctx context.Context, chat *openai.Client, request openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
	w.response, w.err, w.late = nil, nil, false
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	completion, err := chat.CreateChatCompletion(ctx, request)
	if err != nil && ctx.Err() != nil {
		w.late, err = true, ctx.Err()
	}
	return completion, err
}

// verdict returns the error of an attempt as the backoff library expects it.
func (w *wire) verdict(err error) error {
	if err == nil {
		return nil
	}
	if w.late || !w.again() {
		return backoff.Permanent(err)
	}
	wait, told := retryAfter(w.response)
	switch {
	case !told:
		return err
	case wait > longestWait:
		return backoff.Permanent(err)
	}
	return &backoff.RetryAfterError{Duration: wait}
}

// again reports whether another attempt may succeed. It cannot if the library did not
// send the request, or the request was redirected.
func (w *wire) again() bool {
	if w.response == nil {
		return w.err != nil
	}
	code := w.response.StatusCode
	return w.response.Header.Get("X-Should-Retry") != "false" && (code == http.StatusRequestTimeout || code == http.StatusConflict ||
		code == http.StatusTooManyRequests || code >= http.StatusInternalServerError)
}

// accepted reports whether the endpoint accepted the request.
func (w *wire) accepted() bool {
	return w.response != nil && w.response.StatusCode < http.StatusMultipleChoices
}

func patience() backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.RandomizationFactor, b.Multiplier = 750*time.Millisecond, 0.25, 2
	return b
}

// retryAfter returns how long the endpoint asks to wait, in seconds or until a date.
func retryAfter(response *http.Response) (wait time.Duration, told bool) {
	if response == nil {
		return 0, false
	}
	text := response.Header.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(text)
	return time.Until(at), err == nil
}

// stay refuses redirects to another host, which would send it the transcript and the
// key.
func stay(request *http.Request, via []*http.Request) error {
	const most = 10 // as net/http has it
	first := via[0].URL
	switch {
	case !strings.EqualFold(request.URL.Host, first.Host) || request.URL.Scheme != first.Scheme:
		return errors.New("it redirects to another host")
	case len(via) >= most:
		return errors.New("it redirects without end")
	}
	return nil
}

// bounded limits the size of answers.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err == nil && response.Body != nil {
		response.Body = http.MaxBytesReader(nil, response.Body, maxAnswer)
	}
	return response, err
}
