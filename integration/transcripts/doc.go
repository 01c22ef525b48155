// Package transcripts is the door from the session files of agents to the
// notes: it finds what was said on a day, writes the cleaned transcript of that
// day, extracts what is worth keeping, and has it written into the day's note
// and into pages below knowledge/.
//
// How far each file was read, and which days it speaks of, is kept in the
// store, so that only what is new is read. A day is made of the messages whose
// own timestamps fall on it in the configured zone. What it was made of has a
// digest: a message that comes late, or a file that was rewritten, changes it
// and so opens the day again.
//
// A day is done when it is over, and each of its chunks ended as items or as an
// explicit nothing. Everything here may be interrupted anywhere and run again:
// files are replaced whole, the ids of items follow from what they are, and the
// day is marked as done at the very end.
//
// Memory is bounded by the number of messages of a day, some hundred bytes
// each, whatever their texts: those go to a temporary file while the day is put
// in order.
//
// Secrets are taken out of every text before it is written or sent anywhere.
package transcripts
