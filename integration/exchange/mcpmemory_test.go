package exchange

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What cannot be read, or be in a graph, is set aside byte for byte, and the rest is taken in.
func TestLinesOfNoUseAreSetAside(t *testing.T) {
	l := open(t)
	const (
		ada    = `{"type":"entity","name":"Ada","entityType":"person","observations":["tea"]}` + "\n"
		broken = `{"type":"entity","name":"B` + "\xff" + `","entityType":"person","observations":[]}` + "\n"
		nul    = "\x00\x00\n"
		half   = `{"type":"entity","na` + "\n"
		own    = `{"type":"relation","from":"Ada","to":"Ada","relationType":"SUPERSEDES"}` + "\n"
		lined  = `{"type":"relation","from":"Ada","to":"Nobody","relationType":"knows\nwell"}` + "\n"
	)
	dir := files(t, t.TempDir(), map[string]string{"memory.jsonl": broken + ada + nul + half + own + lined})
	r := l.take("mcp-memory", filepath.Join(dir, "memory.jsonl"))
	lines := map[int]bool{}
	for _, p := range r.Problems {
		lines[p.Line] = true
	}
	if d := cmp.Diff(map[int]bool{0: true, 1: true, 3: true, 4: true, 5: true, 6: true}, lines); d != "" || r.Imported != 1 {
		t.Errorf("%d taken in, problems of lines %v", r.Imported, lines)
	}
	aside, err := os.ReadFile(filepath.Join(dir, "memory.jsonl.unread"))
	if want := broken + nul + half + own + lined; err != nil || string(aside) != want {
		t.Errorf("set aside %q (%v), want %q", aside, err, want)
	}
}
