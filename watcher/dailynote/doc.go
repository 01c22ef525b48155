// Package dailynote reads daily notes and knowledge files, and renders the
// outcomes that the program adds to a note. It takes text and returns values
// with their lines. It keeps no state and opens no file but the time zone data of
// a zone that a header names.
//
// A daily note (Options.Day is set) holds outcomes, each under a header such as
//
//	## [14:30] 🔷 [IMPORTANT] decision: Use SQLite by default
//
// labelled list items and paragraphs, which become bullets, open checkboxes, and other
// text, which becomes sections by heading. A knowledge file (Options.Day is empty) holds sections
// only. Every line that is not blank is in exactly one of them, but for what the program
// itself writes: its block in a page, and the title of a note without text below it.
//
// Structure is read as package markdown reads it. Front matter is a section of
// its own; a byte order mark at the start is skipped. All work is linear in the
// length of the text.
package dailynote
