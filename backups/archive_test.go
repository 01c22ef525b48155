package backups

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func entry(id, text string) brain.Forgotten {
	return brain.Forgotten{
		Memory:      brain.Memory{ID: id, Name: "n", Content: text, Created: noon, Extra: json.RawMessage(`{"b":1,"a":"<x>"}`)},
		Source:      &brain.Source{ID: "s-" + id, Kind: brain.Learning, Created: noon, Concept: "c", Learned: text},
		Relations:   []brain.Relation{{From: id, Type: "related_to", To: "other"}},
		ForgottenAt: noon,
		Reason:      "asked for",
	}
}

func newArchive(t *testing.T) *Archive {
	t.Helper()
	a := NewArchive(filepath.Join(t.TempDir(), "data", "archive"), func(message string) { t.Errorf("warned: %s", message) })
	return a
}

func appendTo(t *testing.T, a *Archive, day time.Time, entries ...brain.Forgotten) string {
	t.Helper()
	path, err := a.Append(t.Context(), day, entries)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func wantEntries(t *testing.T, path string, want ...brain.Forgotten) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []brain.Forgotten
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatalf("%v:\n%s", err, content)
	}
	if d := cmp.Diff(want, got, jsonRaw()); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// jsonRaw compares raw JSON by what it says.
func jsonRaw() cmp.Option {
	return cmp.Transformer("value", func(raw json.RawMessage) any {
		var v any
		_ = json.Unmarshal(raw, &v)
		return v
	})
}

func TestNothingIsMadeBeforeTheFirstUse(t *testing.T) {
	a := newArchive(t)
	if _, err := a.Find(t.Context(), "x"); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("Find() = %v", err)
	}
	appendTo(t, a, noon)
	for _, err := range a.JournalSince(t.Context(), noon) {
		t.Error(err)
	}
	if _, err := os.Stat(a.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder exists: %v", err)
	}
}

