// Package realagents has the tests that run real coding agents with brainbridge: Claude
// Code, Codex, Gemini CLI and OpenClaw in the versions of scripts/agents/package.json,
// without a network, against a model that answers from a script. `make agents` fetches
// the agents and runs the tests.
package realagents
