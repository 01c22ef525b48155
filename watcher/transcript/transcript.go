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

import (
	"strconv"
	"time"

	"github.com/zeebo/xxh3"
)

// Format is the program that wrote a file.
type Format string

// The four formats.
const (
	ClaudeCode Format = "claude-code"
	OpenClaw   Format = "openclaw"
	Codex      Format = "codex"
	Gemini     Format = "gemini"
)

// Role is the kind of sender of a message.
type Role string

// The three roles. Tool is the role of both tool calls and tool results.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Kind is the kind of a message.
type Kind string

// The five kinds of message.
const (
	Said Kind = "said" // words of the person or the assistant
	// Answer is what the person answered in a question form of the agent, the question on
	// the first line, or what they said when they refused a tool call or a plan.
	Answer  Kind = "answer"
	Call    Kind = "call"    // a tool call in one line of at most MaxCall characters
	Output  Kind = "output"  // a tool result under MaxOutput characters
	Failure Kind = "failure" // a tool result that is an error, of any length up to MaxFailure characters
)

// Limits of what is kept, in characters, and of one line, in bytes.
const (
	MaxCall    = 200
	MaxOutput  = 500
	MaxFailure = 4000
	MaxLine    = 16 << 20
)

// Message is one thing that was said or done in a session.
type Message struct {
	Session string
	Folder  string // working directory in which the session began, "" if it is not known
	// Repository is the address of the git repository of the folder, "" if the format
	// does not record it.
	Repository string
	Format     Format
	// ID is the same for every copy of a message, in forks and resumed sessions
	// too; "" if the format gives none. A tool result has the ID of its call.
	// Message.Key identifies copies; ID alone does not.
	ID   string
	Role Role
	Kind Kind
	At   time.Time // UTC, to the millisecond
	// Undated reports whether the line had no usable timestamp. At is then the time of
	// the previous line, of the session's header or Options.FileTime, in this order.
	Undated bool
	Text    string // valid UTF-8, without control characters except LF and tab
	// TakenBack says that the person took back a message that was passed on before, which has
	// the same Key. Such a message has no text.
	TakenBack bool
	Line      int   // counted from 1; in a document, the header is 1
	End       int64 // offset of the byte after the line

	key xxh3.Uint128 // of a message that was taken back
}

// Options describe the file and what to read from it.
type Options struct {
	// File names the file in errors; its base name without extension is the
	// session of messages that name none.
	File string
	// Folder is the working directory of sessions that name none.
	Folder string
	// FileTime dates messages of files without any timestamp.
	FileTime time.Time
	// Now is the present. Timestamps more than a day later are reported and not used.
	// If it is zero, all timestamps are used.
	Now time.Time
}

// Result describes one read.
type Result struct {
	Lines int   // number of lines that were read
	Bytes int64 // offset after the last of them
	// Problems are about the first MaxProblems lines that could not be read in full;
	// MoreProblems counts the others.
	Problems     []Problem
	MoreProblems int
	Unknown      int // lines of types that are not known, which were passed over
	// UnfinishedLine is the number of the last line if it is incomplete, as in a file
	// that is being written; otherwise 0.
	UnfinishedLine int
}

// MaxProblems bounds Result.Problems.
const MaxProblems = 50

// Problem is a line that a person may want to look at.
type Problem struct {
	Line    int
	Message string
}

// shortID is the length below which an id is unique only within its session.
const shortID = 16

// Key is the same for all copies of a message. It consists of the role, the kind and
//   - the id, with the timestamp if the id is short or that of a tool call;
//   - without an id: the session, the timestamp and the text. If there is no timestamp, the
//     line number is used, so that two equal short answers have different keys.
func (m Message) Key() xxh3.Uint128 {
	stamp := strconv.FormatInt(m.At.UnixMilli(), 36)
	kind := string(m.Role) + "\x00" + string(m.Kind)
	switch {
	case m.TakenBack:
		return m.key
	case len(m.ID) >= shortID && m.Role != Tool:
		return xxh3.HashString128("id\x00" + m.ID + "\x00" + kind)
	case m.ID != "":
		if m.Undated {
			stamp = m.Session
		}
		return xxh3.HashString128("short\x00" + m.ID + "\x00" + stamp + "\x00" + kind)
	case m.Undated:
		stamp = "line " + strconv.Itoa(m.Line)
	}
	text := strconv.FormatUint(xxh3.HashString(m.Text), 36)
	return xxh3.HashString128("text\x00" + m.Session + "\x00" + stamp + "\x00" + kind + "\x00" + text)
}
