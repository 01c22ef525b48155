package exchange

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// importDir takes the place of the notes directory in the sources of imported
// memories, whose files have absolute paths.
const importDir = "import"

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
	day, clock string    // date and time as written, if there are any
	created    time.Time // zero: the file's
	key        string    // identity, a hash; "": by text, context and date
	bodyHash   string    // "": the identity is by the text
	bullet     bool
	names      []brain.NamedRelation
	origin     string
	group      string // in the file; "": the file
	speaker    string
	retention  string
	extra      map[string]string // fields that a memory has no place for
}

// add adds the memory and the source of an entry to the contents of the file.
func (r *reader) add(e entry) {
	if strings.TrimSpace(e.text) == "" {
		return
	}
	if len(e.text)+len(e.context) > brain.MaxContent-8 {
		r.problem(e.line, "this text has %d bytes, more than the %d that a memory holds; left out. Split it", len(e.text), brain.MaxContent)
		return
	}
	e.text, e.name = r.clean(e.text), r.clean(e.name)
	if e.key == "" {
		e.key = brain.Hash("import", words.Key(e.text), words.Key(e.context), e.day)
	}
	if e.created.IsZero() {
		e.created = r.file.modified
	}
	first, _, _ := strings.Cut(e.text, "\n")
	m := brain.Memory{
		ID: r.base.NewID(), Name: e.name, Content: e.text, MemoryType: e.kind, Tags: brain.CleanTags(slices.Concat(r.o.Tags, e.tags)),
		Project: cmp.Or(r.o.Project, e.project), Created: brain.Instant(e.created),
		Importance: brain.Importance(cmp.Or(e.importance, dailynote.ImportanceOf(e.name, e.text))),
		Origin:     e.origin, Retention: e.retention, Group: importDir + "/" + r.file.rel, Position: len(r.items),
	}
	m.Speaker = r.clean(e.speaker)
	if e.group != "" {
		m.Group += "/" + e.group
	}
	if e.context != "" {
		m.Content += "\n\n(" + e.context + ")"
	}
	if len(e.extra) > 0 {
		if raw, err := json.Marshal(e.extra); err == nil { // strings always encode
			m.Extra = raw
		}
	}
	s := &brain.Source{
		ID: r.base.NewID(), Kind: brain.Outcome, Created: m.Created, Project: m.Project, Tags: m.Tags,
		Type: e.kind, Date: e.day, Time: e.clock, Title: cmp.Or(e.name, first), Importance: m.Importance, Body: e.text,
		File: filepath.ToSlash(r.file.path), Line: e.line, BodyHash: cmp.Or(e.bodyHash, e.key), Key: e.key, Dir: importDir,
	}
	r.push(ingest.ImportItem{Memory: m, Source: s, Text: e.text, Bullet: e.bullet, Names: e.names}, e.line)
}

// push adds a memory to the contents of the file.
func (r *reader) push(i ingest.ImportItem, line int) {
	r.items = append(r.items, item{i, r.file.rel, line})
}
