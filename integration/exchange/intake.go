package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// importDir takes the place of the notes directory in the sources of imported
// memories, whose files have absolute paths.
const importDir = "import"

// Bounds of one transaction.
const (
	batchItems = 200
	batchBytes = 2 << 20 // of text
)

// entry is one memory as a format reads it from a file.
type entry struct {
	line       int
	name       string // "": the first line of the text
	text       string // as the person wrote it
	context    string // headings above it, appended to the text in brackets
	kind       string
	importance string // "": by its words
	tags       []string
	day, clock string    // date and time as written, if there are any
	created    time.Time // zero: the file's
	key        string    // identity, a hash; "": by text, context and date
	bodyHash   string    // "": the identity is by the text
	bullet     bool
	names      []brain.NamedRelation
	origin     string
	retention  string
	extra      map[string]string // fields that a memory has no place for
}

// intake turns entries into memories and imports them in batches.
type intake struct {
	b      *services.Services
	o      Options
	report *Report
	run    brain.Run
	// refused is the problem that kept the last file out as a whole.
	refused *Problem

	items   []pending
	tallied int               // secrets that were reported to the brain
	seen    map[string]string // identities of this import, with the hash of their text
	mine    map[string]bool   // memories of this import
	// waiting has relations of which an end does not exist yet, by both ends.
	waiting map[string][]dangling
	// named has relations of the knowledge graph with a name that is not in the
	// files.
	named []brain.EntityRelation
	alias map[string]string // ids of an export that are others in the brain
}

// pending is one memory of the next batch.
type pending struct {
	ingest.ImportItem
	file string
	line int
}

type dangling struct {
	brain.Relation
	file string
}

func newIntake(b *services.Services, o Options, report *Report) *intake {
	return &intake{
		b: b, o: o, report: report, seen: map[string]string{}, mine: map[string]bool{},
		waiting: map[string][]dangling{}, alias: map[string]string{},
		run: brain.Run{ID: b.Base.NewID(), Kind: ingest.RunImport, Started: b.Base.Now()},
	}
}

// clean takes the secrets out of a text and counts them.
func (in *intake) clean(text string) string {
	clean, secrets := redact.Text(text)
	in.report.Redacted += secrets
	return clean
}

// add imports an entry, unless it is a duplicate.
func (r *reader) add(e entry) {
	in := r.in
	if strings.TrimSpace(e.text) == "" {
		return
	}
	if len(e.text)+len(e.context) > brain.MaxContent-8 {
		r.problem(e.line, "this text has %d bytes, more than the %d that a memory holds; left out. Split it", len(e.text), brain.MaxContent)
		return
	}
	e.text, e.name = in.clean(e.text), in.clean(e.name)
	if e.key == "" {
		e.key = brain.Hash("import", words.Key(e.text), words.Key(e.context), e.day)
	}
	if e.bodyHash == "" {
		e.bodyHash = e.key // the identity is by the whole text
	}
	if in.again(&e) {
		in.report.Duplicates++
		return
	}
	r.push(e)
}

// again reports whether the import has this identity and text already. Another
// text under the same identity gets an identity of its own.
func (in *intake) again(e *entry) bool {
	hash, seen := in.seen[e.key]
	if seen && hash != e.bodyHash {
		e.key = brain.Hash(e.key, e.bodyHash)
		_, seen = in.seen[e.key]
	}
	in.seen[e.key] = e.bodyHash
	return seen
}

// push queues the memory and the source of an entry.
func (r *reader) push(e entry) {
	in := r.in
	if e.created.IsZero() {
		e.created = r.file.modified
	}
	if e.importance == "" {
		e.importance = dailynote.ImportanceOf(e.name, e.text)
	}
	created := brain.Instant(e.created)
	tags := brain.CleanTags(append(append([]string{}, in.o.Tags...), e.tags...))
	m := brain.Memory{
		ID: in.b.Base.NewID(), Name: e.name, Content: e.text, MemoryType: e.kind, Tags: tags,
		Project: in.o.Project, Created: created, Importance: brain.Importance(e.importance),
		Origin: e.origin, Retention: e.retention, Group: importDir + "/" + r.file.rel, Position: len(in.items),
	}
	if e.context != "" {
		m.Content += "\n\n(" + e.context + ")"
	}
	if len(e.extra) > 0 {
		if raw, err := json.Marshal(e.extra); err == nil { // strings always encode
			m.Extra = raw
		}
	}
	title := e.name
	if title == "" {
		title, _, _ = strings.Cut(e.text, "\n")
	}
	s := &brain.Source{
		ID: in.b.Base.NewID(), Kind: brain.Outcome, Created: created, Project: in.o.Project, Tags: tags,
		Type: e.kind, Date: e.day, Time: e.clock, Title: title, Importance: m.Importance, Body: e.text,
		File: filepath.ToSlash(r.file.path), Line: e.line, BodyHash: e.bodyHash, Key: e.key, Dir: importDir,
	}
	item := ingest.ImportItem{Memory: m, Source: s, Text: e.text, Bullet: e.bullet, Names: e.names}
	in.items = append(in.items, pending{item, r.file.rel, e.line})
}

