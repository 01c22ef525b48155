package exchange

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

const coreFile = `{
  "version": "1.0",
  "preferences": {"editor": "vim", "viewer": "vim", "tabs": 4, "nothing": null},
  "stablePatterns": {"wrapOnce": "Wrap an error once."},
  "beliefs": ["Tests pay for themselves.", "Tests pay for themselves."],
  "memoryConfig": {"minUsesToRetain": 5},
  "mood": "fine"
}
`

func TestImportOfCoreMemory(t *testing.T) {
	dir := t.TempDir()
	l := newLab(t, dir)
	path := filepath.Join(dir, "their-core.json")
	if err := os.WriteFile(path, []byte(coreFile), 0o600); err != nil {
		t.Fatal(err)
	}
	formats := Formats()
	f := formats[slices.IndexFunc(formats, func(f Format) bool { return f.Name == "core-memory" })]
	rep, err := Import(t.Context(), l.Services, f, Options{Path: path})
	if err != nil || rep.Imported != 5 || rep.Duplicates != 1 || len(rep.Problems) > 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	var left []string
	for _, p := range rep.LeftOut {
		left = append(left, p.Message)
	}
	for _, word := range []string{"preferences.nothing", "memoryConfig", `"mood"`} {
		if !strings.Contains(strings.Join(left, "\n"), word) {
			t.Errorf("%s is not named as left out: %q", word, left)
		}
	}
	ms, err := l.Review.CoreMemories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range ms {
		got = append(got, m.MemoryType+" "+m.Name+": "+m.Content)
	}
	slices.Sort(got)
	want := []string{
		"belief Tests pay for themselves.: Tests pay for themselves.", "pattern wrapOnce: Wrap an error once.",
		"preference editor: vim", "preference tabs: 4", "preference viewer: vim",
	}
	if !slices.Equal(got, want) {
		t.Errorf("core memory is %q, want %q", got, want)
	}
	if rep, err = Import(t.Context(), l.Services, f, Options{Path: path}); err != nil || rep.Imported != 0 {
		t.Errorf("a second import took in %d, error %v", rep.Imported, err)
	}
	if err := os.WriteFile(path, []byte("{\n\"preferences\": x}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if rep, err = Import(t.Context(), l.Services, f, Options{Path: path}); !errors.Is(err, brain.ErrInvalid) || len(rep.Problems) != 1 || rep.Problems[0].Line != 2 {
		t.Errorf("of a broken file it says %+v, error %v", rep.Problems, err)
	}
}
