// Package transcript reads the session files that agents keep on disk: Claude
// Code (~/.claude/projects), OpenClaw (~/.openclaw/agents) and Codex
// (~/.codex/sessions). Text goes in, messages with line and offset come out. It
// keeps no state of its own and opens no file.
//
// All three write JSON, one object a line, and append. What is kept and what
// is dropped:
//
//   - kept is what the person and the assistant said, however short;
//   - a tool call becomes one line, its name and its main argument;
//   - a tool result is kept if it is an error or under 500 characters;
//   - dropped are meta lines, side chains (unless asked for), command wrappers,
//     heartbeats, compaction summaries, thinking, and runs of base64;
//   - types and roles that the package does not know are dropped and counted.
//
// What the formats have in common is little, so each has a file of its own
// that turns one line into messages. Three of their habits shape this package:
//
//   - Claude Code writes the blocks of one assistant message over several lines
//     that share message.id, and sometimes writes a block again when it has
//     grown. A text that begins with an earlier text of the same message takes
//     its place; any other is a further block.
//   - Codex writes what was said twice, as response_item and as event_msg. Each
//     pair counts once, and one without its twin counts too.
//   - A forked Codex session begins with a copy of its parent, stamped with the
//     time of the fork. The copy is left out: its words stand in the parent's
//     file with their true times.
//
// Memory is bounded whatever the input: a line over MaxLine bytes is skipped and
// named in Problems.
package transcript
