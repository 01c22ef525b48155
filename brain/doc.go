// Package brain is the domain of brainbridge: memories with an energy that
// fades, the sources they came from, the sections of a person's notes, the
// relations between them and the journal of everything that changed them.
//
// It holds the types and the contract of the stores, without any behaviour that
// needs a store. SQLite and Neo4j implement the contract of store.go in packages of
// their own and pass the same conformance suite.
package brain
