package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Read reads a transcript to its end and calls each with every message that is
// kept, in the order of the file. A line that cannot be read is counted and
// named in the result, and the rest is read.
//
// The error is that of in or each, which ends the reading; the result says how far it came.
// Copies of a message are passed on, too: they have the same Key.
func Read(in io.Reader, o Options, each func(Message) error) (Result, error) {
	r := &reader{opts: o, each: each}
	err := r.lines(newLineReader(in))
	return r.result, err
}

// Tail reads what the first size bytes of a file have beyond an offset that an earlier call
// returned, 0 for the beginning, but at most the last most of them if most is not 0. It
// returns the offset after the last whole line, for the next call. A file that is shorter
// than that was rewritten and is read from its beginning. The lines of the messages are not
// known.
func Tail(file io.ReaderAt, size, from, most int64, o Options, each func(Message) error) (int64, error) {
	if from > size {
		from = 0
	}
	start := from
	if most > 0 {
		start = max(from, size-most)
	}
	r := &reader{opts: o, each: func(Message) error { return nil }, tail: true}
	if start > 0 {
		first, err := newLineReader(io.NewSectionReader(file, 0, size)).next()
		if err != nil {
			return from, err
		}
		r.take(first) // for what it says of the session
		r.flush()
		start-- // the line end before it: a line in which the part begins is left out
	}
	lines := newLineReader(io.NewSectionReader(file, start, size-start))
	if start > 0 {
		rest, err := lines.next()
		if err != nil || !rest.whole {
			return from, err
		}
		start += rest.size
	}
	r.each, r.stream, r.twoForms, r.result = each, stream{}, nil, Result{Bytes: start}
	if err := r.lines(lines); err != nil {
		return from, err
	}
	return r.result.Bytes, nil
}

// reader turns lines into messages.
type reader struct {
	opts   Options
	each   func(Message) error
	err    error // of each
	tail   bool  // a last line without line end is left for the next read
	result Result

	format                      Format
	session, folder, repository string

	started, last time.Time // of the session's header, and of the line before
	side          bool      // the whole session is a side chain
	forked        time.Time // when the session was forked, while its copy of the parent lasts
	stream        stream
	twoForms      []twoForm // the latest ones

	line  span
	whole object    // the line at hand, whose memory serves for all
	held  []Message // blocks of a streamed message, and what came in between
	size  int       // bytes of text in held
}

// span is the place and the time of the line at hand.
type span struct {
	end     int64
	at      time.Time
	undated bool
}

func (r *reader) lines(lines *lineReader) error {
	for r.err == nil {
		raw, err := lines.next()
		if errors.Is(err, io.EOF) {
			r.flush()
			break
		}
		if err != nil {
			return fmt.Errorf("read transcript %s after line %d: %w", r.opts.File, r.result.Lines, err)
		}
		r.take(raw)
	}
	return r.err
}

// take reads one line, unless it is cut.
func (r *reader) take(raw rawLine) {
	text := raw.text
	if r.result.Bytes == 0 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	readable := !raw.over && valid(text)
	if !raw.whole && (r.tail || !readable) {
		r.result.Unfinished = r.result.Lines + 1
		return
	}
	r.line = span{end: r.result.Bytes + raw.size}
	r.result.Lines++
	r.result.Bytes = r.line.end
	text = bytes.TrimSpace(text)
	switch {
	case raw.over:
		r.problem("this line has %d bytes, more than %d; it was left out", raw.size, MaxLine)
	case len(text) == 0:
	case !readable:
		r.problem("this line is not JSON; it was left out")
	case text[0] != '{':
		r.problem("this line is not a JSON object; it was left out")
	default:
		r.whole = r.whole[:0].with(gjson.ParseBytes(text))
		r.object(r.whole)
	}
}

func (r *reader) object(line object) {
	if r.format == "" {
		r.format = formatOf(line)
	}
	switch r.format {
	case ClaudeCode:
		r.claude(line)
	case OpenClaw:
		r.openclaw(line)
	case Codex:
		r.codex(line)
	case Gemini:
		r.gemini(line)
	}
}

func (r *reader) problem(format string, args ...any) {
	if len(r.result.Problems) >= MaxProblems {
		r.result.More++
		return
	}
	r.result.Problems = append(r.result.Problems, Problem{r.result.Lines, fmt.Sprintf(format, args...)})
}

// message returns a message of the line at hand.
func (r *reader) message(role Role, kind Kind, id, text string) Message {
	if r.session == "" { // the file names none
		base := filepath.Base(r.opts.File)
		r.session = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return Message{
		Session: r.session, Folder: cmp.Or(r.folder, r.opts.Folder), Repository: r.repository, ID: id, Role: role, Kind: kind, At: r.line.at, Undated: r.line.undated, Text: text,
		Format: r.format, Line: r.result.Lines, End: r.line.end,
	}
}

// inSession notes the session of the lines that follow.
func (r *reader) inSession(session string) {
	if session != r.session {
		r.session, r.folder = session, ""
	}
}

// inFolder notes the working directory of the session, the first one that it names.
func (r *reader) inFolder(header object) {
	if r.folder == "" {
		r.folder = header.str("cwd")
	}
}

// formatOf returns the format of a line, "" if the line fits several.
func formatOf(line object) Format {
	typ, message := line.str("type"), line.get("message")
	has := func(name string) bool { return line.get(name).Exists() }
	codexTypes := []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	switch {
	case has("sessionId") && has("projectHash"):
		return Gemini
	case has("payload") && slices.Contains(codexTypes, typ):
		return Codex
	case typ == "session" && has("id"), typ == "message" && message.IsObject():
		return OpenClaw
	case has("sessionId"), has("uuid"), has("parentUuid"), has("leafUuid"), typ == "file-history-snapshot",
		message.IsObject() && (typ == "user" || typ == "assistant" || typ == "system"):
		return ClaudeCode
	}
	return ""
}
