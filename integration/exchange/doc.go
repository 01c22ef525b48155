// Package exchange imports memories from files of other programs and exports
// them to files that people can read.
//
// An import changes no file that it reads. Notes of other programs become sections; only
// statements with a kind become memories. Every line that is not blank ends in
// one of them, or is in the report with the reason why not.
//
// Nothing is imported twice: a text has an identity by its words, its heading and
// its date, never by its path, and a text that the brain has word for word is left
// alone. An import that was interrupted goes on when it is run again.
//
// The export writes one file for each memory. Importing it into an empty brain
// gives the same memories, with ids, tiers, energies, dates and relations.
package exchange
