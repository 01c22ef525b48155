package app

import (
	"context"
	"fmt"
	"path/filepath"

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
	c := u.app.Settings.Config.Notes
	b, err := u.Brain(ctx)
	if err != nil {
		return exchange.Report{}, err
	}
	o.Location, o.MaxFile, o.Exclude = u.app.Settings.Zone, int64(c.MaxFile), c.Exclude
	o.Projects, o.HomeOf = c.Projects, ProjectAt
	o.DryRun, o.Progress = u.caller.DryRun, u.caller.Notices.Progress
	var numbers exchange.Report // what became of them
	if f.Name == exchange.Brainbridge {
		if o.Original, err = u.readOriginal(ctx, b, o.Path); err != nil {
			return numbers, err
		}
		if err := u.takeNumbers(ctx, b, o, &numbers); err != nil {
			return numbers, err
		}
	}
	report, err := exchange.Import(ctx, b, f, o)
	report.LeftOut, report.Problems = append(report.LeftOut, numbers.LeftOut...), append(report.Problems, numbers.Problems...)
	if err == nil && o.Original.HasTests() && !u.app.Settings.Test {
		err = u.importTests(ctx, f, o, &report)
	}
	switch {
	case err != nil && report.Imported > 0 && !u.caller.DryRun:
		u.caller.Notices.Info(fmt.Sprintf("%s imported before the error; run the command again to continue, or undo with: brainbridge undo %s",
			english.Plural(report.Imported, "memory", ""), report.RunID))
	case err == nil && f.Name == exchange.CoreMemory:
		u.writeCore(ctx, b)
	}
	u.embedChanged(ctx, b)
	return report, err
}

// Export writes memories to a folder or a file.
func (u *UseCases) Export(ctx context.Context, f exchange.ExportFormat, path string) (exchange.ExportReport, error) {
	path, err := u.outsideNotes(path, "export")
	if err != nil {
		return exchange.ExportReport{}, err
	}
	b, err := u.Brain(ctx)
	if err != nil {
		return exchange.ExportReport{}, err
	}
	return exchange.Export(ctx, b, f, exchange.ExportOptions{
		Dir: path, DryRun: u.caller.DryRun, Progress: u.caller.Notices.Progress,
	})
}

// outsideNotes returns the absolute path of an output, which may not be in the notes directory.
func (u *UseCases) outsideNotes(path, output string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(u.app.Settings.Paths.NotesDir, path); err == nil && filepath.IsLocal(rel) {
		return "", invalid("name a folder elsewhere", "%s is in the notes directory, so the %s would be ingested as notes", path, output)
	}
	return path, nil
}
