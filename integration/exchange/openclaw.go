package exchange

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// skipOpenClawDir reports whether a directory is outside of the memory of a workspace.
func skipOpenClawDir(rel string) bool {
	return rel != "." && rel != "memory" && !strings.HasPrefix(rel, "memory/")
}

// pickOpenClaw takes the memory files of a workspace. Files that tell the agent how to
// behave are left out: the agent loads them itself.
func pickOpenClaw(rel string) (take bool, reason string) {
	nested, name := strings.Contains(rel, "/"), strings.ToUpper(rel)
	switch {
	case nested && !isMarkdown(rel):
		return false, "is not Markdown"
	case !isMarkdown(rel): // not memory
		return false, ""
	case nested, dayOf(rel) != "", slices.Contains([]string{"MEMORY.MD", "USER.MD", "IDENTITY.MD", "TOOLS.MD"}, name):
		return true, ""
	case slices.Contains([]string{"AGENTS.MD", "SOUL.MD", "HEARTBEAT.MD", "BOOT.MD", "BOOTSTRAP.MD", "CLAUDE.MD"}, name):
		return false, "tells the agent how to behave; it is not a memory"
	}
	return false, "is not part of a workspace's memory; `import markdown` reads such files"
}

func readOpenClaw(r *reader) {
	day := dayOf(filepath.Base(r.file.path))
	switch {
	case day != "":
		r.daily(day)
	case strings.EqualFold(filepath.Base(r.file.path), "USER.md"):
		r.list(r.source, 1, "person")
	default:
		r.list(r.source, 1, "")
	}
}

// daily reads a daily note: outcomes and bullets with the identities that the
// notes directory gives them, so that the same note there is the same memory; all
// other text by paragraph.
func (r *reader) daily(day string) {
	parsed := dailynote.Parse([]byte(r.source), dailynote.Options{Day: day, Location: r.o.Location})
	for _, p := range parsed.Problems {
		r.problem(p.Line, "%s", p.Message)
	}
	for _, o := range parsed.Outcomes {
		r.outcome(o)
	}
	under := map[string]bool{}
	for _, b := range parsed.Bullets {
		under[b.Heading] = true
		r.bullet(day, b)
	}
	for _, s := range parsed.Sections {
		r.section(day, s, under)
	}
	for _, h := range dailynote.LegacyHashes(markdown.Parse(r.source)) {
		r.leave(h.Line, "the mark of an older tool")
	}
}

func (r *reader) outcome(o dailynote.Outcome) {
	created := o.At
	if created.IsZero() {
		created = r.dayStart(o.Date)
	}
	e := entry{
		line: o.Line, name: o.Title, text: o.Content, kind: o.Type, importance: o.Importance, tags: o.Tags,
		day: o.Date, clock: o.Time, created: created, key: brain.Hash("outcome", o.Identity), bodyHash: o.BodyHash,
		names: mentions(o.Mentions),
	}
	if o.ID != "" && uuid.Validate(o.ID) != nil {
		e.extra = map[string]string{"id": o.ID}
	}
	r.add(e)
}

func (r *reader) bullet(day string, b dailynote.Bullet) {
	e := entry{
		line: b.Line, text: b.Text, kind: kindOfText(nil, b.Text), importance: b.Importance, day: day, created: r.dayStart(day),
		key: brain.Hash("bullet", b.Identity), bodyHash: b.Hash, bullet: true, names: mentions(b.Mentions),
	}
	if !strings.HasPrefix(b.Heading, day+" - Daily Notes") {
		e.context = b.Heading
	}
	r.add(e)
}

// section reads the text under one heading that is neither outcome nor bullet.
func (r *reader) section(day string, s dailynote.Section, under map[string]bool) {
	if strings.TrimSpace(s.Text) == "" {
		if s.Heading != "" && !under[s.Heading] {
			r.piece(piece{text: s.Heading, line: s.Line}, "", day)
		}
		return
	}
	pieces, left := cut(s.Text, 1)
	text, source := splitLines(s.Text), splitLines(r.source)
	// lineOf returns the number in the file of a line of the section, from which
	// outcomes and bullets are missing.
	lineOf := func(n int) int {
		for i := max(s.Line-1, 0); i < len(source); i++ {
			if strings.TrimSpace(source[i]) == strings.TrimSpace(text[n-1]) {
				return i + 1
			}
		}
		return s.Line
	}
	for _, l := range left {
		r.leave(lineOf(l.line), l.reason)
	}
	for _, p := range pieces {
		p.line = lineOf(p.line)
		if s.Heading != "" {
			p.headings = append([]string{s.Heading}, p.headings...)
		}
		r.piece(p, "", day)
	}
}

func splitLines(text string) []string {
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// mentions returns relations to names.
func mentions(names []string) []brain.NamedRelation {
	all := make([]brain.NamedRelation, 0, len(names))
	for _, name := range names {
		all = append(all, brain.NamedRelation{Type: "mentions", Name: name})
	}
	return all
}