// flush imports the queued memories: all of them, or only whole batches.
func (in *intake) flush(ctx context.Context, all bool) error {
	for in.full() || all && len(in.items) > 0 {
		n := min(len(in.items), batchItems)
		if err := in.store(ctx, in.items[:n]); err != nil {
			return err
		}
		in.items = slices.Clone(in.items[n:])
	}
	return ctx.Err()
}

// full reports whether the queue holds a whole batch.
func (in *intake) full() bool {
	size := 0
	for i := range in.items {
		m := &in.items[i].Memory
		size += len(m.Content)
		for _, o := range m.Observations {
			size += len(o)
		}
	}
	return len(in.items) >= batchItems || size >= batchBytes
}

// store imports one batch, and counts the results.
func (in *intake) store(ctx context.Context, items []pending) error {
	batch := ingest.ImportBatch{
		Mine: func(id string) bool { return in.mine[id] }, Redacted: in.report.Redacted - in.tallied,
	}
	in.tallied = in.report.Redacted
	origin := map[brain.Relation]string{}
	for _, p := range items {
		batch.Items = append(batch.Items, p.ImportItem)
		for _, r := range p.Relations {
			origin[r] = p.file
		}
		ids := []string{p.Memory.ID}
		if p.Source != nil {
			ids = append(ids, p.Source.ID)
		}
		for _, id := range ids {
			for _, d := range in.waiting[id] {
				d.Relation = in.renamed(d.Relation)
				origin[d.Relation] = d.file
				batch.Relations = append(batch.Relations, d.Relation)
			}
			delete(in.waiting, id)
		}
	}
	answer, run, err := in.b.Ingest.Import(ctx, in.run, batch)
	if err != nil {
		return err
	}
	in.run = run
	if run.Actions > 0 {
		in.report.RunID = run.ID
	}
	for i, result := range answer.Results {
		in.count(items[i], result)
	}
	for _, r := range answer.Missing {
		d := dangling{in.renamed(r), origin[r]}
		in.waiting[d.From] = append(in.waiting[d.From], d)
		in.waiting[d.To] = append(in.waiting[d.To], d)
	}
	return nil
}

// renamed returns a relation with the ids that its ends have in the brain.
func (in *intake) renamed(r brain.Relation) brain.Relation {
	if id, ok := in.alias[r.From]; ok {
		r.From = id
	}
	if id, ok := in.alias[r.To]; ok {
		r.To = id
	}
	return r
}

func (in *intake) count(p pending, result ingest.ImportResult) {
	switch result.Status {
	case ingest.Imported:
		in.report.Imported++
	case ingest.Held, ingest.Forgotten:
		in.report.Unchanged++
	case ingest.Refused:
		in.report.Problems = append(in.report.Problems, Problem{File: p.file, Line: p.line, Message: result.Reason})
	}
	in.mine[p.Memory.ID] = true
	if result.ID != "" {
		in.mine[result.ID] = true
		if result.ID != p.Memory.ID && p.AsIs {
			in.alias[p.Memory.ID] = result.ID
		}
	}
}

// finish imports the rest, and reports relations that lead nowhere.
func (in *intake) finish(ctx context.Context) error {
	if err := in.flush(ctx, true); err != nil {
		return err
	}
	if len(in.named) > 0 { // they join the entities of the brain, or wait
		if _, err := in.b.Graph.CreateRelations(ctx, in.named); err != nil {
			return err
		}
	}
	told := map[brain.Relation]bool{}
	for _, ds := range in.waiting {
		for _, d := range ds {
			if told[d.Relation] || in.mine[d.From] && in.mine[d.To] {
				continue
			}
			told[d.Relation] = true
			in.report.Problems = append(in.report.Problems, Problem{File: d.file, Message: fmt.Sprintf(
				"the relation %s from %s to %s was left out: one of them is neither in the files nor in the brain", d.Type, d.From, d.To)})
		}
	}
	return nil
}
