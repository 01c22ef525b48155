// Package spool keeps captures in a file while their store cannot be reached,
// and hands them over in order once it can.
//
// The folder of a spool holds:
//
//	captures.jsonl  one line a capture: brain, store, when, and the capture
//	rejected.jsonl  what the store refused for good and what could not be read
//	append.lock     held for the moment in which captures.jsonl is changed
//	drain.lock      held by the one process that hands captures over
//
// A line leaves captures.jsonl only after the store has acknowledged it or
// after it was written to rejected.jsonl. A process that dies between the two
// leaves it where it is, and the next one stores it again, which comes to the
// same, since a capture has its ids. Nothing else is needed after a crash: the
// file is replaced as a whole by rename, and a torn last line is ended by the
// next writer and set aside by the next reader.
package spool
