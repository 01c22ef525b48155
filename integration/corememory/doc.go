// Package corememory is the door between core memory and core-memory.json, the
// file that shows it. People and agents read the file and edit it: what they
// write under preferences, stablePatterns and beliefs becomes or corrects a
// core memory, what they take out leaves core. Of the file the program owns the
// entries that it wrote itself, lastUpdated and lastConsolidation; every other
// byte stays as it is.
//
// What was written last is kept in the store, so that an edit is told from a
// change of the memory. A file that is no JSON object is renamed, never
// overwritten.
package corememory
