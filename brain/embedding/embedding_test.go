package embedding_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

// fake is an embedder that refuses requests with some text, and fails if it is told to.
type fake struct {
	refuses string
	failed  error
	texts   int
}

func (f *fake) Model() string { return "fake" }

func (f *fake) Embed(_ context.Context, texts ...string) ([][]float32, error) {
	if f.failed != nil {
		return nil, f.failed
	}
	if f.refuses != "" && slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, f.refuses) }) {
		return nil, embedding.ErrTextRefused
	}
	f.texts += len(texts)
	all := make([][]float32, len(texts))
	for i := range texts {
		all[i] = []float32{0, 1}
	}
	return all, nil
}

func brainOf(t *testing.T, texts ...string) *services.Services {
	t.Helper()
	s, err := sqlite.Open(t.Context(), t.TempDir()+"/brain.db", "default")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	err = s.Update(t.Context(), func(tx brain.Tx) error {
		for _, text := range texts {
			if err := tx.PutMemories(storetest.Memory(text)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return services.New(s, services.Options{})
}

func fill(t *testing.T, b *services.Services, f *fake) (int, error) {
	t.Helper()
	return embedding.Fill(t.Context(), b.Base, f, func(int, int) {})
}

func TestATextIsEmbeddedOnce(t *testing.T) {
	b, f := brainOf(t, "one", "two", "three"), &fake{}
	for i, want := range []int{3, 0} {
		if n, err := fill(t, b, f); err != nil || n != want {
			t.Errorf("pass %d: %d texts, %v; want %d", i, n, err, want)
		}
	}
	if f.texts != 3 {
		t.Errorf("%d texts were sent", f.texts)
	}
}

// One text that is too long for the model keeps no other one from its vector, and is not
// sent again.
func TestARefusedTextIsSkipped(t *testing.T) {
	b, f := brainOf(t, "one", "two", "too long", "three", "four"), &fake{refuses: "too long"}
	if n, err := fill(t, b, f); err != nil || n != 5 || f.texts != 5 { // with one that shows that others are taken
		t.Errorf("%d texts, %d embedded, %v", n, f.texts, err)
	}
	if n, err := fill(t, b, f); err != nil || n != 0 {
		t.Errorf("again: %d texts, %v", n, err)
	}
}

func TestAModelThatTakesNothingIsAnError(t *testing.T) {
	if _, err := fill(t, brainOf(t, "one", "two"), &fake{refuses: "t"}); !errors.Is(err, embedding.ErrTextRefused) {
		t.Errorf("%v", err)
	}
}

func TestWhatFailedIsTriedAgain(t *testing.T) {
	b, f := brainOf(t, "one"), &fake{failed: errors.New("away")}
	if n, err := fill(t, b, f); !errors.Is(err, f.failed) || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	f.failed = nil
	if n, err := fill(t, b, f); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
}
