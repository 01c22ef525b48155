package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	Brain    string // name of the brain that owns the folder
	DryRun   bool   // write nothing
	Progress func(Progress)
}

// ExportReport is the result of an export. The file of each memory was written
// or is unchanged, or a problem says why not.
type ExportReport struct {
	Format    string    `json:"format"`
	Dir       string    `json:"dir"`
	Memories  int       `json:"memories"`
	Written   int       `json:"written"`
	Unchanged int       `json:"unchanged"`
	Removed   int       `json:"removed"` // files of memories that are gone or have another name now
	Problems  []Problem `json:"problems"`
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
	if err != nil {
		return report, fmt.Errorf("export to %s: %w", o.Dir, err)
	}
	return report, nil
}

// archiveFolder holds the memories that are not in use any more: archived
// originals of promoted ones, and superseded texts.
const archiveFolder = "archive"

// exporter writes one folder.
type exporter struct {
	b      *services.Services
	o      ExportOptions
	report ExportReport
	names  map[string]bool // files of present memories, relative
}

func exportMarkdown(ctx context.Context, b *services.Services, o ExportOptions) (ExportReport, error) {
	e := &exporter{b: b, o: o, names: map[string]bool{}, report: ExportReport{Problems: []Problem{}}}
	if err := e.own(); err != nil {
		return e.report, err
	}
	total := 0
	status, err := b.Recall.Status(ctx)
	if err != nil {
		return e.report, err
	}
	for _, n := range status.Tiers {
		total += n
	}
	for w, err := range b.Recall.Wholes(ctx) {
		if err != nil {
			return e.report, err
		}
		if err := e.write(w); err != nil {
			return e.report, err
		}
		if o.Progress != nil {
			o.Progress(Progress{Files: len(e.names), AllFiles: total})
		}
		if ctx.Err() != nil {
			return e.report, ctx.Err()
		}
	}
	if err := e.stale(ctx); err != nil || o.DryRun {
		return e.report, err
	}
	return e.report, errors.Join(durable.SyncDir(filepath.Join(o.Dir, archiveFolder)), durable.SyncDir(o.Dir))
}

// write puts the file of one memory in its place, if it is not there already.
func (e *exporter) write(w recall.Whole) error {
	name := fileName(w)
	if e.names[name] {
		return nil // it moved in the order of strength while it was read
	}
	e.names[name] = true
	e.report.Memories++
	data, err := render(w)
	if err != nil {
		return fmt.Errorf("write out %s: %w", w.Memory.ID, err)
	}
	path := e.path(name)
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		e.problem(name, "something else is in its place; left as it is")
		return nil
	}
	var held []byte
	if err == nil {
		held, err = os.ReadFile(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		e.problem(name, "cannot be read: "+durable.Cause(err).Error())
		return nil
	case bytes.Equal(held, data):
		e.report.Unchanged++
		return nil
	case len(held) > 0 && !untouched(held):
		e.problem(name, "was changed since it was exported, so it is left as it is; move it away, then export again")
		return nil
	}
	e.report.Written++
	if e.o.DryRun {
		return nil
	}
	return replace(path, data)
}

// path returns the path of a file of the export.
func (e *exporter) path(name string) string { return filepath.Join(e.o.Dir, filepath.FromSlash(name)) }

func (e *exporter) problem(name, message string) {
	e.report.Problems = append(e.report.Problems, Problem{File: name, Message: message})
}

// replace writes a file whole or not at all. It does not sync it: an export can
// be made again, and its checksum shows a torn file.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// fileName returns the file of a memory in an export: by its date, its name and
// its id.
func fileName(w recall.Whole) string {
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
	return archiveFolder + "/" + name
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
