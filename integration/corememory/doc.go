// Package corememory keeps core-memory.json in step with core memory. People and
// agents read the file and edit it: a value under preferences, stablePatterns or
// beliefs becomes or corrects a core memory, and a value that they remove leaves
// core. The program owns the entries that it wrote itself, lastUpdated and
// lastConsolidation; every other byte stays as it is.
//
// The store keeps what was written last, so that an edit is told from a change of
// the memory. A file that is not a JSON object is copied before a new one is made.
package corememory
