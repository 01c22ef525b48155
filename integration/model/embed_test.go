package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/model"
	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

func embedder(t *testing.T, handler http.Handler) *model.Embedder {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return model.NewEmbedder(model.EmbedOptions{BaseURL: server.URL + "/v1", Model: embedtest.Model, Key: "sk-the-key", Transport: transport})
}

// asked is the body of a request.
type asked struct {
	Model          string
	Input          []string
	EncodingFormat string `json:"encoding_format"`
}

// recorder passes requests on and keeps them.
type recorder struct {
	endpoint embedtest.Endpoint
	requests []asked
	key      string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var one asked
	_ = json.Unmarshal(body, &one)
	r.requests, r.key = append(r.requests, one), request.Header.Get("Authorization")
	request.Body = io.NopCloser(bytes.NewReader(body))
	r.endpoint.ServeHTTP(w, request)
}

// near compares vectors up to rounding.
func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Abs(float64(x-y)) < 1e-6 })
}

func TestVectorsComeInTheOrderOfTheTexts(t *testing.T) {
	r := &recorder{}
	e := embedder(t, r)
	var texts []string
	for i := range 150 {
		texts = append(texts, fmt.Sprintf("heron number %d", i))
	}
	got, err := e.Embed(t.Context(), texts...)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, v := range got {
		if !near(v, embedtest.Vector(texts[i], 64)) {
			t.Fatalf("vector %d is that of another text", i)
		}
	}
	var sizes []int
	for _, one := range r.requests {
		sizes = append(sizes, len(one.Input))
		if one.Model != e.Model() || one.EncodingFormat != "float" {
			t.Errorf("asked %q for %q", one.Model, one.EncodingFormat)
		}
	}
	if !slices.Equal(sizes, []int{64, 64, 22}) || r.key != "Bearer sk-the-key" {
		t.Errorf("requests of %v texts with %q", sizes, r.key)
	}
	if got, err := e.Embed(t.Context()); err != nil || len(got) != 0 || len(r.requests) != 3 {
		t.Errorf("no texts: %v, %v after %d requests", got, err, len(r.requests))
	}
}

func TestLongTextsAreCutAndShareRequests(t *testing.T) {
	r := &recorder{}
	long := "x" + strings.Repeat("ä", 5_000) // byte 8,000 is the middle of a character
	var texts []string
	for range 20 {
		texts = append(texts, long)
	}
	if _, err := embedder(t, r).Embed(t.Context(), texts...); err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, one := range r.requests {
		sizes = append(sizes, len(one.Input))
		if one.Input[0] != "x"+strings.Repeat("ä", 3_999) {
			t.Errorf("sent %d bytes of a text", len(one.Input[0]))
		}
	}
	if !slices.Equal(sizes, []int{8, 8, 4}) {
		t.Errorf("requests of %v texts, want at most 64 KiB each", sizes)
	}
}

