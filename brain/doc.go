// Package brain is the domain of brainbridge: memories with an energy that
// fades, the sources they came from, the sections of a person's notes, the
// relations between them and the journal of everything that changed them.
//
// A [Brain] is the service that commands, the daemon and agents call. It
// decides; a [Store] keeps. The package knows no database, no file watcher and
// no network: SQLite and Neo4j implement the contract of store.go in packages
// of their own and pass the same conformance suite.
package brain
