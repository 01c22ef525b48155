// Package exchange takes memories in from files of other programs and writes
// them out as files that people can read.
//
// Imports read a MEMORY.md that an agent keeps (claude-memory), the workspace
// of OpenClaw (openclaw) and folders of Markdown (markdown), which may be an
// export of this program, an Obsidian vault or notes of basic-memory. What is
// read stays as it is; every line of it that is not blank ends in a memory, or
// is named in the report with the reason why not.
//
// Nothing is taken in twice: a text has an identity by its words, its heading
// and its date, never by its path, and what the brain holds word for word is
// left alone. An import that was broken off is run again and goes on.
//
// The export writes one file a memory. Importing it into an empty brain gives
// the same memories, with ids, tiers, energies, dates and relations.
package exchange
