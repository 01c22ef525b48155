// Package memorymd keeps the managed block of MEMORY.md: the quick reference
// that an agent loads at each start, in a file that otherwise belongs to the
// person.
//
// The block stands between two lines,
//
//	<!-- brainbridge:begin -->
//	<!-- brainbridge:end -->
//
// and every byte outside it is the person's and stays as it is. Inside, a
// person may edit too: a changed line is a correction of its memory and kept as
// written, a line that is not ours moves below the block, an entry that was
// deleted is barred from the file. [Plan] finds that out by comparing the block
// with what was written last, its [State]; it is pure, bytes in and values out.
// [File] reads and replaces the file, and a [Change] takes a writing back.
//
// There are two forms. [Curated] is one line an entry within a budget of
// characters and lines for the whole file; [Full] is one entry an outcome with
// all of its text.
//
// Characters are Unicode code points; a line end of CRLF is two of them. Lines
// are those that an editor shows: a last one without its end counts.
package memorymd
