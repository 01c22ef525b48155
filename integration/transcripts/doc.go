// Package transcripts brings the session files of agents into the notes. For each
// day it writes a cleaned transcript, extracts items from it, and writes those into
// the note of the day and into pages below knowledge/.
//
// The store remembers which days each file has messages of, so that only changed files are
// read. A session in a database of OpenClaw counts as a file. A message belongs to the day
// of its own timestamp. A late message or a rewritten file changes the digest of the
// messages of a day, which is extracted again.
//
// A day is done when it is over and each of its chunks has items or an explicit
// "nothing". A run can be interrupted anywhere and repeated: files are replaced as a
// whole, the ids of items are made from their content, and the day is marked as
// done at the very end.
//
// Memory is bounded by the number of messages of a day, some hundred bytes each.
// Their texts go to a temporary file while the day is put in order.
//
// Secrets are redacted in every text before it is written or sent anywhere.
package transcripts
