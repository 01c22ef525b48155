package exchange

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func TestClaudeMemoryBecomesOneMemoryABulletOrParagraph(t *testing.T) {
	l := open(t)
	r := l.take("claude-memory", "testdata/claude/memory")
	if r.Files != 3 || r.Imported != 13 || len(r.Problems) != 0 {
		t.Errorf("took in %+v of:\n%s", r, strings.Join(l.contents(), "\n--\n"))
	}
	queue := l.find("**Queue**").Memory
	want := "**Queue**: we chose NATS over Kafka (2026-01-14)\n- one binary, no ZooKeeper\n- revisit if we need replay\n\n" +
		"  ```sh\n  nats-server -js\n  ```\n\n(Project memory > Architecture decisions)"
	if queue.Content != want || queue.MemoryType != "decision" {
		t.Errorf("a bullet with what is nested in it became %s %q", queue.MemoryType, queue.Content)
	}
	if day := time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC); !queue.Created.Equal(day) || !queue.ValidFrom.Equal(day) {
		t.Errorf("its date is %v, valid from %v", queue.Created, queue.ValidFrom)
	}
	for prefix, kind := range map[string]string{
		"Always run `make lint` before a commit.\nNever push to main.": "preference",
		"Short answers":         "preference",
		"| tool | version |":    "preference",
		"The importer is slow":  "issue",
		"Nothing here yet":      "note",
		"TestProxy fails when":  "note",
		"Run one package with:": "note",
	} {
		if m := l.find(prefix).Memory; m.MemoryType != kind {
			t.Errorf("%q is a %s, want %s", prefix, m.MemoryType, kind)
		}
	}
	if got := l.find("Run one package").Memory.Content; !strings.Contains(got, "# not a heading") {
		t.Errorf("the code went from %q", got)
	}
	topic := l.find("Do not use emojis.").Memory
	if topic.Name != "no-emojis" || topic.MemoryType != "preference" || topic.Origin != "feedback" {
		t.Errorf("a topic file became %s %q, origin %q", topic.MemoryType, topic.Name, topic.Origin)
	}
	for _, c := range l.contents() {
		if strings.Contains(c, "what the program wrote itself") {
			t.Errorf("our own block was taken in: %q", c)
		}
	}
}

