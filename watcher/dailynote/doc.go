// Package dailynote reads the text of daily notes and of knowledge files:
// text in, values with their line out. It keeps no state and opens no file, but
// for the time zone data of a zone that a header names.
//
// A daily note (Options.Day is set) holds outcomes, each with a header such as
//
//	## [14:30] 🔷 [IMPORTANT] decision: Use SQLite by default
//
// list items with a keyword, which become bullets, and other text, which
// becomes sections by heading. A knowledge file (Options.Day is empty) holds
// sections only. Every line that is not blank is in exactly one of them; the
// lines of a bullet are left out of the text of the section around it. The
// only line left out is the title that the program itself writes on top of a
// note, and that only while nothing stands under it.
//
// Where Markdown leaves room, this package reads as follows:
//
//   - Headings are those with number signs, indented by at most three blanks.
//     Underlined ones are text: "=======" also comes from merge conflicts.
//   - A code fence that is never closed is plain text and is reported, so that
//     a forgotten fence does not swallow the rest of the day.
//   - A fence indented by four columns or more stands in a list item and ends
//     with it: at its closing fence, or before the first line that is indented
//     less than four columns.
//   - Front matter is a block between "---" lines on top of the file whose
//     first line is a key with a colon. It is a section of its own.
//   - Lines end with LF or CRLF; a byte order mark at the start is skipped.
//
// All work is linear in the length of the text.
package dailynote
