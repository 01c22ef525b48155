package exchange

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/storetest"
)

func (l *lab) export(dir string, with ...func(*ExportOptions)) ExportReport {
	l.t.Helper()
	o := ExportOptions{Dir: dir}
	for _, set := range with {
		set(&o)
	}
	r, err := Export(context.Background(), l.Services, ExportFormats()[0], o)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

// story does something to a brain, drawn by rapid.
type story struct {
	*lab
	rt  *rapid.T
	ids []string
}

// words are texts that files have broken before.
func someText() *rapid.Generator[string] {
	odd := []string{
		"---", "---\nbrainbridge: 1\n---", "a: b", "# heading", " leading", "trailing ", "\n\nblank lines\n\n", "tab\there", "crlf\r\nline\r\n", "\ufeffbom",
		"quote \" and ' and \\", "- [ ] item", "{}", "null", "true", "12", "1e3", "2026-03-01T12:00:00Z", "2026-03-01", "~", "!tag", "&a *a", "👩‍👩‍👧 é ü", "\u2028sep", "\u0085",
		"\x01\x1b[31m", "a\x7fb", "checksum: 1\nx", "...", "line\n...\n---\nrest", "%YAML 1.2", "\xc2\xa0nbsp", "日本語", "not a \uffff character",
	}
	return rapid.OneOf(rapid.SampledFrom(odd), rapid.StringN(1, 40, 200), rapid.Map(rapid.SliceOfN(rapid.SampledFrom(odd), 1, 4), func(s []string) string {
		return strings.Join(s, "\n")
	})).Filter(func(s string) bool { return brain.CheckText("x", s) == nil })
}

func (s *story) text(label string) string { return someText().Draw(s.rt, label) }

func (s *story) pick() string { return rapid.SampledFrom(s.ids).Draw(s.rt, "id") }

func (s *story) capture(c brain.Capture, err error) {
	if err != nil {
		return // a text that no memory may have
	}
	if out, err := s.Capture.Capture(context.Background(), c); err == nil && out.MemoryID != "" {
		s.ids = append(s.ids, out.MemoryID)
	}
}

// step does one thing. What the brain refuses is no part of the story.
func (s *story) step() {
	ctx := context.Background()
	d := brain.Details{
		Tags:       rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b c", "é", "12", "null"}), 0, 3).Draw(s.rt, "tags"),
		Project:    rapid.SampledFrom([]string{"", "shop", "true"}).Draw(s.rt, "project"),
		Importance: rapid.SampledFrom([]brain.Importance{"", brain.Critical}).Draw(s.rt, "importance"),
	}
	n := 4
	if len(s.ids) > 0 {
		n = 11
	}
	switch rapid.IntRange(0, n).Draw(s.rt, "step") {
	case 0:
		s.capture(s.Capture.New(brain.Source{Kind: brain.Learning, Concept: s.text("concept"), Learned: s.text("learned")}, d))
	case 1:
		s.capture(s.Capture.New(brain.Source{Kind: brain.Reminder, Text: s.text("reminder"), Due: s.now.Add(time.Hour)}, d))
	case 2:
		m := brain.Memory{
			Content: s.text("content"), Name: s.text("name"), Severity: "high", AppliesTo: []string{s.text("place")},
			Extra: []byte(`{"b": 1.50, "a": [null, "x"]}`), Retention: rapid.SampledFrom([]string{"", "core"}).Draw(s.rt, "retention"),
		}
		s.capture(s.Capture.NewMemory(m, d))
	case 3:
		m := brain.Memory{Name: s.text("entity"), Content: s.text("observations")}
		m.Entity = true
		s.capture(s.Capture.NewMemory(m, d))
	case 4:
		s.now = s.now.Add(time.Duration(rapid.IntRange(1, 100).Draw(s.rt, "hours")) * time.Hour)
	case 5:
		_, _ = s.Capture.Boost(ctx, s.pick(), 0.5)
	case 6:
		if m, _, err := s.Capture.Correct(ctx, s.pick(), "", s.text("correction")); err == nil {
			s.ids = append(s.ids, m.ID)
		}
	case 7:
		_, _, _ = s.Capture.Relate(ctx, s.pick(), "related_to", s.pick())
	case 8:
		_, _, err := s.Base.Settle(ctx, brain.Run{ID: brain.NewID(), Kind: brain.RunPromote, Started: s.now}, s.ids, s.now)
		if err != nil {
			s.rt.Fatal(err)
		}
	case 9:
		_, _ = s.Capture.Used(ctx, s.pick(), brain.Helpful, "here")
	case 10:
		_, _, _ = s.Journal.Forget(ctx, s.pick(), "by hand")
	case 11:
		s.note()
	}
}

// note takes in what a file says, with links to what may not be there yet.
func (s *story) note() {
	text := s.text("note")
	m := brain.Memory{ID: brain.NewID(), Content: text, MemoryType: "decision", Importance: brain.Important, Created: s.now.Add(-time.Hour)}
	source := &brain.Source{
		ID: brain.NewID(), Kind: brain.Outcome, Created: m.Created, Date: "2026-03-01", Time: "11:00", Title: s.text("title"), Body: text,
		File: "MEMORY.md", Line: 3, BodyHash: brain.Hash(text), Key: brain.Hash(m.ID), Dir: ingest.ImportDir,
	}
	names := []brain.NamedRelation{{Type: "mentions", Name: s.text("linked")}}
	item := ingest.ImportItem{Memory: m, Source: source, Names: names}
	run := brain.Run{ID: brain.NewID(), Kind: ingest.RunImport, Started: s.now}
	answer, _, err := s.Ingest.Import(context.Background(), run, ingest.ImportBatch{Items: []ingest.ImportItem{item}})
	if err != nil {
		s.rt.Fatal(err)
	}
	if answer.Results[0].Status == ingest.Imported {
		s.ids = append(s.ids, m.ID)
	}
}

// tempDir is a folder that goes at the end of one check.
func tempDir(t *rapid.T, under string) string {
	dir, err := os.MkdirTemp(under, "check-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// An export that is imported into an empty brain gives the same memories, with
// everything that hangs on them; exported again it gives the same bytes.
func TestExportComesBackWithoutLoss(t *testing.T) {
	root := t.TempDir()
	storetest.Some(t, storetest.Dear, func(rt *rapid.T) {
		dir := tempDir(rt, root)
		s := &story{lab: newLab(rt, filepath.Join(dir, "a")), rt: rt}
		defer s.close()
		for range rapid.IntRange(1, 15).Draw(rt, "steps") {
			s.step()
		}
		before := s.exported()
		if len(before) == 0 {
			return
		}
		s.export(filepath.Join(dir, "out"))
		empty := newLab(rt, filepath.Join(dir, "b"))
		defer empty.close()
		empty.now = s.now.Add(1000 * time.Hour)
		r := empty.take("markdown", filepath.Join(dir, "out"))
		if r.Imported != len(before) || len(r.Problems) != 0 {
			rt.Fatalf("of %d memories came back %+v", len(before), r)
		}
		if diff := cmp.Diff(before, empty.exported()); diff != "" {
			rt.Fatalf("(-exported +imported)\n%s", diff)
		}
		empty.export(filepath.Join(dir, "again"))
		if diff := cmp.Diff(tree(rt, filepath.Join(dir, "out")), tree(rt, filepath.Join(dir, "again"))); diff != "" {
			rt.Fatalf("the second export has other bytes: %s", diff)
		}
		if r := empty.take("markdown", filepath.Join(dir, "out")); r.Imported != 0 || r.Unchanged != len(before) {
			rt.Fatalf("the second import took in %+v", r)
		}
	})
}

// tree are the files of a folder with their bytes.
func tree(t tester, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (l *lab) remember(text string, d brain.Details) brain.Memory {
	l.t.Helper()
	c, err := l.Capture.NewMemory(brain.Memory{Content: text}, d)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.Capture.Capture(context.Background(), c); err != nil {
		l.t.Fatal(err)
	}
	return *c.Memory
}

// A folder that holds files is left as it is; hidden ones such as .git are no files.
func TestExportNeedsAnEmptyFolder(t *testing.T) {
	l := open(t)
	l.remember("one", brain.Details{})
	for _, dir := range []string{
		files(t, t.TempDir(), map[string]string{"note.md": "mine"}),
		files(t, t.TempDir(), map[string]string{"archive/old.md": "mine"}),
	} {
		_, err := Export(context.Background(), l.Services, ExportFormats()[0], ExportOptions{Dir: dir})
		if !errors.Is(err, brain.ErrInvalid) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s was not refused: %v", dir, err)
		}
		if got := tree(t, dir); len(got) != 1 {
			t.Errorf("files were written: %v", got)
		}
	}
	hidden := files(t, t.TempDir(), map[string]string{".git/HEAD": "ref"})
	if r := l.export(hidden, func(o *ExportOptions) { o.DryRun = true }); r.Written != 1 || len(tree(t, hidden)) != 1 {
		t.Errorf("dry run: %+v", r)
	}
	if r := l.export(hidden); r.Written != 1 || len(tree(t, hidden)) != 2 {
		t.Errorf("exported %+v", r)
	}
}

func TestTestMemoriesComeBackAsSuch(t *testing.T) {
	dir := t.TempDir()
	test := func(l *lab) *lab {
		l.Services = services.New(l.Base.Store, services.Options{IDPrefix: brain.TestPrefix})
		return l
	}
	l := test(open(t))
	l.remember("a test", brain.Details{})
	if r := l.export(dir); r.Memories != 1 {
		t.Errorf("exported %+v", r)
	}
	if r := open(t).take("markdown", dir); r.Imported != 0 || len(r.LeftOut) != 1 {
		t.Errorf("test memories became real: %+v", r)
	}
	into := test(open(t))
	if r := into.take("markdown", dir); r.Imported != 1 {
		t.Errorf("test memories do not come back: %+v", r)
	}
	for _, w := range into.exported() {
		if !brain.IsTest(w.Memory.ID) {
			t.Errorf("%s came back as a real one", w.Memory.ID)
		}
	}
}

// An import has no actions of before. What a correction made is known from its relation.
func TestTheHistoryOfAnImportedCorrectionBeginsWithOneCapture(t *testing.T) {
	l := open(t)
	old := l.remember("The mail server is antares.", brain.Details{})
	l.now = l.now.Add(time.Hour)
	corrected, _, err := l.Capture.Correct(t.Context(), old.ID, "", "The mail server is orion.")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	l.export(dir)
	other := open(t)
	other.now = l.now.Add(time.Hour)
	other.take("markdown", dir)
	_, events, err := other.Journal.History(t.Context(), corrected.ID)
	if err != nil {
		t.Fatal(err)
	}
	var captured []string
	for _, e := range events {
		if e.Kind == "capture" {
			captured = append(captured, e.Memory)
		}
	}
	if diff := cmp.Diff([]string{corrected.ID}, captured); diff != "" || len(events) != 3 {
		t.Errorf("%s\n%+v", diff, events)
	}
}

// What was said twice has two sources, and the export has both.
func TestAReminderThatWasSaidTwiceComesBackWithBoth(t *testing.T) {
	l := open(t)
	for range 2 {
		c, err := l.Capture.New(brain.Source{Kind: brain.Reminder, Text: "Return the borrowed ladder", Due: l.now.Add(time.Hour)}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Capture.Capture(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	dir, into := filepath.Join(t.TempDir(), "out"), open(t)
	l.export(dir)
	if r := into.take("markdown", dir); r.Imported != 1 || len(r.Problems) != 0 {
		t.Errorf("the import reports %+v", r)
	}
	if diff := cmp.Diff(l.exported(), into.exported()); diff != "" {
		t.Errorf("(-exported +imported)\n%s", diff)
	}
	if r := into.take("markdown", dir); r.Imported != 0 || r.Unchanged != 1 || r.Duplicates != 0 {
		t.Errorf("the second import took in %+v", r)
	}
}

// Two memories that have come to say the same are two memories after an import, too.
func TestMemoriesOfOneTextComeBackAsTwo(t *testing.T) {
	l, ctx := open(t), context.Background()
	for _, text := range []string{"The shop takes cards", "The shop takes coins"} {
		c, err := l.Capture.NewMemory(brain.Memory{Content: text}, brain.Details{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Capture.Capture(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := l.Capture.Correct(ctx, l.find("The shop takes coins").Memory.ID, "", "The shop takes cards"); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	l.export(dir)
	if r := open(t).take("markdown", dir); r.Imported != len(l.exported()) || r.Unchanged > 0 {
		t.Errorf("of %d memories came back %+v", len(l.exported()), r)
	}
}

func TestAFileWhoseNameDoesNotPrintIsReportedOnce(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "bell\a.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("## Port\n\nIt is 5433.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := open(t).take("markdown", dir); len(r.Problems) != 1 || len(r.LeftOut) != 0 {
		t.Errorf("problems %v, left out %v; want one problem", r.Problems, r.LeftOut)
	}
}