func TestVectorsHaveUnitLength(t *testing.T) {
	e := embedder(t, answering(200, `{"data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[3e30,4e30]}]}`))
	got, err := e.Embed(t.Context(), "a", "b")
	if err != nil || len(got) != 2 || !near(got[0], []float32{0.6, 0.8}) || !near(got[1], []float32{0, -1}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLargeVectorsFitIntoAnAnswer(t *testing.T) {
	number := "\n        -0.0069292834,"
	vector := strings.TrimSuffix(strings.Repeat(number, 4096), ",")
	var data []string
	for i := range 64 {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%s]}`, i, vector))
	}
	got, err := embedder(t, answering(200, `{"data":[`+strings.Join(data, ",")+`]}`)).Embed(t.Context(), slices.Repeat([]string{"a"}, 64)...)
	if err != nil || len(got) != 64 || len(got[63]) != 4096 {
		t.Errorf("%d vectors, %v", len(got), err)
	}
}

func TestEmbeddingErrorsSayWhatToDo(t *testing.T) {
	vectors := func(list string) http.Handler { return answering(200, `{"data":[`+list+`]}`) }
	for name, test := range map[string]struct {
		handler    http.Handler
		want, hint string
	}{
		"wrong key":       {answering(401, `{"error":{"message":"bad key"}}`), "answered 401 Unauthorized (bad key)", "the key in embedding.api_key_file"},
		"unknown model":   {answering(404, `{"error":{"message":"model \"m\" not found,\ntry pulling it"}}`), `404 Not Found (model "m" not found, try pulling it)`, "check embedding.base_url and embedding.model"},
		"refused text":    {answering(400, `{"error":{"message":"too long"}}`), "400 Bad Request (too long)", "takes texts of 8000 bytes"},
		"overloaded":      {answering(503, "down"), "503 Service Unavailable", "try again later"},
		"web page":        {answering(200, "<html>"), "did not answer with vectors", "embedding.base_url is an OpenAI-compatible endpoint"},
		"text for vector": {vectors(`{"index":0,"embedding":"AACAPw=="}`), "did not answer with vectors", "OpenAI-compatible"},
		"not a number":    {vectors(`{"index":0,"embedding":[NaN,1]},{"index":1,"embedding":[1,0]}`), "did not answer with vectors", "OpenAI-compatible"},
		"too few":         {vectors(`{"index":0,"embedding":[1,0]}`), "answered with 1 vector for 2 texts", "that embedding.model makes embeddings"},
		"null":            {answering(200, "null"), "answered with 0 vectors for 2 texts", "OpenAI-compatible"},
		"one twice":       {vectors(`{"index":0,"embedding":[1,0]},{"index":0,"embedding":[0,1]}`), "answered with index 0 twice", "OpenAI-compatible"},
		"out of range":    {vectors(`{"index":1,"embedding":[1,0]},{"index":2,"embedding":[0,1]}`), "answered with index 2 twice, or for none of 2 texts", "OpenAI-compatible"},
		"empty":           {vectors(`{"index":0,"embedding":[1,0]},{"index":1,"embedding":[]}`), "an empty vector or one of zeros", "makes embeddings"},
		"zeros":           {vectors(`{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,null]}`), "an empty vector or one of zeros", "makes embeddings"},
		"dimensions":      {vectors(`{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0,0]}`), "vectors of 2 and of 3 numbers", "makes embeddings"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := embedder(t, test.handler).Embed(t.Context(), "a", "b")
			checkEmbeddingError(t, got, err, test.want, test.hint)
		})
	}
}

func checkEmbeddingError(t *testing.T, got [][]float32, err error, want, hint string) {
	t.Helper()
	var failed *brain.Error
	if got != nil || !errors.Is(err, model.ErrEmbedding) || !errors.As(err, &failed) {
		t.Fatalf("%v, %v; want an error with %q", got, err, want)
	}
	if !strings.Contains(failed.Message, want) || !strings.Contains(failed.Hint, hint) {
		t.Errorf("%q, hint %q; want %q, hint %q", failed.Message, failed.Hint, want, hint)
	}
	if !strings.HasPrefix(failed.Message, "embed with hashed at http://") || strings.ContainsAny(failed.Message, "\n\r") || strings.Contains(failed.Message, "sk-the-key") {
		t.Errorf("not a clear line: %q", failed.Message)
	}
}

func TestTheDimensionIsThatOfEveryRequest(t *testing.T) {
	r := &recorder{}
	e := embedder(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if len(r.requests) > 0 {
			answering(200, `{"data":[{"index":0,"embedding":[1,0]}]}`)(w, request)
			return
		}
		r.ServeHTTP(w, request)
	}))
	got, err := e.Embed(t.Context(), slices.Repeat([]string{"a"}, 65)...)
	checkEmbeddingError(t, got, err, "vectors of 64 and of 2 numbers", "makes embeddings")
}

func scriptedEmbedder(steps ...step) (*model.Embedder, *script) {
	s := &script{steps: steps}
	return model.NewEmbedder(model.EmbedOptions{BaseURL: "http://model.test/v1", Model: embedtest.Model, Transport: s}), s
}

func TestEmbeddingIsTriedAgain(t *testing.T) {
	good := step{status: 200, body: `{"data":[{"index":0,"embedding":[1,0]}]}`}
	synctest.Test(t, func(t *testing.T) {
		e, s := scriptedEmbedder(step{status: 429, retryAfter: "17"}, step{status: 500}, good)
		if got, err := e.Embed(t.Context(), "a"); err != nil || len(got) != 1 || len(s.calls) != 3 || s.calls[1].Sub(s.calls[0]) != 17*time.Second {
			t.Errorf("%v, %v after calls at %v", got, err, s.calls)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		e, s := scriptedEmbedder(step{err: errors.New("connection refused")})
		got, err := e.Embed(t.Context(), "a")
		checkEmbeddingError(t, got, err, "cannot be reached: ", "check embedding.base_url and that it runs")
		if len(s.calls) != 3 {
			t.Errorf("%d calls, want 3", len(s.calls))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		e, _ := scriptedEmbedder(step{status: 429, retryAfter: "100"})
		began := time.Now()
		got, err := e.Embed(ctx, "a")
		checkEmbeddingError(t, got, err, "did not answer in time", "try again later")
		if time.Since(began) != 2*time.Second {
			t.Errorf("it took %v of 2s", time.Since(began))
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, _ := scriptedEmbedder(good)
	if _, err := e.Embed(ctx, "a"); !errors.Is(err, context.Canceled) || errors.Is(err, model.ErrEmbedding) {
		t.Errorf("%v, want the cancellation alone", err)
	}
}

func TestAnEmbedderServesManyAtOnce(t *testing.T) {
	endpoint := &embedtest.Endpoint{}
	e := embedder(t, endpoint)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			text := fmt.Sprint("heron ", i)
			if got, err := e.Embed(t.Context(), text); err != nil || !near(got[0], embedtest.Vector(text, 64)) {
				t.Errorf("%s: %v, %v", text, got, err)
			}
		})
	}
	all.Wait()
	if endpoint.Calls() != 8 || endpoint.Texts() != 8 {
		t.Errorf("%d calls, %d texts", endpoint.Calls(), endpoint.Texts())
	}
	endpoint.Fail(http.StatusInternalServerError)
	_, err := e.Embed(t.Context(), "a")
	checkEmbeddingError(t, nil, err, "500 Internal Server Error", "try again later")
	if endpoint.Calls() != 9 || endpoint.Texts() != 8 {
		t.Errorf("%d calls, %d texts after a failure", endpoint.Calls(), endpoint.Texts())
	}
}
