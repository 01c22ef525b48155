package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
)

// ExportOptions are the options of an export.
type ExportOptions struct {
	Dir      string // or the file, if the format is one
	DryRun   bool   // write nothing
	Progress func(step string, done, total int)
}

// ExportReport is the result of an export.
type ExportReport struct {
	Format    string `json:"format"`
	Dir       string `json:"dir"`
	Memories  int    `json:"memories"`
	Written   int    `json:"written"`
	Archived  int    `json:"-"`         // of the memories, those that are superseded
	Unchanged int    `json:"unchanged"` // 1 if the file of a format that is one has all of it already
	Removed   int    `json:"removed"`   // 0: an export removes no files
	// Problems name memories of the store that cannot be read and are not in the export.
	Problems []Problem `json:"problems"`
}

// ExportFormat is one form that memories can be written in.
type ExportFormat struct {
	Name, Argument, Short string
	write                 func(context.Context, *services.Services, ExportOptions) (ExportReport, error)
}

// ExportFormats returns the formats that can be written, in the order of the help.
func ExportFormats() []ExportFormat {
	return []ExportFormat{
		{"markdown", "DIR", "One Markdown file a memory, which `import markdown` reads back", exportMarkdown},
		{"mcp-memory", "FILE", "The graph of entities, as the reference memory server keeps it", exportGraph},
	}
}

// Export writes the memories of a brain to files.
func Export(ctx context.Context, b *services.Services, f ExportFormat, o ExportOptions) (ExportReport, error) {
	report, err := f.write(ctx, b, o)
	report.Format, report.Dir = f.Name, o.Dir
	if err == nil {
		report.Problems = []Problem{}
		err = b.Base.Store.Scan(ctx, true, func(p brain.Page) error {
			report.Problems = append(report.Problems, brain.Map(p.Unreadable, func(u brain.Unreadable) Problem { return Problem{Message: u.String()} })...)
			return nil
		})
	}
	return report, brain.Wrap(err, "export to %s", o.Dir)
}

// archiveFolder has the memories that are superseded.
const archiveFolder = "archive"

// exportMarkdown writes one file for each memory into a folder that is new or empty.
func exportMarkdown(ctx context.Context, b *services.Services, o ExportOptions) (ExportReport, error) {
	report := ExportReport{Problems: []Problem{}}
	if err := makeFolders(o); err != nil {
		return report, err
	}
	status, err := b.Recall.Status(ctx)
	if err != nil {
		return report, err
	}
	total := 0
	for _, tier := range recall.Exported() {
		total += status.Tiers[tier]
	}
	for w, err := range b.Recall.AllMemories(ctx) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return report, err
		}
		name := fileName(w)
		data, err := render(w)
		if err != nil {
			return report, fmt.Errorf("write out %s: %w", w.Memory.ID, err)
		}
		if !o.DryRun { // not synced, because an export can be repeated
			if err := os.WriteFile(filepath.Join(o.Dir, name), data, durable.PrivateFile); err != nil {
				return report, err
			}
		}
		if !w.Memory.Current() {
			report.Archived++
		}
		report.Memories++
		report.Written++
		if o.Progress != nil {
			o.Progress("files", report.Written, total)
		}
	}
	return report, nil
}

// makeFolders creates the folders of an export, unless there are files that are not hidden.
func makeFolders(o ExportOptions) error {
	entries, err := os.ReadDir(o.Dir)
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") }) {
		return brain.Errorf(brain.ErrInvalid, "name an empty or a new folder", "%s holds files", o.Dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && !o.DryRun {
		err = os.MkdirAll(filepath.Join(o.Dir, archiveFolder), durable.PrivateDir)
	}
	if err != nil {
		return brain.Errorf(brain.ErrInvalid, "name a folder that you may write into", "%s cannot be used: %v", o.Dir, durable.Cause(err))
	}
	return nil
}

// fileName returns the file of a memory: by its date, its name and its id.
func fileName(w recall.FullMemory) string {
	m, day := w.Memory, "undated"
	if !m.Created.IsZero() {
		day = m.Created.UTC().Format(time.DateOnly)
	}
	name := day + "-"
	if slug := plaintext.Slug(m.Name, maxSlug); slug != "" {
		name += slug + "-"
	}
	name += shortID(m.ID) + ".md"
	if m.Current() {
		return name
	}
	return filepath.Join(archiveFolder, name)
}

// shortID returns 48 bits of an id, enough for a million files of one day and name.
func shortID(id string) string {
	bare, test := strings.CutPrefix(id, brain.TestPrefix)
	bare = strings.ReplaceAll(bare, "-", "")
	bare = bare[:min(len(bare), 12)]
	if test {
		return "test-" + bare
	}
	return bare
}

// maxSlug bounds the bytes of a name in a file name. File systems allow 255 in all.
const maxSlug = 80