func TestShowNamesFileAndLine(t *testing.T) {
	l := open(t)
	l.take("claude-memory", "testdata/claude/memory/MEMORY.md")
	shown, err := l.Recall.Show(context.Background(), l.find("The API is versioned").Memory.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs("testdata/claude/memory/MEMORY.md")
	if err != nil {
		t.Fatal(err)
	}
	if shown.Memory.Source == nil || shown.Memory.Source.File != filepath.ToSlash(abs) || shown.Memory.Source.Line != 15 {
		t.Errorf("it stands at %+v", shown.Memory.Source)
	}
}

// A MEMORY.md brings the files that it links to.
func TestClaudeFileBringsItsTopics(t *testing.T) {
	byFile, byFolder := open(t), open(t)
	byFile.take("claude-memory", "testdata/claude/memory/MEMORY.md")
	if r := byFolder.take("claude-memory", "testdata/claude"); len(r.Problems) > 0 {
		t.Errorf("of the folder it reports %+v", r.Problems)
	}
	if !slices.Equal(byFile.contents(), byFolder.contents()) {
		t.Errorf("the file brought\n%q\nthe folder\n%q", byFile.contents(), byFolder.contents())
	}
}

func TestOpenClawWorkspace(t *testing.T) {
	l := open(t)
	r := l.take("openclaw", "testdata/openclaw")
	if len(r.Problems) != 0 || !slices.Contains(placesOf(r.LeftOut), "AGENTS.md") || !slices.Contains(placesOf(r.LeftOut), "memory/heartbeat-state.json") {
		t.Errorf("the report is %+v", r)
	}
	hugo := l.find("Jekyll needs Ruby").Memory
	if hugo.Name != "Move the blog to Hugo" || hugo.MemoryType != "decision" || hugo.Importance != brain.Important ||
		!hugo.Created.Equal(time.Date(2026, 2, 5, 9, 15, 0, 0, time.UTC)) || hugo.Energy != 2.5 {
		t.Errorf("an outcome became %+v", hugo)
	}
	if m := l.find("fixed the bug in the shopping script").Memory; m.MemoryType != "resolution" || m.Energy != 1 {
		t.Errorf("a bullet became %s with energy %v", m.MemoryType, m.Energy)
	}
	if m := l.find("Mara plays the cello").Memory; m.MemoryType != "person" {
		t.Errorf("what USER.md says is a %s", m.MemoryType)
	}
}

// Every line that a person wrote is in a memory, or named as left out.
func TestNoLineIsMissed(t *testing.T) {
	for _, c := range []struct{ format, dir string }{
		{"openclaw", "testdata/openclaw"}, {"claude-memory", "testdata/claude/memory"}, {"markdown", "testdata/vault"},
	} {
		t.Run(c.format, func(t *testing.T) {
			l := open(t)
			r := l.take(c.format, c.dir)
			var all strings.Builder
			for _, w := range l.wholes() {
				all.WriteString(w.Memory.Name + "\n" + w.Memory.Content + "\n" + string(w.Memory.Extra) + "\n" + w.Source.Time + "\n")
			}
			for _, missed := range missedLines(t, c.dir, r, all.String()) {
				t.Errorf("nobody remembers %q", missed)
			}
		})
	}
}

// missedLines are the lines of a folder that are neither in a text nor left out.
func missedLines(t *testing.T, dir string, r Report, remembered string) []string {
	t.Helper()
	leftOut := map[string]bool{}
	for _, p := range r.LeftOut {
		leftOut[p.File] = leftOut[p.File] || p.Line == 0
	}
	var missed []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || d.IsDir() || leftOut[filepath.ToSlash(rel)] || strings.Contains(path, ".obsidian") {
			return err
		}
		data, err := os.ReadFile(path)
		inBlock := false
		for line := range strings.Lines(string(data)) {
			words := strings.TrimLeft(strings.TrimSpace(line), "#-*0123456789.[]: ")
			if i := strings.LastIndex(words, "] "); strings.HasPrefix(strings.TrimSpace(line), "## [") && i > 0 {
				words = words[i+2:]
			}
			if strings.HasPrefix(strings.TrimSpace(line), "## [") { // emoji and type are fields of the outcome
				_, words, _ = strings.Cut(words, ": ")
			}
			inBlock = inBlock && !strings.HasPrefix(line, markdown.BlockEndPrefix) || strings.HasPrefix(line, markdown.BlockBeginPrefix)
			own := inBlock || strings.HasPrefix(line, markdown.BlockEndPrefix) || strings.Contains(line, "Daily Notes")
			if !own && words != "" && !strings.Contains(remembered, words) {
				missed = append(missed, rel+": "+line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return missed
}

func TestMarkdownVault(t *testing.T) {
	l := open(t)
	r := l.take("markdown", "testdata/vault")
	if r.Imported != 3 || r.Files != 3 {
		t.Fatalf("took in %+v", r)
	}
	coffee, tea, jonas := l.find("# Coffee Brewing"), l.find("Green tea"), l.find("Jonas roasts")
	m := coffee.Memory
	if m.Name != "Coffee Brewing" || m.MemoryType != "guide" || !slices.Equal(m.Tags, []string{"coffee", "brewing", "technique"}) {
		t.Errorf("a note became %s %q with tags %q", m.MemoryType, m.Name, m.Tags)
	}
	if !strings.Contains(string(m.Extra), "permalink: coffee-brewing") {
		t.Errorf("the permalink is lost: %s", m.Extra)
	}
	if !slices.Equal(tea.Memory.Tags, []string{"tea"}) {
		t.Errorf("tags of a note without front matter: %q", tea.Memory.Tags)
	}
	for _, want := range []brain.Relation{
		{From: m.ID, Type: "relates_to", To: tea.Memory.ID}, {From: tea.Memory.ID, Type: "mentions", To: m.ID},
	} {
		if !slices.Contains(append(coffee.Relations, tea.Relations...), want) {
			t.Errorf("there is no relation %v; there are %v and %v", want, coffee.Relations, tea.Relations)
		}
	}
	waiting := []brain.NamedRelation{{Type: "inspired_by", Name: "People/Jonas"}, {Type: "mentions", Name: "Water"}}
	for _, w := range waiting {
		if !slices.Contains(coffee.Waiting, w) {
			t.Errorf("%v does not wait; %v do", w, coffee.Waiting)
		}
	}
	_ = jonas
}

// A second import changes nothing, wherever the files have moved.
func TestNothingIsTakenInTwice(t *testing.T) {
	for _, c := range []struct{ format, dir string }{
		{"openclaw", "testdata/openclaw"}, {"claude-memory", "testdata/claude/memory"}, {"markdown", "testdata/vault"},
	} {
		t.Run(c.format, func(t *testing.T) {
			l := open(t)
			first := l.take(c.format, c.dir)
			before := l.wholes()
			moved := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.CopyFS(moved, os.DirFS(c.dir)); err != nil {
				t.Fatal(err)
			}
			l.now = noon.Add(48 * time.Hour)
			again := l.take(c.format, moved)
			if again.Imported != 0 || again.Unchanged != first.Imported || again.RunID != "" {
				t.Errorf("first %+v, again %+v", first, again)
			}
			if after := l.wholes(); len(after) != len(before) {
				t.Errorf("%d memories became %d", len(before), len(after))
			}
		})
	}
}

func TestWhatStandsTwiceInTheFilesIsADuplicate(t *testing.T) {
	l := open(t)
	dir := files(t, t.TempDir(), map[string]string{
		"MEMORY.md": "## Lessons\n- wrap errors once\n- wrap  errors ONCE\n", "copy.md": "## Lessons\n- wrap errors once\n",
	})
	if r := l.take("claude-memory", dir); r.Imported != 1 || r.Duplicates != 2 {
		t.Errorf("took in %+v", r)
	}
}

// What the brain holds word for word is left alone, however it came there.
func TestHeldTextIsUnchanged(t *testing.T) {
	l, ctx := open(t), context.Background()
	c, err := l.Capture.NewMemory(brain.Memory{Content: "wrap errors once"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Capture.Capture(ctx, c); err != nil {
		t.Fatal(err)
	}
	gone, err := l.Capture.NewMemory(brain.Memory{Content: "nobody wants this"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Capture.Capture(ctx, gone); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Forget.Forget(ctx, gone.Memory.ID, "by hand"); err != nil {
		t.Fatal(err)
	}
	dir := files(t, t.TempDir(), map[string]string{"MEMORY.md": "## Lessons\n- wrap errors once\n- nobody wants this\n- new\n"})
	if r := l.take("claude-memory", dir); r.Imported != 1 || r.Unchanged != 2 {
		t.Errorf("took in %+v: %q", r, l.contents())
	}
}

// An import that was forgotten piece by piece does not come back.
func TestForgottenImportStaysForgotten(t *testing.T) {
	l := open(t)
	l.take("openclaw", "testdata/openclaw")
	if _, err := l.Forget.Forget(context.Background(), l.find("Jekyll needs Ruby").Memory.ID, "by hand"); err != nil {
		t.Fatal(err)
	}
	if r := l.take("openclaw", "testdata/openclaw"); r.Imported != 0 {
		t.Errorf("it came back: %+v", r)
	}
}

func TestUndoTakesAnImportBack(t *testing.T) {
	l := open(t)
	r := l.take("markdown", "testdata/vault")
	u, err := l.Journal.Undo(context.Background(), r.RunID)
	if err != nil || u.Undone != 3 || len(u.Skipped) != 0 {
		t.Fatalf("undone %+v: %v", u, err)
	}
	if left := l.wholes(); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if sources, err := l.Recall.Sources(context.Background(), brain.SourceFilter{}); err != nil || len(sources) != 0 {
		t.Errorf("sources left: %v, %v", sources, err)
	}
	if again := l.take("markdown", "testdata/vault"); again.Imported != 3 {
		t.Errorf("it cannot be imported again: %+v", again)
	}
	if got := l.find("Green tea").Relations; len(got) != 2 {
		t.Errorf("after that the relations are %v", got)
	}
}

func TestSecretsStayOut(t *testing.T) {
	l := open(t)
	secret := "ghp_" + "8fKq2LxZr9TnVb4Wc7Yd1Pm6Hs3Gj5Ua0Eio"
	dir := files(t, t.TempDir(), map[string]string{"MEMORY.md": "- the token is " + secret + "\n"})
	if r := l.take("claude-memory", dir); r.Redacted != 1 {
		t.Errorf("the report is %+v", r)
	}
	for _, w := range l.wholes() {
		if strings.Contains(w.Memory.Content+w.Memory.Name+w.Source.Body+w.Source.Title, secret) {
			t.Errorf("the token was stored: %+v", w)
		}
	}
}

func TestBadFilesAreNamedAndTheRestGoesOn(t *testing.T) {
	l := open(t)
	outside := filepath.Join(t.TempDir(), "secret.md")
	dir := files(t, t.TempDir(), map[string]string{
		"nul.md": "one\ntwo\x00\n", "latin.md": "a\nb\ncaf\xe9\n", "large.md": strings.Repeat("long ", 2000), "good.md": "a good note",
		"yaml.md": "---\nkey: [\n---\nstill a note\n", "empty.md": "", "bare.md": "-\n",
	})
	files(t, filepath.Dir(outside), map[string]string{"secret.md": "outside"})
	if err := os.Symlink(outside, filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	r := l.take("markdown", dir, func(o *Options) { o.MaxFile = 5000 })
	lines := map[string]int{}
	for _, p := range r.Problems {
		lines[p.File] = p.Line
	}
	want := map[string]int{"nul.md": 2, "latin.md": 3, "large.md": 0, "link.md": 0, "yaml.md": 1}
	for file, line := range want {
		if got, ok := lines[file]; !ok || got != line {
			t.Errorf("%s: line %d named (%v), want %d", file, got, ok, line)
		}
	}
	if len(r.Problems) != len(want) {
		t.Errorf("the problems are %+v", r.Problems)
	}
	l.find("a good note")
	if got := l.find("---\nkey: [").Memory.Content; !strings.Contains(got, "still a note") {
		t.Errorf("the note with bad front matter became %q", got)
	}
}

func TestUnreadableFileIsNamed(t *testing.T) {
	if unprivileged.Elsewhere(t) {
		return
	}
	l := open(t)
	dir := files(t, t.TempDir(), map[string]string{"closed.md": "x", "open.md": "y"})
	if err := os.Chmod(filepath.Join(dir, "closed.md"), 0); err != nil {
		t.Fatal(err)
	}
	if r := l.take("markdown", dir); r.Imported != 1 || !slices.Equal(placesOf(r.Problems), []string{"closed.md"}) {
		t.Errorf("the report is %+v", r)
	}
}

func TestRepairOnTheWayIn(t *testing.T) {
	l := open(t)
	dir := files(t, t.TempDir(), map[string]string{"2026-02-05.md": "## [14:30] üî∑ decision: Ship it\n\nDone ‚Üí shipped\n"})
	workspace := files(t, t.TempDir(), map[string]string{"memory/2026-02-05.md": "## [14:30] üî∑ decision: Ship it\n\nDone ‚Üí shipped\n"})
	_ = dir
	r := l.take("openclaw", workspace, func(o *Options) { o.Repair = true })
	if r.Repaired != 2 || l.find("Done → shipped").Memory.MemoryType != "decision" {
		t.Errorf("the report is %+v, the texts %q", r, l.contents())
	}
}

// breaking is a store that fails after some writes.
type breaking struct {
	brain.Store
	left int
}

func (s *breaking) Update(ctx context.Context, fn func(brain.Tx) error) error {
	if s.left--; s.left < 0 {
		return brain.ErrUnavailable
	}
	return s.Store.Update(ctx, fn)
}

// An import that was broken off goes on when it is run again.
func TestBrokenOffImportGoesOn(t *testing.T) {
	l := open(t)
	all := map[string]string{}
	for i := range 2*batchItems + 50 {
		name := "n" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
		all[name+".md"] = "note " + name + ", see [[" + "na" + "]]"
	}
	dir := files(t, t.TempDir(), all)
	b := services.New(&breaking{l.Base.Store, 1}, services.Options{Now: func() time.Time { return l.now }})
	r, err := Import(context.Background(), b, format("markdown"), Options{Path: dir, Location: time.UTC})
	if err == nil || r.Imported != batchItems {
		t.Fatalf("it was not broken off: %+v, %v", r, err)
	}
	again := l.take("markdown", dir)
	if again.Imported != len(all)-batchItems || again.Unchanged != batchItems {
		t.Errorf("then it took in %+v of %d", again, len(all))
	}
	if got := len(l.wholes()); got != len(all) {
		t.Errorf("there are %d memories of %d files", got, len(all))
	}
}
