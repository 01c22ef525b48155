package exchange

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
)

// recordsOf returns a file of a format with n memories.
func recordsOf(name string, n int) string {
	var out strings.Builder
	for i := range n {
		text := fmt.Sprintf("statement %d %s", i, strings.Repeat("of some length ", 12))
		switch name {
		case "mcp-memory":
			fmt.Fprintf(&out, `{"type":"entity","name":"e%d","entityType":"note","observations":[%q]}`+"\n", i, text)
		case "engram":
			fmt.Fprintf(&out, "%s{\"title\":\"t%d\",\"content\":%q}", []string{`{"observations":[`, ",\n"}[min(i, 1)], i, text)
		}
	}
	if name == "engram" {
		out.WriteString("]}")
	}
	return out.String()
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The memory of an import is that of its file, and of an undo that of a batch.
func TestAnImportAndItsUndoAreBounded(t *testing.T) {
	peaks := func(n int) (importing, undoing uint64) {
		l := open(t)
		dir := files(t, t.TempDir(), map[string]string{"f": recordsOf("mcp-memory", n)})
		before, calls := heap(), 0
		r := l.take("mcp-memory", filepath.Join(dir, "f"), func(o *Options) {
			o.Progress = func(string, int, int) {
				if calls++; calls%3 == 0 {
					importing = max(importing, heap())
				}
			}
		})
		u, err := l.Journal.Undo(t.Context(), string(r.RunID), nil, func(int, int) { undoing = max(undoing, heap()) })
		if r.Imported != n || err != nil || u.Undone != n {
			t.Fatalf("imported %d and undone %d of %d, %v", r.Imported, u.Undone, n, err)
		}
		return importing - min(before, importing), undoing - min(before, undoing)
	}
	fewIn, fewOut := peaks(1_000)
	manyIn, manyOut := peaks(5_000)
	if more := int(manyIn) - int(fewIn); more > 4_000*2_000 {
		t.Errorf("to import 4,000 more records of 200 characters took %d more bytes", more)
	}
	if more := int(manyOut) - int(fewOut); more > 4_000*600 {
		t.Errorf("to undo 4,000 more records of 200 characters took %d more bytes", more)
	}
}

// An undo that was interrupted continues, and says how far it is.
func TestAnUndoOfAnImportContinues(t *testing.T) {
	l := open(t)
	r := l.take("mcp-memory", filepath.Join(files(t, t.TempDir(), map[string]string{"f": recordsOf("mcp-memory", 450)}), "f"))
	ctx, cancel := context.WithCancel(t.Context())
	u, err := l.Journal.Undo(ctx, string(r.RunID), nil, func(int, int) { cancel() })
	if err == nil || u.Undone == 0 || u.Undone+len(l.exported()) != 450 {
		t.Fatalf("undid %d, %d are left, %v", u.Undone, len(l.exported()), err)
	}
	var told []int
	rest, err := l.Journal.Undo(t.Context(), string(r.RunID), nil, func(done, total int) { told = append(told, done, total) })
	if err != nil || rest.Undone+u.Undone != 450 || len(l.exported()) != 0 {
		t.Errorf("then undid %+v, %d are left, %v", rest, len(l.exported()), err)
	}
	if d := cmp.Diff([]int{200, 450, 400, 450, 450, 450}, told); d != "" {
		t.Error(d)
	}
	if _, err := l.Journal.Undo(t.Context(), string(r.RunID), nil, nil); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("once more: %v", err)
	}
}

// A line that is too long is named, and the lines around it are read.
func TestALineThatIsTooLongIsAProblem(t *testing.T) {
	l := open(t)
	line := func(id, text string) string {
		return fmt.Sprintf(`{"type":"entity","name":%q,"entityType":"note","observations":[%q]}`+"\n", id, text)
	}
	text := "\uFEFF" + line("1", "one") + line("2", strings.Repeat("x", 8*brain.MaxContent)) + line("3", "three")
	r := l.take("mcp-memory", filepath.Join(files(t, t.TempDir(), map[string]string{"f": text}), "f"))
	if r.Imported != 2 || len(r.Problems) != 2 || r.Problems[1].Line != 2 {
		t.Errorf("imported %d, problems %v", r.Imported, r.Problems)
	}
}

// A file may begin with the mark of its byte order.
func TestAnExportMayBeginWithAByteOrderMark(t *testing.T) {
	for _, name := range []string{"engram", "mcp-memory"} {
		l := open(t)
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte("\ufeff"+recordsOf(name, 3)), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := l.take(name, path); r.Imported != 3 || len(r.Problems) != 0 {
			t.Errorf("%s: imported %d, problems %v", name, r.Imported, r.Problems)
		}
	}
}

// An export of engram without observations is one.
func TestAnExportOfEngramMayBeEmpty(t *testing.T) {
	l := open(t)
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(`{"sessions": [{}], "observations": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := l.take("engram", path); r.Imported != 0 || len(r.LeftOut) != 1 {
		t.Errorf("%+v", r)
	}
}

// Nothing is imported of an export of engram that is broken at its end.
func TestABrokenExportOfEngramIsLeftOutWhole(t *testing.T) {
	good := recordsOf("engram", 3)
	for want, text := range map[string]string{
		"line 3: is not an export of engram: unexpected end of JSON input":                good[:len(good)-2],
		"line 4: is not an export of engram: invalid character 'x' after top-level value": good + "\nx",
		"line 3: is not valid UTF-8; skipped":                                             strings.Replace(good, "statement 2", "statement \xff", 1),
		"it has no observations":                                                          `{"observations": null}`,
	} {
		l := open(t)
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Import(t.Context(), l.Services, format("engram"), Options{Path: path})
		if err == nil || !strings.Contains(err.Error(), want) || len(l.exported()) != 0 {
			t.Errorf("%q: %v, imported %d, want %q", text[max(0, len(text)-20):], err, len(l.exported()), want)
		}
	}
}
