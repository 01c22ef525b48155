// Package mcp is the adapter for agents: a server of the Model Context Protocol. It
// has two groups of tools. The nine graph tools give the same answers as the
// reference memory server (testdata/reference.json was recorded from it). The memory
// tools offer the use cases of the command line.
//
// No message ends the server, and only protocol is written to its output.
package mcp
