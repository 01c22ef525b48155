// Package transcript reads the session files that agents keep on disk: Claude
// Code (~/.claude/projects), OpenClaw (~/.openclaw/agents), Codex
// (~/.codex/sessions) and Gemini CLI (~/.gemini/tmp). Text goes in, messages with
// line and offset come out. It keeps no state of its own and opens no file.
//
// All four write JSON, one object a line, and append. What is kept and what
// is dropped:
//
//   - kept is what the person and the assistant said, however short;
//   - a tool call becomes one line, its name and its main argument;
//   - a tool result is kept if it is an error or under 500 characters;
//   - all else is dropped: side chains (unless asked for), command wrappers, heartbeats,
//     compaction summaries, thinking, runs of base64, and lines and blocks of other types,
//     of which each version of an agent has new ones.
//
// What the formats have in common is little, so each has a file of its own
// that turns one line into messages. These of their habits shape this package:
//
//   - Claude Code writes the blocks of one assistant message over several lines
//     that share message.id, and sometimes writes a block again when it has
//     grown. A text that begins with an earlier text of the same message takes
//     its place; any other is a further block.
//   - Codex writes what was said twice, as response_item and as event_msg. Each
//     pair counts once, and one without its twin counts too.
//   - A forked Codex session begins with a copy of its parent, stamped with the
//     time of the fork. The copy is left out: its words stand in the parent's
//     file with their true times. A fork of Claude Code keeps times and ids; its
//     copies are passed on as messages of the parent.
//   - Codex writes the summary of a compaction as an answer, and only a later line
//     says what it was.
//   - Gemini CLI writes a message again for each of its tool calls, and the whole
//     history when a session goes on.
//
// Memory is bounded whatever the input: a line over MaxLine bytes is skipped and
// named in Problems.
package transcript
