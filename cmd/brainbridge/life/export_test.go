package life

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/integration/exchange"
)

// wantExport holds that an export and list --all have no text twice but for what a memory was.
func (p *play) wantExport(w *world) {
	p.Helper()
	dir := filepath.Join(p.t.TempDir(), "export")
	report, err := exchange.Export(w.Context(), w.Services, exchange.ExportFormats()[0], exchange.ExportOptions{Dir: dir})
	if err != nil || len(report.Problems) > 0 {
		p.Fatalf("%s: export: %+v, %v", w.name, report, err)
	}
	var want, got []string
	for _, l := range p.lives {
		if l.into == nil && !l.forgotten {
			want = append(want, l.says())
		}
	}
	earlier := filepath.Join(dir, "archive")
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == earlier {
			return cmp.Or(err, fs.SkipDir)
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if _, known := p.byText[strings.TrimSpace(line)]; known {
				got = append(got, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	w.same("the texts of an export", want, got, sorted)
	held := map[string]bool{}
	for _, v := range w.list(true) {
		if strings.HasPrefix(string(*v.Tier), "archived") || *v.Tier == "superseded" {
			continue
		}
		if held[v.Content] {
			p.Fatalf("%s: list --all shows %q twice", w.name, v.Content)
		}
		held[v.Content] = true
	}
}
