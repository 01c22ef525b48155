package transcript

import (
	"errors"
	"strings"
	"testing"
)

func tailOf(t *testing.T, text string, from, most int64) ([]Message, int64) {
	t.Helper()
	var all []Message
	end, err := Tail(strings.NewReader(text), int64(len(text)), from, most, Options{File: "x.jsonl"}, func(m Message) error {
		all = append(all, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, end
}

func texts(all []Message) (list []string) {
	for _, m := range all {
		list = append(list, m.Text)
	}
	return list
}

func TestTailGoesOnWhereItEnded(t *testing.T) {
	one, two, three := said("u1", noon, "one"), said("u2", noon, "two"), said("u3", noon, "three")
	var from int64
	for _, step := range []struct {
		what, text string
		want       []string
	}{
		{"new", one + two[:20], []string{"one"}},
		{"nothing more", one + two[:20], nil},
		{"the cut line has no end yet", one + strings.TrimSuffix(two, "\n"), nil},
		{"the line end came, and a line", one + two + three, []string{"two", "three"}},
		{"shorter, so rewritten", one, []string{"one"}},
		{"emptied", "", nil},
		{"and grown again", three, []string{"three"}},
	} {
		var all []Message
		all, from = tailOf(t, step.text, from, 0)
		same(t, texts(all), step.want)
		if t.Failed() {
			t.Fatal(step.what)
		}
	}
}

// Of a session that grew by a lot only the last part is read, from the next whole line on.
// It knows the session by the first line.
func TestTailReadsABoundedPart(t *testing.T) {
	for _, name := range []string{"claude.jsonl", "openclaw.jsonl", "codex.jsonl"} {
		text := file(t, name)
		whole, _ := readText(t, text, Options{})
		last := whole[len(whole)-1]
		start := strings.LastIndexByte(text[:last.End-1], '\n') + 1
		filler := strings.Repeat(strings.SplitAfter(text, "\n")[2], 2000)
		big := strings.SplitAfter(text, "\n")[0] + filler + text[start:]
		all, end := tailOf(t, big, 1, int64(len(text)-start+10))
		if len(all) != 1 || all[0].Text != last.Text || all[0].Session != last.Session || end != int64(len(big)) {
			t.Errorf("%s: read %+v to byte %d of %d, want %+v", name, all, end, len(big), last)
		}
	}
}

// Wherever a file is cut, reading it in two goes gives all that one go gives.
func TestTailInTwoGoes(t *testing.T) {
	for _, name := range []string{"claude.jsonl", "openclaw.jsonl", "codex.jsonl"} {
		text := file(t, name)
		once, _ := readText(t, text, Options{})
		for cut := 0; cut <= len(text); cut += 13 {
			first, from := tailOf(t, text[:cut], 0, 0)
			second, end := tailOf(t, text, from, 0)
			got := map[string]bool{}
			for _, m := range append(first, second...) {
				got[m.Text] = true
			}
			for _, m := range once {
				if !got[m.Text] || end != int64(len(text)) {
					t.Fatalf("%s cut at %d: %q is missing, or it ends at %d of %d", name, cut, m.Text, end, len(text))
				}
			}
		}
	}
}

// An error of the caller leaves the offset where it was.
func TestTailAfterAnError(t *testing.T) {
	stop := errors.New("full")
	text := said("u1", noon, "one")
	from, err := Tail(strings.NewReader(text), int64(len(text)), 0, 0, Options{}, func(Message) error { return stop })
	if !errors.Is(err, stop) || from != 0 {
		t.Errorf("error %v, offset %d", err, from)
	}
}
