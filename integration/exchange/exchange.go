// Package exchange imports memories from files of other programs and exports
// them to files that people can read.
//
// An import changes no file that it reads. Notes of other programs become sections; only
// statements with a kind become memories. Every line that is not blank ends in
// one of them, or is in the report with the reason why not.
//
// Nothing is imported twice: a text has an identity by its words, its heading and its date,
// never by its path, and a text that the brain has word for word is left alone. An
// interrupted import continues when it is run again.
//
// The export writes one file for each memory. Importing it into an empty brain
// gives the same memories, with ids, tiers, energies, dates and relations.
package exchange

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Options of an import.
type Options struct {
	Path     string         // file or folder
	Location *time.Location // zone of dates; nil: the machine's
	MaxFile  int64          // largest file that is read whole, in bytes; 0: 8 MiB
	Repair   bool           // restore UTF-8 that was read as another encoding
	Project  string         // of every memory that does not name its own
	DryRun   bool           // write no file; the brain must write nothing either
	Tags     []string       // added to every memory that is not from our own export
	Projects [][2]string    // globs of paths below a folder, each with the project of what it matches
	// HomeOf returns the project of a folder of code, "" for none.
	HomeOf  func(folder string) string
	Exclude []string // globs of files and folders that are not read, below a folder
	// Original is the graph that the format [Brainbridge] imports from the server of Path.
	Original Original
	// Progress receives the progress of a step; it may be nil.
	Progress func(step string, done, total int)
}

// Problem is something in a file that a person should check.
type Problem = brain.Problem

// Report is the result of an import. Imported, Unchanged and Duplicates count
// memories.
type Report struct {
	Format string `json:"format"`
	Path   string `json:"path"`
	Files  int    `json:"files"` // read
	Bytes  int64  `json:"bytes"`
	// RunID is the run that `undo` reverts, "" if nothing was imported, and in a dry run.
	RunID    brain.OrNull `json:"runId"`
	Imported int          `json:"imported"`
	// Sections counts the new pieces of prose, which are searched and never pushed.
	Sections int `json:"sections"`
	// Tests counts the imported test memories of another brainbridge, which are in the brain
	// of test memories.
	Tests int `json:"tests,omitempty"`
	// Unchanged counts memories that the brain already has, and forgotten ones.
	Unchanged int `json:"unchanged"`
	// Duplicates counts texts that occur in the files more than once.
	Duplicates int `json:"duplicates"`
	Redacted   int `json:"redacted"` // redacted secrets
	Repaired   int `json:"repaired"` // characters restored
	// LeftOut has the lines and files that were not imported for a reason.
	LeftOut  []Problem `json:"leftOut"`
	Problems []Problem `json:"problems"`
}

// Format is one kind of file that can be imported.
type Format struct {
	Name     string
	Argument string // PATH, DIR or FILE
	Short    string // one line for people
	content  content
	read     func(*reader)

	pick   func(rel string) bool // chooses the files of a folder, by relative path with slashes; nil: the format is one file
	hint   string                // what to give instead of a folder without Markdown
	notes  bool                  // its files are read as notes, see [reader.notes]
	folder bool                  // a MEMORY.md in a folder named memory stands for that folder
	file   string                // name of the one file in a folder, "" if it has none
}

type content int

const (
	text   content = iota // text; a file over MaxFile or with other bytes is not read
	export                // the same, whatever MaxFile is
	lines                 // the same; lines with other bytes are left out
	opened                // the format opens it itself
)

// CoreMemory is the name of the format of a core-memory.json.
const CoreMemory = "core-memory"

// Formats returns the formats that can be imported, in the order of the help.
func Formats() []Format {
	return []Format{
		{
			Name: "claude-memory", Argument: "PATH", Short: "Import a MEMORY.md written by an agent, with its topic files",
			read: readClaude, pick: pickClaude, hint: "name a MEMORY.md, or a folder such as ~/.claude/projects/NAME/memory", folder: true, notes: true,
		},
		{
			Name: "openclaw", Argument: "PATH", Short: "Import an OpenClaw workspace: MEMORY.md, USER.md, memory/ and more",
			read: (*reader).notes, pick: isMarkdown, hint: "name a workspace, such as ~/.openclaw/workspace", notes: true,
		},
		{Name: CoreMemory, Argument: "FILE", Short: "Import the preferences, patterns and beliefs of a core-memory.json as core memories", read: readCore},
		{
			Name: "markdown", Argument: "DIR", Short: "Import a Markdown export of brainbridge, an Obsidian vault or other Markdown",
			read: readMarkdown, pick: isMarkdown, hint: "name a folder with files that end in .md", notes: true,
		},
		{Name: "agenr", Argument: "FILE", Short: "Import the database of agenr, ~/.agenr/knowledge.db", content: opened, read: readAgenr, file: "knowledge.db"},
		{Name: Brainbridge, Argument: "URI", Short: "Import the graph of the original brainbridge from its Neo4j server", content: opened, read: readOriginalGraph},
		{Name: "mcp-memory", Argument: "FILE", Short: "Import the graph of the reference memory server, memory.jsonl", content: lines, read: readGraph},
		{Name: "engram", Argument: "FILE", Short: "Import a JSON export of engram", content: export, read: readEngram},
	}
}

// Import imports files. A file that cannot be read is listed in the report; if it is the
// file that was named, the error is [brain.ErrInvalid]. After any other error the imported
// memories stay and are in the report, and another import continues.
func Import(ctx context.Context, b *services.Services, f Format, o Options) (Report, error) {
	o.MaxFile, o.Location = cmp.Or(o.MaxFile, 8<<20), cmp.Or(o.Location, time.Local)
	report := Report{Format: f.Name, Path: o.Path, LeftOut: []Problem{}, Problems: []Problem{}}
	files, isFile, err := []file{{path: o.Path, rel: o.Path, modified: b.Base.Now()}}, true, error(nil)
	if f.Name != Brainbridge {
		files, isFile, err = find(ctx, f, o, &report)
	}
	if err != nil {
		return report, err
	}
	im := &importer{
		b: b, o: o, report: &report, stored: set{}, waiting: map[string][]brain.Relation{},
		run: b.Base.NewRun(ingest.RunImport, b.Base.Now()),
	}
	refused, err := im.importFiles(ctx, f, files)
	if im.run.Actions > 0 && !o.DryRun {
		report.RunID = brain.OrNull(im.run.ID)
	}
	brain.SortProblems(report.Problems)
	brain.SortProblems(report.LeftOut)
	if err != nil {
		return report, fmt.Errorf("import %s: %w", o.Path, err)
	}
	if isFile && refused != nil {
		place := o.Path
		if refused.Line > 0 {
			place = fmt.Sprintf("%s, line %d:", o.Path, refused.Line)
		}
		return report, brain.Errorf(brain.ErrInvalid, "nothing was imported; correct the file, or name another", "%s %s", place, refused.Message)
	}
	return report, nil
}
