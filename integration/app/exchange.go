package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/exchange"
)

// ImportRequest names files of another program.
type ImportRequest struct {
	Format  exchange.Format
	Path    string
	Repair  bool // mend UTF-8 that was read as another encoding
	Project string
	Tags    []string
}

// ImportAnswer is the result of an import.
type ImportAnswer struct {
	exchange.Report
	RunID *string `json:"runId"` // null if nothing was imported
}

// Import imports the memories of another program.
func (u *UseCases) Import(ctx context.Context, r ImportRequest) (ImportAnswer, error) {
	for _, word := range append([]string{r.Project}, r.Tags...) {
		if !brain.IsWord(word, brain.MaxName) {
			return ImportAnswer{}, invalid("use a short word", "%.40q cannot be a tag or a project", word)
		}
	}
	c := u.app.o.Settings.Config.Notes
	b, err := u.Brain(ctx)
	if err != nil {
		return ImportAnswer{}, err
	}
	report, err := exchange.Import(ctx, b, r.Format, exchange.Options{
		Path: r.Path, Location: u.app.o.Settings.Zone, MaxFile: int64(c.MaxFile), Repair: r.Repair, DryRun: u.caller.DryRun,
		Project: r.Project, Tags: r.Tags, Exclude: c.Exclude, Progress: u.exchangeProgress,
	})
	a := ImportAnswer{Report: report}
	if !u.caller.DryRun {
		a.RunID = textOrNull(report.RunID)
	}
	switch {
	case err != nil && report.Imported > 0 && !u.caller.DryRun:
		u.caller.Notices.Info(fmt.Sprintf("%s imported before the error; run the command again to continue, or undo with: brainbridge undo %s",
			english.Plural(report.Imported, "memory", ""), report.RunID))
	case err == nil && r.Format.Name == exchange.CoreMemory:
		u.writeCore(ctx, b)
	}
	return a, err
}

// ExportRequest says where memories are written to.
type ExportRequest struct {
	Format exchange.ExportFormat
	Path   string // folder or file
}

// Export writes memories to files.
func (u *UseCases) Export(ctx context.Context, r ExportRequest) (exchange.ExportReport, error) {
	l := u.app.o.Settings
	path, err := filepath.Abs(r.Path)
	if err != nil {
		return exchange.ExportReport{}, err
	}
	if within(l.Paths.NotesDir, path) {
		return exchange.ExportReport{}, invalid("name a folder elsewhere", "%s is in the notes directory, so the export would be ingested as notes", path)
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return exchange.ExportReport{}, err
	}
	return exchange.Export(ctx, b, r.Format, exchange.ExportOptions{
		Dir: path, Brain: l.StoredBrain(), DryRun: u.caller.DryRun, Progress: u.exchangeProgress,
	})
}

// within reports whether a path is a folder or something in it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// exchangeProgress reports files and bytes.
func (u *UseCases) exchangeProgress(p exchange.Progress) {
	if p.AllBytes == 0 {
		u.caller.Notices.Progress("files", p.Files, p.AllFiles)
		return
	}
	const kilobyte = 1000
	u.caller.Notices.Progress(fmt.Sprintf("file %d of %d, kB", p.Files, p.AllFiles), int(p.Bytes/kilobyte), int(p.AllBytes/kilobyte))
}
