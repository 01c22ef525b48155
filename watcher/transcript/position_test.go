package transcript

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// follow reads a file from a position, which goes through JSON as a caller
// would store it.
func follow(t *testing.T, path string, pos Position) (Position, []string, Change) {
	t.Helper()
	stored, err := json.Marshal(pos)
	if err != nil {
		t.Fatal(err)
	}
	pos = Position{}
	if err := json.Unmarshal(stored, &pos); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	next, _, change, err := Follow(f, pos, Options{File: path}, func(m Message) error {
		texts = append(texts, m.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return next, texts, change
}

func put(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	one, two, three := said("u1", noon, "one"), said("u2", noon, "two"), said("u3", noon, "three")
	var pos Position
	for _, step := range []struct {
		what, text string
		touch      bool
		want       []string
		change     Change
	}{
		{"new", one + two[:20], true, []string{"one"}, Rewritten},
		{"untouched", one + two[:20], false, nil, Unchanged},
		{"touched only", one + two[:20], true, nil, Grown},
		{"the cut line came whole, but its line end", one + strings.TrimSuffix(two, "\n"), true, []string{"two"}, Grown},
		{"the line end came, and a line", one + two + three, true, []string{"three"}, Grown},
		{"rewritten at the same length", said("u4", noon, "owe") + two + three, true, []string{"owe", "two", "three"}, Rewritten},
		{"truncated", one, true, []string{"one"}, Rewritten},
		{"emptied", "", true, nil, Rewritten},
		{"and grown again", three, true, []string{"three"}, Rewritten},
		{"a big one", one + said("u5", noon, strings.Repeat("long ", 200_000)) + two[:9], true, []string{"one", strings.TrimSpace(strings.Repeat("long ", 200_000))}, Rewritten},
		{"grows by half a long line", one + said("u5", noon, strings.Repeat("long ", 200_000)) + two + said("u6", noon, strings.Repeat("half ", 100_000))[:400_000], true, []string{"two"}, Grown},
		{"which is then whole", one + said("u5", noon, strings.Repeat("long ", 200_000)) + two + said("u6", noon, strings.Repeat("half ", 100_000)), true, []string{strings.TrimSpace(strings.Repeat("half ", 100_000))}, Grown},
		{"and another follows", one + said("u5", noon, strings.Repeat("long ", 200_000)) + two + said("u6", noon, strings.Repeat("half ", 100_000)) + three, true, []string{"three"}, Grown},
	} {
		if step.touch {
			at = at.Add(time.Second)
			put(t, path, step.text, at)
		}
		next, got, change := follow(t, path, pos)
		if change != step.change {
			t.Errorf("%s: change %d, want %d", step.what, change, step.change)
		}
		same(t, got, step.want)
		if t.Failed() {
			t.Fatal(step.what)
		}
		pos = next
	}
	if pos.State.Line != 5 {
		t.Errorf("at line %d, want 5", pos.State.Line)
	}
}

func TestCheckReadsNothingAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	put(t, path, said("u1", noon, "one"), at)
	pos, _, _ := follow(t, path, Position{})
	check := func() Change {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		change, err := Check(f, pos)
		if err != nil {
			t.Fatal(err)
		}
		return change
	}
	if c := check(); c != Unchanged {
		t.Errorf("change %d, want unchanged", c)
	}
	put(t, path, said("u1", noon, "one")+"{", at.Add(time.Second))
	if c := check(); c != Grown {
		t.Errorf("change %d, want grown", c)
	}
	put(t, path, "x", at.Add(2*time.Second))
	if c := check(); c != Rewritten {
		t.Errorf("change %d, want rewritten", c)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Check(f, pos); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a closed file: error %v", err)
	}
}

// An error of the caller leaves the position where it was.
func TestFollowAfterAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	put(t, path, said("u1", noon, "one"), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop := errors.New("full")
	pos, _, _, err := Follow(f, Position{}, Options{}, func(Message) error { return stop })
	if !errors.Is(err, stop) || pos.State.Offset != 0 {
		t.Errorf("error %v, offset %d", err, pos.State.Offset)
	}
	if _, texts, _ := follow(t, path, pos); len(texts) != 1 {
		t.Errorf("the next read gives %q", texts)
	}
}
