// Package notes is the door from the files of a notes directory to
// [brain.Brain.Ingest]: it finds which files are new, changed or gone, reads
// them, and hands over what the parser of daily notes made of them. It also
// writes captured outcomes into today's note.
//
// What is read: daily notes (YYYY-MM-DD.md, YYYY-MM-DD-slug.md) in the
// directory itself, every *.md below knowledge/, and the transcripts of days
// (transcripts/YYYY-MM-DD-transcript.md), which become sections that are
// searched apart and nothing else: talk has no outcomes, names nobody and is
// never wrong. Everything else is left alone without a word.
//
// A bad file stops nothing: it is named in the problems, what was known of it
// stays, and the rest is read. A file counts as gone only when the directory
// could be read, is this brain's, and nothing stands in the file's place.
package notes
