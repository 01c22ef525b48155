package exchange

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// notes reads a file as a note. Outcomes and bullets that are complete statements become
// memories, with the same identities as in the notes directory; all other text becomes
// sections by heading.
func (r *reader) notes() {
	text := r.withoutOwn(r.source)
	f, from := r.parse(text, r.texts.repeated)
	for _, p := range f.Problems {
		r.problem(p.Line, "%s", p.Message)
	}
	from.Project = r.project(f.Project)
	for _, o := range f.Outcomes {
		r.outcome(from, o)
	}
	for _, b := range f.Bullets {
		if !b.Done { // else it is in the section around it
			r.bullet(from, b)
		}
	}
	for _, s := range f.Sections {
		r.section(s, from, f)
	}
}

// parse reads a text as a note.
func (r *reader) parse(text string, repeated func(key string) bool) (dailynote.File, ingest.Parsed) {
	base := filepath.Base(r.file.path)
	opts := dailynote.Options{
		Day: dailynote.DayOf(base), Location: r.o.Location, Modified: r.file.modified, Quiet: true,
		Plain: isInstruction(r.file.rel) || dailynote.IsForeign(r.file.rel), Kept: dailynote.IsOwners(base), Repeated: repeated,
	}
	f := dailynote.Parse([]byte(text), opts)
	return f, ingest.Parsed{
		Day: opts.Day, Date: cmp.Or(opts.Day, f.Date, opts.TitleDay(base)), Modified: r.file.modified, Location: r.o.Location,
	}
}

// project returns the project of the file: the one that it names, else that of its path.
func (r *reader) project(named string) string {
	return ingest.ProjectName(cmp.Or(named, dailynote.PathProject(r.file.rel, r.o.Projects), r.codeProject()))
}

func (r *reader) outcome(from ingest.Parsed, o dailynote.Outcome) {
	e := entryOf(from.Outcome(o))
	if o.ID != "" && uuid.Validate(o.ID) != nil {
		e.extra = map[string]string{"id": o.ID}
	}
	r.add(e)
}

// bullet adds a bullet, but not a task of which a copy, open or done, is in a later note. Those
// of pages are identified by their words, so that a page can move.
func (r *reader) bullet(from ingest.Parsed, b dailynote.Bullet) {
	o, isDated := from.Bullet(b)
	isTask := o.Kind == brain.Reminder
	if isTask && o.Date < r.texts.tasks[o.TitleKey] {
		r.leaveOut(b.Line, "this task is done, or stands in a later note")
		return
	}
	if !isDated && r.copied(r.file.modified) {
		o.Date, o.Undated = "", true
	}
	e := entryOf(o)
	if !isTask && o.Content != o.Body {
		e.text, e.context = o.Body, o.Description
	}
	if isTask {
		e.source.Body = ingest.OpenTask + o.Body
	}
	if from.Day == "" {
		e.key, e.bodyHash = "", ""
	}
	if !isDated {
		e.day = ""
	}
	r.add(e)
}

func entryOf(o ingest.NoteOutcome) entry {
	m := o.Memory()
	return entry{
		line: o.Line, name: m.Name, text: o.Content, kind: m.MemoryType, importance: string(m.Importance), tags: m.Tags, project: m.Project,
		day: o.Date, created: o.At, undated: o.Undated, key: o.Key, bodyHash: o.BodyHash, bullet: o.Bullet, names: mentions(o.Title + "\n" + o.Body), source: &o.Source,
	}
}

// section adds the text under one heading that is in no memory.
func (r *reader) section(s dailynote.Section, from ingest.Parsed, f dailynote.File) {
	text, heading := r.clean(s.Text), r.clean(s.Heading)
	modified := moment.StartOfDay(cmp.Or(moment.DayIn(heading), from.Day, moment.DayIn(s.Around), from.Date), r.o.Location)
	if modified.IsZero() {
		modified = r.file.modified
	}
	key := brain.Hash("import section", words.Key(text), words.Key(heading), from.Date)
	item := ingest.ImportItem{Names: mentions(heading + "\n" + text), Section: &brain.Section{
		ID: r.base.IDOf("section " + key), Key: key, Dir: ingest.ImportDir, File: filepath.ToSlash(r.file.path), Heading: heading,
		Line: max(s.Line, 1), Group: ingest.ImportDir + "/" + r.file.rel, Position: r.count, Text: text, Hash: dailynote.HashText(text),
		Modified: brain.Instant(modified), Project: cmp.Or(r.o.Project, ingest.ProjectName(s.Project), from.Project),
	}}
	if f.Conversation && len(f.Outcomes) == 0 {
		item.Names, item.Section.Transcript = nil, true
		item.Section.Group += ingest.TalkGroup
	}
	r.push(item, s.Line)
}

// withoutOwn returns a text without the block that brainbridge wrote itself and without
// the marks of older tools. Blank lines take their place.
func (r *reader) withoutOwn(text string) string {
	d := markdown.Parse(markdown.WithoutBlocks(text, func(line int) { r.leaveOut(line, "the block that brainbridge wrote itself") }))
	marks := dailynote.LegacyHashes(d)
	return d.Rewrite(func(i int, line string) string {
		if slices.ContainsFunc(marks, func(h dailynote.LegacyHash) bool { return h.Line == i+1 }) {
			r.leaveOut(i+1, "the mark of an older tool")
			return ""
		}
		return line
	})
}

func mentions(text string) []brain.NamedRelation {
	return brain.Map(markdown.Mentions(text), func(name string) brain.NamedRelation { return brain.NamedRelation{Type: "mentions", Name: name} })
}

// repeats counts texts that could become memories; repeated ones are boilerplate. Of a task it
// has the latest day on which it stands somewhere.
type repeats struct {
	once, more set
	tasks      map[string]string
}

func (t repeats) repeated(key string) bool { return t.more.has(key) }

// countTexts counts the list items and paragraphs of files.
func countTexts(ctx context.Context, f Format, o Options, files []file) repeats {
	all := repeats{set{}, set{}, map[string]string{}}
	if !f.notes {
		return all
	}
	count := func(key string) bool {
		if all.once.has(key) {
			all.more.add(key)
		}
		all.once.add(key)
		return false
	}
	for _, file := range files {
		r := reader{ctx: ctx, o: o, file: file, report: &Report{}}
		if ctx.Err() != nil || !r.readText(text) {
			continue
		}
		parsed, from := r.parse(r.source, count)
		for _, b := range parsed.Bullets {
			if o, _ := from.Bullet(b); o.Kind == brain.Reminder {
				all.tasks[o.TitleKey] = max(all.tasks[o.TitleKey], o.Date)
			}
		}
	}
	return all
}

// isInstruction reports whether the agent itself loads a file, which is only searched then.
func isInstruction(rel string) bool {
	name := strings.ToUpper(path.Base(rel))
	return strings.HasPrefix(rel, "skills/") ||
		slices.Contains([]string{"AGENTS.MD", "SOUL.MD", "HEARTBEAT.MD", "BOOT.MD", "BOOTSTRAP.MD", "CLAUDE.MD", "SKILL.MD"}, name)
}
