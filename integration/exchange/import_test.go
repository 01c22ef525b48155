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
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func TestClaudeMemoryKeepsStatementsAndSearchesTheRest(t *testing.T) {
	l := open(t)
	r := l.take("claude-memory", "testdata/claude/memory")
	if r.Files != 3 || r.Imported != 5 || r.Sections != 7 || len(r.Problems) != 0 {
		t.Errorf("took in %+v of:\n%s", r, strings.Join(l.contents(), "\n--\n"))
	}
	topic := l.find("Do not use emojis.").Memory
	if topic.Name != "no-emojis" || topic.MemoryType != "preference" || topic.Origin != "feedback" {
		t.Errorf("a topic file became %s %q, origin %q", topic.MemoryType, topic.Name, topic.Origin)
	}
	for _, c := range append(l.contents(), l.sections()...) {
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
	if len(r.Problems) != 0 || !slices.Contains(placesOf(r.LeftOut), "memory/heartbeat-state.json") {
		t.Errorf("the report is %+v", r)
	}
	hugo := l.find("Jekyll needs Ruby").Memory
	if hugo.Name != "Move the blog to Hugo" || hugo.MemoryType != "decision" || hugo.Importance != brain.Important ||
		!hugo.Created.Equal(time.Date(2026, 2, 5, 9, 15, 0, 0, time.UTC)) || hugo.Energy != 2.5 || !hugo.LastDecay.Equal(hugo.Created) {
		t.Errorf("an outcome became %+v", hugo)
	}
	if m := l.find("Ask before sending mail").Memory; m.MemoryType != "lesson" || m.PeakEnergy != 1 {
		t.Errorf("a lesson became %s with energy %v", m.MemoryType, m.PeakEnergy)
	}
	if all := strings.Join(l.contents(), "\n"); strings.Contains(all, "Timezone") || strings.Contains(all, "milk") || strings.Contains(all, "Read MEMORY.md") {
		t.Errorf("a label, a list or an instruction is a memory:\n%s", all)
	}
}

// Labels, table rows, code, checklists and what occurs more than once are no memories.
func TestWhatIsNoStatementIsASection(t *testing.T) {
	l := open(t)
	dir := files(t, t.TempDir(), map[string]string{
		"MEMORY.md": "## Decisions\n\n**Decision: RETAIN**\nRationale:\n\n- Status: done\n- [x] Deploy the new gateway to staging\n- [ ] Deploy the new gateway to production\n" +
			"- Keep all answers short and friendly please\n- The gateway moves to port 5433 in March\n\n| we decided | to use tabs |\n\n```\nwe decided to use tabs here\n```\n",
		"memory/2026-02-05.md": "- decision: Keep all answers short and friendly please\n- **Erkenntnis:** Die Türen klemmen nur bei Regen\n",
	})
	r := l.take("openclaw", dir)
	want := []string{"**Erkenntnis:** Die Türen klemmen nur bei Regen", "The gateway moves to port 5433 in March\n\n(Decisions)"}
	if got := l.contents(); !slices.Equal(got, want) {
		t.Errorf("memories: %q, want %q", got, want)
	}
	if m := l.find("**Erkenntnis").Memory; m.MemoryType != "lesson" || m.Name != "Die Türen klemmen nur bei Regen" {
		t.Errorf("%s %q", m.MemoryType, m.Name)
	}
	all := strings.Join(l.sections(), "\n")
	for _, text := range []string{"RETAIN", "Rationale", "staging", "production", "| we decided |", "we decided to use tabs here", "Keep all answers"} {
		if !strings.Contains(all, text) {
			t.Errorf("%q is lost; the report is %+v", text, r)
		}
	}
}

// Every line that a person wrote is in a memory, or named as left out.
// The memory of an agent is read like a daily note; documents beside it are not.
func TestMemoryFileKeepsStatementsWithoutALabel(t *testing.T) {
	l := open(t)
	const rule = "# Boundaries\n\n## Git (2026-01-31)\n\n### Branches\n\n- Do NOT push to main unless Mara asks for it\n- Status of the day: green\n"
	l.take("openclaw", files(t, t.TempDir(), map[string]string{
		"MEMORY.md": rule, "AGENTS.md": "- Never delete a branch without asking\n", "research/forks.md": "- Always use the newest fork of it\n",
	}))
	if got := l.contents(); len(got) != 1 || !strings.HasPrefix(got[0], "Do NOT push to main") {
		t.Errorf("it kept %q", got)
	}
	if day := l.find("Do NOT push").Memory.Created.Format(time.DateOnly); day != "2026-01-31" {
		t.Errorf("it is of %s, not of the day in the heading around it", day)
	}
}

func TestNoLineIsMissed(t *testing.T) {
	for _, c := range []struct{ format, dir string }{
		{"openclaw", "testdata/openclaw"}, {"claude-memory", "testdata/claude/memory"}, {"markdown", "testdata/vault"},
	} {
		t.Run(c.format, func(t *testing.T) {
			l := open(t)
			r := l.take(c.format, c.dir)
			var all strings.Builder
			all.WriteString(strings.Join(l.sections(), "\n") + "\n")
			for _, w := range l.exported() {
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
	if r.Imported != 0 || r.Sections != 6 || r.Files != 3 {
		t.Fatalf("took in %+v: %q", r, l.sections())
	}
	found, err := l.Recall.Recall(context.Background(), recall.Query{Words: words.Parse("pour over clarity")})
	if err != nil || len(found.Results) == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	if m := found.Results[0].Memory; m.MemoryType != brain.SectionType || m.Date != "2026-01-20" || !strings.HasSuffix(m.Name, "Coffee Brewing.md#Observations") {
		t.Errorf("found %+v", m)
	}
	typed := files(t, t.TempDir(), map[string]string{"Queue.md": "---\ntype: Entscheidung\nproject: shop\ntags: [queue]\n---\nWe use NATS. See [[Kafka]].\n"})
	l.take("markdown", typed)
	if w := l.find("We use NATS"); w.Memory.Name != "Queue" || w.Memory.MemoryType != "decision" || w.Memory.Project != "shop" ||
		!slices.Equal(w.Memory.Tags, []string{"queue"}) || !slices.Contains(w.Waiting, brain.NamedRelation{Type: "mentions", Name: "Kafka"}) {
		t.Errorf("a note of a kind became %+v", w)
	}
}

// A second import changes nothing, wherever the files have moved.
func TestNothingIsTakenInTwice(t *testing.T) {
	for _, c := range []struct{ format, dir string }{
		{"openclaw", "testdata/openclaw"}, {"claude-memory", "testdata/claude/memory"}, {"markdown", "testdata/vault"},
	} {
		t.Run(c.format, func(t *testing.T) {
			l := open(t)
			first := l.take(c.format, c.dir)
			before := l.exported()
			moved := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.CopyFS(moved, os.DirFS(c.dir)); err != nil {
				t.Fatal(err)
			}
			l.now = noon.Add(48 * time.Hour)
			again := l.take(c.format, moved)
			if again.Imported+again.Sections != 0 || again.Unchanged != first.Imported || again.RunID != "" {
				t.Errorf("first %+v, again %+v", first, again)
			}
			if after := l.exported(); len(after) != len(before) {
				t.Errorf("%d memories became %d", len(before), len(after))
			}
		})
	}
}

// What the brain holds word for word is left alone, however it came there.
func TestHeldTextIsUnchanged(t *testing.T) {
	l, ctx := open(t), context.Background()
	c, err := l.Capture.NewMemory(brain.Memory{Content: "wrap every error once"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Capture.Capture(ctx, c); err != nil {
		t.Fatal(err)
	}
	gone, err := l.Capture.NewMemory(brain.Memory{Content: "nobody wants this text"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Capture.Capture(ctx, gone); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Journal.Forget(ctx, gone.Memory.ID, "by hand"); err != nil {
		t.Fatal(err)
	}
	dir := files(t, t.TempDir(), map[string]string{"MEMORY.md": "## Lessons\n- wrap every error once\n- nobody wants this text\n- this one is new\n"})
	if r := l.take("claude-memory", dir); r.Imported != 1 || r.Unchanged != 2 {
		t.Errorf("took in %+v: %q", r, l.contents())
	}
}

// An import that was forgotten piece by piece does not come back.
func TestForgottenImportStaysForgotten(t *testing.T) {
	l := open(t)
	l.take("openclaw", "testdata/openclaw")
	if _, _, err := l.Journal.Forget(context.Background(), l.find("Jekyll needs Ruby").Memory.ID, "by hand"); err != nil {
		t.Fatal(err)
	}
	if r := l.take("openclaw", "testdata/openclaw"); r.Imported != 0 {
		t.Errorf("it came back: %+v", r)
	}
}

func TestUndoTakesAnImportBack(t *testing.T) {
	l := open(t)
	r := l.take("openclaw", "testdata/openclaw")
	u, err := l.Journal.Undo(context.Background(), string(r.RunID), nil, nil)
	if err != nil || u.Undone != r.Imported+1 || len(u.Skipped) != 0 { // the sections are one action
		t.Fatalf("undone %+v: %v", u, err)
	}
	if left := l.exported(); len(left) != 0 || len(l.sections()) != 0 {
		t.Errorf("left: %v, %q", left, l.sections())
	}
	if sources, err := l.Recall.Sources(context.Background(), brain.SourceFilter{}); err != nil || len(sources) != 0 {
		t.Errorf("sources left: %v, %v", sources, err)
	}
	if again := l.take("openclaw", "testdata/openclaw"); again.Imported != r.Imported || again.Sections != r.Sections {
		t.Errorf("it cannot be imported again: %+v", again)
	}
}

func TestSecretsStayOut(t *testing.T) {
	l := open(t)
	secret := "ghp_" + "8fKq2LxZr9TnVb4Wc7Yd1Pm6Hs3Gj5Ua0Eio"
	dir := files(t, t.TempDir(), map[string]string{"MEMORY.md": "- the token is " + secret + "\n"})
	if r := l.take("claude-memory", dir); r.Redacted != 1 {
		t.Errorf("the report is %+v", r)
	}
	if all := strings.Join(append(l.contents(), l.sections()...), "\n"); strings.Contains(all, secret) || !strings.Contains(all, "the token is") {
		t.Errorf("stored: %s", all)
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
	all := strings.Join(l.sections(), "\n")
	for _, text := range []string{"a good note", "key: [", "still a note"} {
		if !strings.Contains(all, text) {
			t.Errorf("%q is lost in %q", text, all)
		}
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
	if r := l.take("markdown", dir); r.Sections != 1 || !slices.Equal(placesOf(r.Problems), []string{"closed.md"}) {
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
		all[name+".md"] = "- decision: we keep the note " + name + ", see [[" + "na" + "]]"
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
	if got := len(l.exported()); got != len(all) {
		t.Errorf("there are %d memories of %d files", got, len(all))
	}
}

// What another memory tool put into a file, or wrote as a whole, is searched and no memory.
func TestMemoriesOfAnotherToolAreNone(t *testing.T) {
	const block = "<claude-mem-context>\n# Recent\n\n- decision: The boiler runs on gas only\n- Never open the valve by hand\n\n**Lesson:** Valves stick in winter\n</claude-mem-context>\n"
	all := map[string]string{
		"MEMORY.md":   "# Memory\n\n" + block + "\n- decision: The stove burns birch, because it is dry\n",
		"CLAUDE.md":   block,
		"AGENTS.md":   block,
		"house.md":    block,
		"typed.md":    "---\ntype: lesson\nname: Boilers\ndescription: What boilers do\n---\n" + block,
		"observed.md": "---\ntype: decision\nname: Valves\ndescription: What valves do\nsource: claude-mem\n---\nValves stick in winter, so they are oiled.\n\n- decision: Oil the valves in autumn\n",
		"mixed.md":    "---\ntype: lesson\nname: Chimneys\ndescription: Soot\n---\nChimneys want sweeping before the frost.\n\n" + block,
	}
	for _, name := range []string{"markdown", "openclaw", "claude-memory"} {
		l := open(t)
		r := l.take(name, files(t, t.TempDir(), all))
		if mixed := name != "openclaw"; len(r.Problems) > 0 || slices.ContainsFunc(r.LeftOut, func(p Problem) bool { return p.File == "mixed.md" && p.Line == 8 }) != mixed {
			t.Errorf("%s reports %+v, %+v", name, r.Problems, r.LeftOut)
		}
		for _, c := range l.contents() {
			if !strings.Contains(c, "birch") && !strings.Contains(c, "Chimneys") || strings.Contains(strings.ToLower(c), "valve") {
				t.Errorf("%s kept %q", name, c)
			}
		}
		if all := strings.Join(l.sections(), "\n"); !strings.Contains(all, "Oil the valves in autumn") {
			t.Errorf("%s does not search what the tool wrote: %q", name, all)
		}
	}
}

// A relation to an item whose text the brain had already leads to the memory with that text,
// also if the other end comes with a later batch.
func TestARelationToAKnownTextOfAnEarlierBatch(t *testing.T) {
	l, ctx := open(t), t.Context()
	c, err := l.Capture.NewMemory(brain.Memory{Content: "wrap every error once"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Capture.Capture(ctx, c); err != nil {
		t.Fatal(err)
	}
	item := func(text string) ingest.ImportItem {
		m := brain.Memory{ID: brain.NewID(), Content: text, MemoryType: "note", Importance: brain.Important}
		m.Complete()
		return ingest.ImportItem{Memory: m, Text: text}
	}
	known, next := item("wrap every error once"), item("errors name the file")
	next.Relations = []brain.Relation{
		{From: next.Memory.ID, Type: "related_to", To: known.Memory.ID}, {From: next.Memory.ID, Type: "not a type\n", To: known.Memory.ID},
	}
	run := l.Base.NewRun(ingest.RunImport, noon)
	_, run, err = l.Ingest.Import(ctx, run, ingest.ImportBatch{Items: []ingest.ImportItem{known}})
	if err != nil {
		t.Fatal(err)
	}
	answer, _, err := l.Ingest.Import(ctx, run, ingest.ImportBatch{Items: []ingest.ImportItem{next}})
	if err != nil || len(answer.Missing) > 0 || len(answer.Invalid) != 1 {
		t.Fatalf("the answer is %+v, %v", answer, err)
	}
	if rels := l.find("errors name the file").Relations; len(rels) != 1 || rels[0].To != c.Memory.ID {
		t.Errorf("the relations are %v", rels)
	}
}
