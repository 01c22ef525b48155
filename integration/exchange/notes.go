package exchange

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	opts := r.noteOptions(r.texts.repeated)
	parsed := dailynote.Parse([]byte(text), opts)
	for _, p := range parsed.Problems {
		r.problem(p.Line, "%s", p.Message)
	}
	project := r.project(parsed.Project)
	for _, o := range parsed.Outcomes {
		r.outcome(o, project)
	}
	day := r.written(parsed, opts)
	for _, b := range parsed.Bullets {
		switch {
		case b.Done: // it is in the section around it
		case b.Kind == "reminder":
			r.task(b, day, project)
		default:
			r.bullet(b, day, project)
		}
	}
	for _, s := range parsed.Sections {
		r.section(s, day, cmp.Or(s.Project, project))
	}
}

// written returns the day on which the file says that it was written, "" if it does not.
func (r *reader) written(parsed dailynote.File, opts dailynote.Options) string {
	return cmp.Or(r.day(), parsed.Date, opts.TitleDay(filepath.Base(r.file.path)))
}

// project returns the project of the file: the one that it names, else that of its path.
func (r *reader) project(named string) string {
	name := cmp.Or(named, dailynote.PathProject(r.file.rel, r.o.Projects), r.codeProject())
	if !brain.IsWord(name, brain.MaxName) {
		return ""
	}
	return name
}

func (r *reader) noteOptions(repeated func(key string) bool) dailynote.Options {
	return dailynote.Options{
		Day: r.day(), Location: r.o.Location, Modified: r.file.modified, Quiet: true, Plain: isInstruction(r.file.rel) || dailynote.IsForeign(r.file.rel), Kept: dailynote.IsOwners(filepath.Base(r.file.path)), Repeated: repeated,
	}
}

// day returns the day of a daily note, "" for any other file.
func (r *reader) day() string { return dailynote.DayOf(filepath.Base(r.file.path)) }

func (r *reader) outcome(o dailynote.Outcome, project string) {
	created := o.At
	if created.IsZero() {
		created = moment.StartOfDay(o.Date, r.o.Location)
	}
	e := entry{
		line: o.Line, name: o.Title, text: o.Content, kind: o.Type, importance: o.Importance, tags: o.Tags,
		day: o.Date, clock: o.Time, created: created, key: brain.Hash("outcome", o.Identity), bodyHash: o.BodyHash,
		names: mentions(o.Title + "\n" + o.Body), project: cmp.Or(o.Project, project),
	}
	if o.ID != "" && uuid.Validate(o.ID) != nil {
		e.extra = map[string]string{"id": o.ID}
	}
	r.add(e)
}

// bullet adds a bullet. Its date is that of a daily note, or the one in its first line or
// in the nearest heading above it that has one, or that of the file.
func (r *reader) bullet(b dailynote.Bullet, day, project string) {
	e := entry{
		line: b.Line, text: b.Text, kind: b.Kind, importance: b.Importance, bullet: true, names: mentions(b.Text),
		project: cmp.Or(b.Project, project), day: day,
	}
	if b.Title != firstOf(b.Text) {
		e.name = brain.NameOf(b.Title)
	}
	if !strings.HasPrefix(b.Heading, day+" - Daily Notes") {
		e.context = b.Heading
	}
	if r.day() != "" {
		e.key, e.bodyHash = brain.Hash("bullet", b.Identity), b.Hash
	} else {
		e.day = cmp.Or(moment.DayIn(firstOf(b.Text)), moment.DayIn(b.Heading), moment.DayIn(b.Around), day)
	}
	e.created = moment.StartOfDay(e.day, r.o.Location)
	r.add(e)
}

// task adds an open task as a reminder, unless a later copy of it stands elsewhere or is done.
func (r *reader) task(b dailynote.Bullet, written, project string) {
	day, title := r.taskDay(written), taskTitle(b)
	if day < r.texts.tasks[title] || r.texts.closed[title] == day {
		r.leaveOut(b.Line, "this task is done, or stands in a later note")
		return
	}
	e := entry{
		line: b.Line, text: b.Shown, kind: b.Kind, importance: b.Importance, names: mentions(b.Text),
		project: cmp.Or(b.Project, project), task: &b,
	}
	if written != "" || !r.copied(r.file.modified) {
		e.day, e.created = day, moment.StartOfDay(day, r.o.Location)
	}
	if r.day() != "" {
		e.key, e.bodyHash = brain.Hash("bullet", b.Identity), b.Hash
	}
	r.add(e)
}

// taskTitle returns what is the same of all copies of a task.
func taskTitle(b dailynote.Bullet) string {
	return brain.Hash("reminder", words.Key(b.Shown))
}

// taskDay returns the day from which a task of a file counts, which was written on a day.
func (r *reader) taskDay(written string) string {
	return cmp.Or(written, r.file.modified.In(r.o.Location).Format(time.DateOnly))
}

func firstOf(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// section adds the text under one heading that is in no memory.
func (r *reader) section(s dailynote.Section, day, project string) {
	text, heading := r.clean(s.Text), r.clean(s.Heading)
	modified := moment.StartOfDay(cmp.Or(moment.DayIn(heading), r.day(), moment.DayIn(s.Around), day), r.o.Location)
	if modified.IsZero() {
		modified = r.file.modified
	}
	key := brain.Hash("import section", words.Key(text), words.Key(heading), day)
	r.push(ingest.ImportItem{Names: mentions(heading + "\n" + text), Section: &brain.Section{
		ID: r.base.IDOf("section " + key), Key: key, Dir: ingest.ImportDir, File: filepath.ToSlash(r.file.path), Heading: heading,
		Line: max(s.Line, 1), Group: ingest.ImportDir + "/" + r.file.rel, Position: len(r.items), Text: text, Hash: dailynote.HashText(text),
		Modified: brain.Instant(modified), Project: cmp.Or(r.o.Project, project),
	}}, s.Line)
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
// has the latest day on which it stands somewhere, and on which it is done.
type repeats struct {
	count         map[string]int
	tasks, closed map[string]string
}

func (t repeats) repeated(key string) bool { return t.count[key] > 1 }

// countTexts counts the list items and paragraphs of files.
func countTexts(ctx context.Context, f Format, o Options, files []file) repeats {
	all := repeats{map[string]int{}, map[string]string{}, map[string]string{}}
	if !f.notes {
		return all
	}
	count := func(key string) bool {
		all.count[key]++
		return false
	}
	for _, file := range files {
		r := reader{ctx: ctx, o: o, file: file, report: &Report{}}
		if ctx.Err() == nil && r.readText(f.content) {
			opts := r.noteOptions(count)
			parsed := dailynote.Parse([]byte(r.source), opts)
			for _, b := range parsed.Bullets {
				if day, title := r.taskDay(r.written(parsed, opts)), taskTitle(b); b.Kind == "reminder" {
					all.tasks[title] = max(all.tasks[title], day)
					if b.Done {
						all.closed[title] = max(all.closed[title], day)
					}
				}
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
