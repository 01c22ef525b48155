// Package neo4j stores brains in a Neo4j 5.26 database. It is the second implementation of
// [brain.Store], and allows several machines to share a brain.
//
// Everything is a node or a relationship that people can explore in Neo4j's own
// browser, with the names of the model: (:Memory), (:Outcome:Source), (:Section),
// (:Action:Record) and HAS_MEMORY, PROMOTED_TO, SUPERSEDES, DIFFERS_FROM, RELATED. Every node has
// the property brain, and every query names a label of ours and the brain, so that
// several brains and other data can share one database.
//
// A node is read from one property, packed, because Neo4j may return several
// properties of a node in the state of different commits. The other properties are
// written together with it, for indexes, filters and people. If a person changes one
// of them, searches and lists filter by the new value, but the node is read unchanged,
// and its next write restores the property. A node without packed is not ours and is
// ignored.
//
// Some properties are only for indexes. words and a number contain the terms of
// package words for the full-text index: the name twice for its weight of 2, the
// content and the tags. strength is the place of a memory in the lists of
// [brain.MemoryLister].Strongest, written and the id its place in the order of
// [brain.MemoryLister].Written. nameKey, entityKey, titleKey, key and fileKey are
// hashes to look nodes up by.
package neo4j
