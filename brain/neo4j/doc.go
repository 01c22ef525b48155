// Package neo4j keeps brains in a Neo4j 5.26 database: the second store behind
// the contract of [brain.Store], and the way past one machine.
//
// Everything is a node or a relationship that a person can explore in Neo4j's
// own browser, with the names of the model: (:Memory), (:Outcome:Source),
// (:Section), (:Action:Record) and HAS_MEMORY, PROMOTED_TO, SUPERSEDES,
// RELATED. Every node has the property brain, and every query names both our
// label and the brain, so that several brains and other people's data can live
// in one database.
//
// Four properties are for the store alone: words and a number holds the terms
// of package words for the full-text index (the name, the name again for its
// weight of 2, the content and the tags), each behind the number of its brain,
// strength is the place of a memory in the lists of
// [brain.MemoryReader].Strongest, written the one in the order of
// [brain.MemoryReader].Written, and seal is a sum over all the others that
// tells whether they were read as they had been written.
package neo4j
