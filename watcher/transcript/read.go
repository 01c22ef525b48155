package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Read reads a transcript to its end and calls each with every message that is
// kept, in the order of the file. A line that cannot be read is counted and
// named in the result, and the rest is read.
//
// The error is that of r, or that of each, which ends the reading at once and
// is returned as it is. The result then says how far the reading came; it is
// no place to go on from.
//
// Copies of a message in other files, and in other places of this one, are not
// looked for: a Deduper does that.
func Read(r io.Reader, o Options, each func(Message) error) (Result, error) {
	return read(r, o, nil, each)
}

func read(in io.Reader, o Options, hash *xxh3.Hasher, each func(Message) error) (Result, error) {
	r := &reader{opts: o, state: o.State, each: each}
	if r.state.Format == "" {
		r.state.Format = o.Format
	}
	err := r.lines(newLineReader(in, hash))
	r.result.Bytes = r.state.Offset - o.State.Offset
	r.result.State = r.state
	return r.result, err
}

// reader turns lines into messages.
type reader struct {
	opts   Options
	each   func(Message) error
	err    error // of each
	state  State
	result Result
	line   span
	held   []Message // blocks of a streamed message, and what came in between
	size   int       // bytes of text in held
}

// span is the place and the time of the line at hand.
type span struct {
	number      int
	offset, end int64
	at          time.Time
	undated     bool
}

func (r *reader) lines(lines *lineReader) error {
	for r.err == nil {
		raw, err := lines.next()
		if errors.Is(err, io.EOF) {
			r.flush()
			break
		}
		if err != nil {
			return fmt.Errorf("read transcript %s after line %d: %w", r.opts.File, r.state.Line, err)
		}
		r.take(lines, raw)
	}
	return r.err
}

// take reads one line and moves the state behind it, unless it is cut.
func (r *reader) take(lines *lineReader, raw rawLine) {
	text := raw.text
	if r.state.Offset == 0 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	r.line = span{number: r.state.Line + 1, offset: r.state.Offset, end: r.state.Offset + raw.size}
	if r.state.Open {
		r.line.number-- // the rest of a line that was taken without its end
	}
	readable := !raw.over && valid(text)
	if !raw.whole {
		if !readable {
			r.result.Unfinished = r.line.number
			return
		}
		lines.accept()
	}
	r.state.Line, r.state.Offset, r.state.Open = r.line.number, r.line.end, !raw.whole
	text = text[blank(text, 0):]
	switch {
	case raw.over:
		r.problem("this line has %d bytes, more than %d without base64; it was left out", raw.size, MaxLine)
	case len(text) == 0:
	case !readable:
		r.problem("this line is not JSON; it was left out")
	case !isObject(text):
		r.problem("this line is not a JSON object; it was left out")
	default:
		r.object(text)
	}
}

// object hands one line to the reader of its format.
func (r *reader) object(line []byte) {
	if r.state.Format == "" {
		r.state.Format = formatOf(line)
	}
	switch r.state.Format {
	case ClaudeCode:
		r.claude(line)
	case OpenClaw:
		r.openclaw(line)
	case Codex:
		r.codex(line)
	default:
		r.unknown("line", "type", str(member(line, "type")))
	}
}

func (r *reader) problem(format string, args ...any) {
	if len(r.result.Problems) >= MaxProblems {
		r.result.More++
		return
	}
	r.result.Problems = append(r.result.Problems, Problem{r.line.number, fmt.Sprintf(format, args...)})
}

// unknown counts a line or block of an unknown type or role.
func (r *reader) unknown(noun, what, name string) {
	name = plaintext.Shorten(plaintext.OneLine(name), 60)
	if name == "" {
		name = "(none)"
	}
	if r.result.Unknown == nil {
		r.result.Unknown = map[string]Unknown{}
	}
	AddUnknown(r.result.Unknown, fmt.Sprintf("%s of the unknown %s %q", noun, what, name), Unknown{1, r.line.number})
}

// AddUnknown adds lines to those that are counted under their name, or under
// that of all others if there are MaxUnknown names.
func AddUnknown(all map[string]Unknown, name string, u Unknown) {
	held, ok := all[name]
	if !ok && len(all) >= MaxUnknown {
		name = otherUnknown
		held, ok = all[name]
	}
	if ok {
		u.Line = min(u.Line, held.Line)
	}
	u.Count += held.Count
	all[name] = u
}

// message returns a message of the line at hand.
func (r *reader) message(role Role, kind Kind, id, text string) Message {
	return Message{
		Session: r.session(), Folder: r.state.Folder, ID: id, Role: role, Kind: kind, At: r.line.at, Undated: r.line.undated, Text: text,
		Format: r.state.Format, Line: r.line.number, Offset: r.line.offset, End: r.line.end,
	}
}

// inSession notes the session of the lines that follow.
func (r *reader) inSession(session string) {
	if session != r.state.Session {
		r.state.Session, r.state.Folder = session, ""
	}
}

// folder notes the working directory of the session, the first one that it names.
func (r *reader) folder(cwd []byte) {
	if r.state.Folder == "" && isString(cwd) {
		r.state.Folder = str(cwd)
	}
}

func (r *reader) session() string {
	if r.state.Session == "" {
		base := filepath.Base(r.opts.File)
		r.state.Session = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return r.state.Session
}

// clean makes text of what a program wrote: valid UTF-8, LF at line ends, no
// control characters, no blanks around it.
func clean(text string) string {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	for i := range len(text) {
		if text[i] < ' ' && text[i] != '\n' && text[i] != '\t' {
			return strings.TrimSpace(withoutControls(text))
		}
	}
	return text
}

func withoutControls(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\r':
			return '\n'
		case c < ' ' && c != '\n' && c != '\t':
			return -1
		}
		return c
	}, text)
}
