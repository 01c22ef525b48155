// Package transcript reads the session files that agents keep on disk: Claude
// Code (~/.claude/projects), OpenClaw (~/.openclaw/agents), Codex
// (~/.codex/sessions) and Gemini CLI (~/.gemini/tmp). It turns their text into
// messages with line and offset. It keeps no state and opens no file.
//
// All four append JSON, one object a line. The package keeps
//
//   - everything that the person and the assistant said, however short;
//   - a tool call, as one line with its name and its main argument;
//   - a tool result that is an error or has under 500 characters.
//
// It drops everything else: side chains (unless asked for), command wrappers, heartbeats,
// compaction summaries, thinking, runs of base64, and lines and blocks of other types.
//
// Each format has a file that turns one line into messages. Properties of the formats:
//
//   - Claude Code writes the blocks of one assistant message over several lines
//     that share message.id, and sometimes writes a block again when it has
//     grown. A text that begins with an earlier text of the same message replaces
//     that text; any other is a further block.
//   - Codex writes every message twice, as response_item and as event_msg. Each
//     pair counts once, and a message without its twin counts too.
//   - A forked Codex session begins with a copy of its parent with the time of the
//     fork, which is left out. A fork of Claude Code keeps times and ids; its copies
//     are passed on as messages of the parent.
//   - Codex writes the summary of a compaction as an answer. Only a later line
//     shows that it was a summary.
//   - Gemini CLI writes a message again for each of its tool calls, and the whole
//     history when a session goes on.
//
// Memory is bounded whatever the input: a line over MaxLine bytes is skipped and
// named in Problems.
package transcript
