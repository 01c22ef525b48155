package minilm

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/integration/model/embedtest"
)

func openModel(tb testing.TB) *Model {
	tb.Helper()
	m, err := Open(embedtest.ModelFile(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = m.Close() })
	return m
}

// reference is a text with what the published model, computed in float64 from its float32
// weights, and its published tokenizer make of it. The vector has int16 in units of 1/32767.
type reference struct {
	Text   string
	Pieces []int
	Vector string
}

func references(t *testing.T) (all []reference) {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil || len(all) != 55 {
		t.Fatalf("%d references, %v", len(all), err)
	}
	return all
}

func (r reference) vector(t *testing.T) []float32 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(r.Vector)
	if err != nil || len(data) != 2*384 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(int16(binary.LittleEndian.Uint16(data[2*i:])))
	}
	Normalize(v)
	return v
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestVectorsAgreeWithThePublishedModel(t *testing.T) {
	m := openModel(t)
	if err := m.Verify(); err != nil {
		t.Error(err)
	}
	var texts []string
	for _, r := range references(t) {
		texts = append(texts, r.Text)
		if got := m.vocabulary.tokenize(r.Text, m.positions); !slices.Equal(got, r.Pieces) {
			t.Errorf("%.60q has other pieces: %v instead of %v", r.Text, got, r.Pieces)
		}
	}
	vectors, err := m.Embed(t.Context(), texts...)
	if err != nil || len(vectors) != len(texts) {
		t.Fatalf("%d vectors, %v", len(vectors), err)
	}
	for i, r := range references(t) {
		if c := cosine(vectors[i], r.vector(t)); c < 0.999 {
			t.Errorf("the cosine for %.60q is %.4f", r.Text, c)
		}
		if length := cosine(vectors[i], vectors[i]); length < 0.99999 || length > 1.00001 {
			t.Errorf("the vector of %.60q has length %f", r.Text, length)
		}
	}
	m.kernels = plainKernels()
	plain, err := m.Embed(t.Context(), texts[:3]...)
	if err != nil || !slices.EqualFunc(plain, vectors[:3], slices.Equal) {
		t.Errorf("plain Go gives other vectors, %v", err)
	}
}

func TestTextsThatMeanTheSameAreNear(t *testing.T) {
	m := openModel(t)
	v, err := m.Embed(t.Context(), "where do pictures live", "Images are stored in R2.", "The session cookie expires after 30 minutes.", "")
	if err != nil {
		t.Fatal(err)
	}
	if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near < 0.3 || far > 0.15 {
		t.Errorf("the answer has the cosine %.2f, another text %.2f", near, far)
	}
}

func TestACanceledEmbeddingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if v, err := openTiny(t).Embed(ctx, "the cookie"); v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", v, err)
	}
}
