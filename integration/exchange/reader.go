package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// reader reads one file.
type reader struct {
	ctx    context.Context
	base   lifecycle.Base
	now    time.Time
	o      Options
	file   file
	source string // the whole text
	texts  repeats
	copied func(time.Time) bool // see [watcher.Copied]
	report *Report              // of the whole import

	take  func(context.Context, item) error // stores what was read
	count int                               // items that were read
	err   error                             // of the store; nothing more is read
	// named are relations of the knowledge graph with a name that is not in the file.
	named    []brain.EntityRelation
	rejected []string // lines that cannot be imported, to be saved elsewhere
	refused  *Problem // that keeps the whole file out
}

func (r *reader) problem(line int, format string, args ...any) {
	r.report.Problems = append(r.report.Problems, Problem{File: r.file.rel, Line: line, Message: fmt.Sprintf(format, args...)})
}

// refuse adds the problem that excludes the whole file.
func (r *reader) refuse(line int, format string, args ...any) {
	r.problem(line, format, args...)
	refused := r.report.Problems[len(r.report.Problems)-1]
	r.refused = &refused
}

func (r *reader) leaveOut(line int, reason string) {
	r.report.LeftOut = append(r.report.LeftOut, Problem{File: r.file.rel, Line: line, Message: reason})
}

// clean takes the secrets out of a text and counts them.
func (r *reader) clean(text string) string {
	clean, secrets := redact.Text(text)
	r.report.Redacted += secrets
	return clean
}

// maxExport bounds the file of an export, which is in memory while it is imported.
const maxExport = 256 << 20

// readText reads the text of the file, or refuses it and returns false.
func (r *reader) readText(c content) bool {
	var data []byte
	limit, hint := r.o.MaxFile, "Split it, or set notes.max_file"
	if c != text {
		limit, hint = maxExport, "Split it"
	}
	f, err := os.Open(r.file.path)
	if err == nil {
		defer f.Close() //nolint:errcheck // it was only read
		data, err = io.ReadAll(io.LimitReader(f, limit+1))
	}
	switch {
	case err != nil:
		r.refuse(0, "cannot be read: %v", durable.Cause(err))
		return false
	case int64(len(data)) > limit:
		r.refuse(0, "has %d bytes, more than the limit of %d; skipped. %s", max(r.file.size, int64(len(data))), limit, hint)
		return false
	}
	r.source = string(data)
	if r.o.Repair {
		text, repaired := plaintext.Repair(r.source)
		r.source = text
		r.report.Repaired += repaired
	}
	if line, reason := plaintext.NotText([]byte(r.source)); reason != "" && c != lines {
		r.refuse(line, "%s; skipped. Convert it to UTF-8, or import it with --repair", reason)
		return false
	}
	r.source = strings.TrimPrefix(r.source, "\uFEFF")
	r.report.Files++
	r.report.Bytes += int64(len(data))
	return true
}

// progress reports how much of the file was imported.
func (r *reader) progress(done, total int) {
	if r.o.Progress != nil && (done%batchItems == 0 || done == total) {
		r.o.Progress("records", done, total)
	}
}

// isObject reports whether the file is a JSON object, and refuses another one.
func (r *reader) isObject(what string) bool {
	var syntax *config.SyntaxError
	_, err := config.ParseJSON([]byte(r.source))
	switch {
	case errors.As(err, &syntax):
		r.refuse(syntax.Line, "is not %s: %s", what, syntax.Text)
	case !gjson.Parse(r.source).IsObject():
		r.refuse(0, "is not %s: it is not a JSON object", what)
	default:
		return true
	}
	return false
}

func (r *reader) lineAt(offset int) int { return 1 + strings.Count(r.source[:offset], "\n") }

// entry is one text as a format reads it from a file.
type entry struct {
	line       int
	name       string // "": the first line of the text
	text       string // as the person wrote it
	context    string // headings above it, appended to the text in brackets
	kind       string
	importance string // "": by its words
	tags       []string
	project    string    // "": that of the import
	day        string    // as written, "" for none
	created    time.Time // zero: the file's
	key        string    // identity, a hash; "": by text, context and date
	bodyHash   string    // "": the identity is by the text
	bullet     bool
	names      []brain.NamedRelation
	origin     string
	retention  string
	undated    bool
	source     *brain.Source     // of a note; nil: made from the other fields
	extra      map[string]string // fields that a memory has no place for
}

// add adds the memory and the source of an entry to the contents of the file.
func (r *reader) add(e entry) {
	if strings.TrimSpace(e.text) == "" {
		return
	}
	if len(e.text)+len(e.context) > brain.MaxContent-8 {
		r.problem(e.line, "this text has %d bytes, more than the limit of %d for a memory; left out. Split it", len(e.text), brain.MaxContent)
		return
	}
	e.text, e.name = r.clean(e.text), r.clean(e.name)
	if e.key == "" {
		e.key = brain.Hash("import", words.Key(e.text), words.Key(e.context), e.day)
	}
	if e.created.IsZero() {
		e.created, e.undated = r.file.modified, r.copied(r.file.modified)
	}
	first, _, _ := strings.Cut(e.text, "\n")
	m := brain.Memory{
		ID: r.base.NewID(), Name: e.name, Content: e.text, MemoryType: e.kind, Tags: brain.CleanTags(slices.Concat(r.o.Tags, e.tags)),
		Project: cmp.Or(r.o.Project, e.project), Created: brain.Instant(e.created),
		Importance: brain.Importance(cmp.Or(e.importance, dailynote.ImportanceOf(e.name, e.text))),
		Origin:     e.origin, Retention: e.retention, Group: ingest.ImportDir + "/" + r.file.rel, Position: r.count,
	}
	if e.context != "" {
		m.Content += "\n\n(" + e.context + ")"
	}
	if e.undated {
		e.extra = brain.WithUndated(e.extra)
	}
	if len(e.extra) > 0 {
		m.Extra, _ = json.Marshal(e.extra) // strings always encode
	}
	s := brain.Source{Type: e.kind, Date: e.day, Title: cmp.Or(e.name, first), Body: e.text, Importance: m.Importance, Line: e.line}
	if e.source != nil {
		s = *e.source
		r.base.Redaction().Source(&s) // the secrets of the text were counted
	}
	s.ID, s.Kind, s.Created, s.Project, s.Tags = r.base.NewID(), cmp.Or(s.Kind, brain.Outcome), m.Created, m.Project, m.Tags
	s.File, s.Dir, s.Key, s.BodyHash = filepath.ToSlash(r.file.path), ingest.ImportDir, e.key, cmp.Or(e.bodyHash, e.key)
	s.Due = brain.Instant(s.Due)
	r.push(ingest.ImportItem{Memory: m, Source: &s, Text: e.text, Bullet: e.bullet, Names: e.names}, e.line)
}

func (r *reader) push(i ingest.ImportItem, line int) {
	if r.err == nil {
		r.count++
		r.err = r.take(r.ctx, item{i, r.file.rel, line})
	}
}
