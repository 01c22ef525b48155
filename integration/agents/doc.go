// Package agents installs brainbridge in coding agents: it merges hooks and the MCP
// server into the settings of an agent, and writes the files of our slash commands
// and skill.
package agents
