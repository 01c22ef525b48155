// Package notes keeps the graph in step with a notes directory. It finds the
// files that are new, changed or gone, parses them with package dailynote and
// hands them to package ingest. It also writes captured outcomes into notes.
//
// It reads daily notes (YYYY-MM-DD.md, YYYY-MM-DD-slug.md) in the directory
// itself, the transcripts of days (transcripts/YYYY-MM-DD-transcript.md), and every
// other Markdown file as sections. A transcript becomes sections that are searched
// separately; it has no outcomes, mentions and problems. Options.Include and Exclude
// say which files are read.
//
// A file that cannot be read is listed in the problems; its stored content stays,
// and the other files are read. A file counts as gone only if the directory could
// be read and belongs to this brain, and nothing is in the file's place.
package notes