func TestTheDayIsTheOneInUTC(t *testing.T) {
	a := newArchive(t)
	late := time.Date(2026, 3, 1, 20, 0, 0, 0, time.FixedZone("", -5*3600))
	if path := appendTo(t, a, late, entry("a", "x")); filepath.Base(path) != "2026-03-02-forgotten.json" {
		t.Errorf("archived in %s", path)
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	a := newArchive(t)
	first := []brain.Forgotten{entry("a", "one <b> & \u2028"), entry("b", `"quoted", [brackets]`)}
	path := appendTo(t, a, noon, first...)
	before, _ := os.ReadFile(path)
	third := entry("c", "three")
	appendTo(t, a, noon, third)
	wantEntries(t, path, first[0], first[1], third)
	after, _ := os.ReadFile(path)
	if kept := strings.TrimSuffix(string(before), "\n]\n"); !strings.HasPrefix(string(after), kept) {
		t.Errorf("what was there has changed:\n%s\nto\n%s", before, after)
	}
	if !strings.Contains(string(after), "\n  {\n    \"memory\": {\n      \"id\": \"c\",") {
		t.Errorf("it is not indented for people:\n%s", after)
	}
}

// A day that fills a file goes on in another one. The newest entry of a memory is found first.
func TestAFullFileIsFollowedByAnother(t *testing.T) {
	a := newArchive(t)
	first := appendTo(t, a, noon, entry("a", strings.Repeat("x", fullFile)), entry("b", "in the first"))
	second := appendTo(t, a, noon, entry("b", "in the second"))
	if third := appendTo(t, a, noon, entry("c", "three")); filepath.Base(second) != "2026-03-01-forgotten_002.json" || third != second {
		t.Errorf("archived in %s, %s and %s", first, second, third)
	}
	wantEntries(t, second, entry("b", "in the second"), entry("c", "three"))
	for id, want := range map[string]string{"b": "in the second", "c": "three"} {
		if found, err := a.Find(t.Context(), id); err != nil || found.Memory.Content != want {
			t.Errorf("%s is %q, %v", id, found.Memory.Content, err)
		}
	}
	if found, err := a.Find(t.Context(), "a"); err != nil || len(found.Memory.Content) != fullFile {
		t.Errorf("a has %d bytes, %v", len(found.Memory.Content), err)
	}
}

func TestAppendKeepsUnknownKeysAndForms(t *testing.T) {
	for name, held := range map[string]string{
		"unknown keys":  `{"x": 1.50, "memory": {"id":"old", "zz": "\u00e4"}, "note":  "by hand"}`,
		"other entries": `1, "two",` + "\n\n" + `[3], null`,
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive(t)
			path := appendTo(t, a, noon, entry("a", "x"))
			if err := os.WriteFile(path, []byte(" [ "+held+"\t]\r\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			appendTo(t, a, noon, entry("b", "y"))
			content, _ := os.ReadFile(path)
			if !strings.Contains(string(content), held+",\n  {") || !json.Valid(content) {
				t.Errorf("the entries were changed:\n%s", content)
			}
		})
	}
}

func TestAnEmptyArrayIsContinued(t *testing.T) {
	a := newArchive(t)
	path := appendTo(t, a, noon, entry("a", "x"))
	if err := os.WriteFile(path, []byte("[\n]"), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, a, noon, entry("b", "y"))
	wantEntries(t, path, entry("b", "y"))
}

// unheard hears a warning that does not matter.
func unheard(string) {}

func TestAnUnreadableArchiveIsSetAside(t *testing.T) {
	a := newArchive(t)
	path := appendTo(t, a, noon, entry("a", "x"))
	whole, _ := os.ReadFile(path)
	var warned []string
	a.warn = func(message string) { warned = append(warned, message) }
	damaged := []string{string(whole[:len(whole)/2]), "", `{"memory": {}}`, "null", string(whole) + "x"}
	for i, bytes := range damaged {
		if err := os.WriteFile(path, []byte(bytes), 0o600); err != nil {
			t.Fatal(err)
		}
		want := entry(fmt.Sprint("new", i), "y")
		appendTo(t, a, noon, want)
		wantEntries(t, path, want)
		aside := filepath.Join(a.dir, fmt.Sprintf("2026-03-01-forgotten-unreadable-%d.json", i+1))
		if kept, err := os.ReadFile(aside); err != nil || string(kept) != bytes {
			t.Errorf("%s holds %q, %v; want %q", aside, kept, err, bytes)
		}
		if len(warned) != i+1 || !strings.Contains(warned[i], aside) {
			t.Errorf("warned %q, want the name %s", warned, aside)
		}
	}
}

func TestOnlyThePersonMayReadTheArchive(t *testing.T) {
	a := newArchive(t)
	appendTo(t, a, noon, entry("a", "x"))
	if err := a.AppendJournal(t.Context(), noon, raws(`{}`)); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(a.dir)
	if err != nil || len(files) != 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", f.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(a.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

func TestWhatJSONCannotHoldIsNotAcknowledged(t *testing.T) {
	a := newArchive(t)
	if _, err := a.Append(t.Context(), noon, []brain.Forgotten{entry("a", "fine"), entry("bad", "not \xff text")}); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("Append() = %v, want an error that names the memory", err)
	}
	broken := entry("b", "x")
	broken.Memory.Extra = json.RawMessage(`{`)
	if _, err := a.Append(t.Context(), noon, []brain.Forgotten{broken}); err == nil {
		t.Error("a memory that cannot be encoded was acknowledged")
	}
}

func TestAppendSaysWhenItCannotWrite(t *testing.T) {
	a := newArchive(t)
	if err := os.MkdirAll(filepath.Join(a.dir, "2026-03-01-forgotten.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Append(t.Context(), noon, []brain.Forgotten{entry("a", "x")}); err == nil {
		t.Error("a memory was acknowledged that is nowhere")
	}
}

func TestALeftoverOfADeadWriterIsCleared(t *testing.T) {
	a := newArchive(t)
	path := appendTo(t, a, noon, entry("a", "x"))
	temp := filepath.Join(a.dir, ".brainbridge-1.tmp")
	if err := os.WriteFile(temp, []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	appendTo(t, a, noon, entry("b", "y"))
	wantEntries(t, path, entry("a", "x"), entry("b", "y"))
	if _, err := os.Stat(temp); err == nil {
		t.Error("the temporary file is still there")
	}
}

func TestHandlesAppendAtTheSameTime(t *testing.T) {
	a := newArchive(t)
	const writers, each = 4, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			h := NewArchive(a.dir, unheard)
			for i := range each {
				if _, err := h.Append(t.Context(), noon, []brain.Forgotten{entry(fmt.Sprintf("%d-%d", w, i), "x")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for w := range writers {
		for i := range each {
			if _, err := a.Find(t.Context(), fmt.Sprintf("%d-%d", w, i)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestFindTakesTheNewestEntry(t *testing.T) {
	a := newArchive(t)
	appendTo(t, a, noon.AddDate(0, 0, 2), entry("a", "third day"), entry("a", "third day again"), entry("ab", "x"))
	appendTo(t, a, noon, entry("a", "first day"), entry("only", "first day"))
	appendTo(t, a, noon.AddDate(1, 0, 0), entry("later", "mentions a"))
	for id, want := range map[string]string{"a": "third day again", "only": "first day", "later": "mentions a"} {
		got, err := a.Find(t.Context(), id)
		if d := cmp.Diff(entry(id, want), got, jsonRaw()); err != nil || d != "" {
			t.Errorf("Find(%s): %v (-want +got):\n%s", id, err, d)
		}
	}
	if _, err := a.Find(t.Context(), "s-a"); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("the id of a source was found: %v", err)
	}
}

func TestFindReadsPastDamage(t *testing.T) {
	a := newArchive(t)
	a.warn = unheard
	path := appendTo(t, a, noon, entry("a", "x"), entry("torn", "y"))
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, whole[:len(whole)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"in its place", "set aside"} {
		if got, err := a.Find(t.Context(), "a"); err != nil || got.Memory.Content != "x" {
			t.Errorf("%s: Find(a) = %+v, %v", when, got, err)
		}
		_, err := a.Find(t.Context(), "torn")
		if !errors.Is(err, brain.ErrNotFound) || !strings.Contains(err.Error(), "2026-03-01-forgotten") {
			t.Errorf("%s: Find(torn) = %v, want one that names the damaged file", when, err)
		}
		appendTo(t, a, noon, entry("b", "z"))
	}
	appendTo(t, a, noon, entry("a", "newer"))
	if got, err := a.Find(t.Context(), "a"); err != nil || got.Memory.Content != "newer" {
		t.Errorf("Find(a) = %+v, %v", got, err)
	}
}

func TestEverythingForgottenIsFound(t *testing.T) {
	dir, round := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		handles := []*Archive{NewArchive(fmt.Sprintf("%s/%d", dir, round), unheard), NewArchive(fmt.Sprintf("%s/%d", dir, round), unheard)}
		want := map[string]string{}
		for i := range rapid.IntRange(1, 6).Draw(t, "appends") {
			var batch []brain.Forgotten
			for range rapid.IntRange(0, 3).Draw(t, "entries") {
				e := entry(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "id"), rapid.String().Draw(t, "text"))
				batch = append(batch, e)
				want[e.Memory.ID] = e.Memory.Content
			}
			h := rapid.SampledFrom(handles).Draw(t, "handle")
			if _, err := h.Append(t.Context(), noon.AddDate(0, 0, i/2), batch); err != nil {
				t.Fatal(err)
			}
		}
		for id, text := range want {
			if got, err := handles[0].Find(t.Context(), id); err != nil || got.Memory.Content != text {
				t.Fatalf("Find(%s) = %q, %v; want %q", id, got.Memory.Content, err, text)
			}
		}
	})
}

// FuzzAppend adds to a file of any bytes: what was there is kept, in the file
// or beside it, and the new entry is found.
func FuzzAppend(f *testing.F) {
	for _, held := range []string{"[]", "[{}]", "[1,2]", "", "[", `[{"memory":{"id":"a"}}]`, "[]]", "\xef\xbb\xbf[]", "[\"]\"]\n"} {
		f.Add([]byte(held))
	}
	f.Fuzz(func(t *testing.T, held []byte) {
		a := NewArchive(t.TempDir(), unheard)
		path := filepath.Join(a.dir, "2026-03-01-forgotten.json")
		if err := os.WriteFile(path, held, 0o600); err != nil {
			t.Fatal(err)
		}
		appendTo(t, a, noon, entry("new", "x"))
		if got, err := a.Find(t.Context(), "new"); err != nil || got.Memory.Content != "x" {
			t.Errorf("Find() = %+v, %v", got, err)
		}
		var before, after []json.RawMessage
		if json.Unmarshal(held, &before) != nil || before == nil {
			if kept, err := os.ReadFile(filepath.Join(a.dir, "2026-03-01-forgotten-unreadable-1.json")); err != nil || string(kept) != string(held) {
				t.Errorf("%q was kept as %q, %v", held, kept, err)
			}
			return
		}
		content, _ := os.ReadFile(path)
		if err := json.Unmarshal(content, &after); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(before, after[:len(after)-1]); d != "" {
			t.Errorf("entries changed (-before +after):\n%s", d)
		}
	})
}

// BenchmarkAppendOneByOne is a day on which 1,000 memories are forgotten, each
// by a call of its own.
func BenchmarkAppendOneByOne(b *testing.B) {
	for b.Loop() {
		a := NewArchive(b.TempDir(), unheard)
		for i := range 1000 {
			if _, err := a.Append(b.Context(), noon, []brain.Forgotten{entry(fmt.Sprint(i), strings.Repeat("text ", 60))}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
