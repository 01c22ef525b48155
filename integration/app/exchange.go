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

// Import imports the memories of another program. Only Path, Repair, Project and Tags of
// the options are used; the rest come from the settings and the caller.
func (u *UseCases) Import(ctx context.Context, f exchange.Format, o exchange.Options) (exchange.Report, error) {
	if err := brain.CheckDetails(brain.Details{Project: o.Project, Tags: o.Tags}); err != nil {
		return exchange.Report{}, err
	}
	c := u.app.o.Settings.Config.Notes
	b, err := u.Brain(ctx)
	if err != nil {
		return exchange.Report{}, err
	}
	o.Location, o.MaxFile, o.Exclude = u.app.o.Settings.Zone, int64(c.MaxFile), c.Exclude
	o.DryRun, o.Progress = u.caller.DryRun, u.caller.Notices.Progress
	report, err := exchange.Import(ctx, b, f, o)
	switch {
	case err != nil && report.Imported > 0 && !u.caller.DryRun:
		u.caller.Notices.Info(fmt.Sprintf("%s imported before the error; run the command again to continue, or undo with: brainbridge undo %s",
			english.Plural(report.Imported, "memory", ""), report.RunID))
	case err == nil && f.Name == exchange.CoreMemory:
		u.writeCore(ctx, b)
	}
	return report, err
}

// Export writes memories to a folder or a file.
func (u *UseCases) Export(ctx context.Context, f exchange.ExportFormat, path string) (exchange.ExportReport, error) {
	l := u.app.o.Settings
	path, err := filepath.Abs(path)
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
	return exchange.Export(ctx, b, f, exchange.ExportOptions{
		Dir: path, DryRun: u.caller.DryRun, Progress: u.caller.Notices.Progress,
	})
}

func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
