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
// kept, in the order of the file. It skips lines that cannot be read and reports
// them as problems of the result.
//
// It stops at an error of in or each and returns it; the result describes what was read.
// Copies of a message are passed on too: they have the same Key.
func Read(in io.Reader, o Options, each func(Message) error) (Result, error) {
	r := &reader{opts: o, each: each, program: isObserver(o.File)}
	if isDocument(o.File) {
		err := r.readDocument(in)
		return r.result, err
	}
	err := r.readLines(newLineReader(in))
	return r.result, err
}

// Tail reads a file of size bytes from an offset that an earlier call returned; 0 is the
// beginning. If limit is not 0, it reads only the last limit bytes. It returns the offset
// after the last complete line, for the next call. A file that is shorter than from was
// rewritten and is read from its beginning. The messages have no valid line numbers.
func Tail(file io.ReaderAt, size, from, limit int64, o Options, each func(Message) error) (int64, error) {
	if isDocument(o.File) {
		res, err := Read(io.NewSectionReader(file, 0, size), o, each)
		return res.Bytes, err
	}
	if from > size {
		from = 0
	}
	start := from
	if limit > 0 {
		start = max(from, size-limit)
	}
	r := &reader{opts: o, each: func(Message) error { return nil }, program: isObserver(o.File), tail: true}
	if start > 0 {
		first, err := newLineReader(io.NewSectionReader(file, 0, size)).next()
		if err != nil {
			return from, err
		}
		r.readLine(first) // it describes the session
		r.flush()
		start-- // back to a possible line end, so that only an incomplete line is skipped
	}
	lines := newLineReader(io.NewSectionReader(file, start, size-start))
	if start > 0 {
		skipped, err := lines.next()
		if err != nil || !skipped.complete {
			return from, err
		}
		start += skipped.size
	}
	r.each, r.stream, r.twoForms, r.prompts, r.result = each, stream{}, nil, nil, Result{Bytes: start}
	if err := r.readLines(lines); err != nil {
		return from, err
	}
	return r.result.Bytes, nil
}

// reader turns lines into messages.
type reader struct {
	opts   Options
	each   func(Message) error
	err    error // of each
	tail   bool  // leave a last line without line end for the next read
	result Result

	format                      Format
	session, folder, repository string

	started, last time.Time // of the session's header, and of the previous line
	side          bool      // the whole session is a side chain
	throughSDK    bool      // a program started it, not a person or a command
	typed         bool      // a person typed the prompt of the line
	program       bool      // a program ran it: it is left out
	forked        time.Time // when the session was forked; zero after its copy of the parent
	stream        stream
	twoForms      []twoForm // the latest ones

	prompts       []Message         // of the person, that were not taken back, without texts
	promptsBefore map[string]int    // of Gemini CLI: how many were before a message, by its id
	tree          map[uint64]record // of Claude Code, by hashes of ids
	forms         map[string]string // questions to the person, by the id of the call

	line   position
	object object    // the current line; its memory is reused for the next one
	held   []Message // blocks of a streamed message, and messages between them
	size   int       // bytes of text in held
}

// position is the place and the time of the current line.
type position struct {
	end     int64
	at      time.Time
	undated bool
}

func (r *reader) readLines(lines *lineReader) error {
	for r.err == nil {
		raw, err := lines.next()
		if errors.Is(err, io.EOF) {
			r.flush()
			break
		}
		if err != nil {
			return fmt.Errorf("read transcript %s after line %d: %w", r.opts.File, r.result.Lines, err)
		}
		r.readLine(raw)
	}
	return r.err
}

// readLine reads one line, unless it is incomplete.
func (r *reader) readLine(raw rawLine) {
	text := raw.text
	if r.result.Bytes == 0 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	readable := !raw.tooLong && valid(text)
	if !raw.complete && (r.tail || !readable) {
		r.result.UnfinishedLine = r.result.Lines + 1
		return
	}
	r.line = position{end: r.result.Bytes + raw.size}
	r.result.Lines++
	r.result.Bytes = r.line.end
	text = bytes.TrimSpace(text)
	switch {
	case raw.tooLong:
		r.problem("this line has %d bytes, more than %d; it was left out", raw.size, MaxLine)
	case len(text) == 0:
	case !readable:
		r.problem("this line is not JSON; it was left out")
	case text[0] != '{':
		r.problem("this line is not a JSON object; it was left out")
	default:
		r.object = r.object[:0].with(gjson.ParseBytes(text))
		r.readObject(r.object)
	}
}

func (r *reader) readObject(line object) {
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
	default:
		r.unknown(true)
	}
}

// unknown counts a line whose type is not known.
func (r *reader) unknown(is bool) {
	if is {
		r.result.Unknown++
	}
}

func (r *reader) problem(format string, args ...any) {
	if len(r.result.Problems) >= MaxProblems {
		r.result.MoreProblems++
		return
	}
	r.result.Problems = append(r.result.Problems, Problem{r.result.Lines, fmt.Sprintf(format, args...)})
}

// message returns a message of the current line.
func (r *reader) message(role Role, kind Kind, id, text string) Message {
	if r.session == "" { // the file names none
		base := filepath.Base(r.opts.File)
		r.session, _, _ = strings.Cut(strings.TrimSuffix(base, filepath.Ext(base)), ".jsonl") // ID.jsonl.reset.TIME
	}
	return Message{
		Session: r.session, Folder: cmp.Or(r.folder, r.opts.Folder), Repository: r.repository, ID: id, Role: role, Kind: kind, At: r.line.at, Undated: r.line.undated, Text: text,
		Format: r.format, Line: r.result.Lines, End: r.line.end,
	}
}

// setSession sets the session of the following lines.
func (r *reader) setSession(session string) {
	if session != r.session {
		r.session, r.folder = session, ""
	}
}

// setFolder sets the working directory of the session, unless an earlier header did.
func (r *reader) setFolder(header object) {
	if r.folder == "" {
		r.folder = header.str("cwd")
		r.program = r.program || isObserver(r.folder)
	}
}

// formatOf returns the format of a line, "" if it is not clear.
func formatOf(line object) Format {
	typ, message := line.str("type"), line.get("message")
	has := func(name string) bool { return line.get(name).Exists() }
	codexTypes := []string{"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
	switch {
	case has("sessionId") && has("projectHash"):
		return Gemini
	case has("payload") && slices.Contains(codexTypes, typ), has("record_type"), (has("instructions") || has("git")) && has("timestamp") && typ == "",
		typ == "message" && has("role"):
		return Codex
	case typ == "session" && has("id"), typ == "message" && message.IsObject():
		return OpenClaw
	case has("sessionId"), has("uuid"), has("parentUuid"), has("leafUuid"), typ == "file-history-snapshot",
		message.IsObject() && (typ == "user" || typ == "assistant" || typ == "system"):
		return ClaudeCode
	}
	return ""
}
