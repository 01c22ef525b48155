// Package mcp is the door for agents: a server of the Model Context Protocol.
// It has two groups of tools. The nine graph tools answer as the reference
// memory server does, call by call (testdata/reference.json was recorded from
// it); the memory tools are what the command line can do, for agents.
//
// A message never ends the server, whatever it holds, and nothing but protocol
// is written to its output.
package mcp
