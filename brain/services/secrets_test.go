package services_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/words"
)

// secret is made up, in the form that GitHub gives to its tokens.
const (
	secret = "ghp_" + "w7Rk2PqX9vTz4LmB8nYc3JdF6hGs1VaQeU0o"
	marker = "[redacted: github token]"
)

// censored is a lab whose brain takes secrets out, and counts what it told of.
type censored struct {
	*lab
	told int
}

func newCensored(t *testing.T) *censored {
	t.Helper()
	l := &censored{lab: newLab(t)}
	l.dir = t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(l.dir, "brain.db"), "censored")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	l.Services = services.New(s, services.Options{
		Now:            func() time.Time { return l.now },
		Redact:         redact.Text,
		ReportRedacted: func(n int) { l.told += n },
	})
	return l
}

// holds reports whether any file of the store has a text in it.
func (l *censored) holds(text string) bool {
	l.t.Helper()
	found := false
	err := filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || bytes.Contains(data, []byte(text))
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return found
}

func TestNoCaptureStoresASecret(t *testing.T) {
	with := func(text string) string { return text + " " + secret }
	details := brain.Details{Tags: []string{secret}}
	for name, made := range map[string]func(*censored) (brain.Capture, error){
		"crystallization": func(l *censored) (brain.Capture, error) {
			return l.Capture.New(brain.Source{Kind: brain.Crystallization, Trigger: with("trigger"), Insight: with("insight")}, details)
		},
		"learning": func(l *censored) (brain.Capture, error) {
			return l.Capture.New(brain.Source{Kind: brain.Learning, Concept: with("concept"), Learned: with("text")}, details)
		},
		"reminder": func(l *censored) (brain.Capture, error) {
			return l.Capture.New(brain.Source{Kind: brain.Reminder, Text: with("text")}, details)
		},
		"activity": func(l *censored) (brain.Capture, error) {
			return l.Capture.New(brain.Source{Kind: brain.Activity, Type: with("type"), Description: with("description")}, details)
		},
		"memory": func(l *censored) (brain.Capture, error) {
			return l.Capture.NewMemory(brain.Memory{
				Name: with("name"), Content: with("text"), Origin: secret, AppliesTo: []string{secret}, Extra: []byte(`{"token":"` + secret + `"}`),
			}, details)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newCensored(t)
			c := must[brain.Capture](l.lab)(made(l))
			must[brain.Captured](l.lab)(l.Capture.Capture(l.ctx(), c))
			must[brain.Captured](l.lab)(l.Capture.Capture(l.ctx(), c)) // a retry counts nothing twice
			if l.holds(secret) || !l.holds(marker) {
				t.Errorf("the store holds the secret: %v, its marker: %v", l.holds(secret), l.holds(marker))
			}
			if l.told == 0 || l.tallied(lifecycle.TallyRedacted) == 0 {
				t.Errorf("told of %d secrets and counted %d, want some", l.told, l.tallied(lifecycle.TallyRedacted))
			}
		})
	}
}

func TestCorrectingStoresNoSecret(t *testing.T) {
	l := newCensored(t)
	id := l.learn("token", "none yet")
	shown := ran[brain.Memory](l.lab)(l.Capture.Correct(l.ctx(), id, "", "it is "+secret))
	if shown.Content != "it is "+marker || l.told != 1 || l.tallied(lifecycle.TallyRedacted) != 1 {
		t.Errorf("corrected to %q, told of %d, counted %d", shown.Content, l.told, l.tallied(lifecycle.TallyRedacted))
	}
	ran[brain.Memory](l.lab)(l.Capture.Correct(l.ctx(), shown.ID, "the "+secret, "still "+secret))
	if l.holds(secret) {
		t.Error("the store holds the secret")
	}
}

// A file keeps its secret, and compares as unchanged at every scan.
func TestNotesAreTakenInWithoutSecrets(t *testing.T) {
	l := newCensored(t)
	note := ingest.Note{File: "2026-02-05.md", Outcomes: []ingest.NoteOutcome{{
		Source: brain.Source{
			Key: "k", Date: "2026-02-05", Time: "09:00", Type: "decision", Title: "Token " + secret, TitleKey: "t",
			Importance: brain.Important, Body: "use [[app " + secret + "]]\n", BodyHash: brain.Hash(secret), Line: 3,
		},
		Content: "use " + secret,
	}}, Sections: []ingest.NoteSection{{
		Section: brain.Section{
			Key: "s", Heading: "about " + secret, Text: "see " + secret, Hash: "h", Line: 9,
		},
	}}}
	for scan, want := range []ingest.Ingested{{New: 1, Redacted: 3}, {Unchanged: 1}, {Unchanged: 1}} {
		got := must[ingest.Ingested](l.lab)(l.Ingest.Ingest(l.ctx(), "dir", []ingest.Note{note}))
		if got.New != want.New || got.Changed != 0 || got.Unchanged != want.Unchanged || got.Redacted != want.Redacted {
			t.Errorf("scan %d: %+v, want %+v", scan+1, got, want)
		}
	}
	if l.holds(secret) {
		t.Error("the store holds the secret")
	}
	if l.told != 3 || l.tallied(lifecycle.TallyRedacted) != 3 {
		t.Errorf("told of %d secrets and counted %d, want 3: one an outcome, one a heading, one below it", l.told, l.tallied(lifecycle.TallyRedacted))
	}
	if !strings.Contains(note.Outcomes[0].Body, secret) {
		t.Error("the caller's note was changed")
	}
	if got := l.recall(recall.Query{Words: words.Parse("github"), NoTouch: true}); len(got) != 0 {
		t.Errorf("the words of a marker find %v", got)
	}
}

func TestImportsAreTakenInWithoutSecrets(t *testing.T) {
	l := newCensored(t)
	item := ingest.ImportItem{
		Memory: brain.Memory{ID: brain.NewID(), Content: "use " + secret, MemoryType: "note", Extra: []byte(`{"a":["` + secret + `"]}`)},
		Source: &brain.Source{ID: brain.NewID(), Kind: brain.Outcome, Key: "k", Body: "use " + secret, BodyHash: "h"},
	}
	for range 2 {
		run := brain.Run{ID: brain.NewID(), Kind: ingest.RunImport, Started: l.now}
		if _, _, err := l.Ingest.Import(l.ctx(), run, ingest.ImportBatch{Items: []ingest.ImportItem{item}}); err != nil {
			t.Fatal(err)
		}
	}
	if l.holds(secret) || l.tallied(lifecycle.TallyRedacted) == 0 {
		t.Errorf("the store holds the secret: %v; counted %d", l.holds(secret), l.tallied(lifecycle.TallyRedacted))
	}
}

// A model can invent what looks like a secret.
func TestWhatAModelMadeIsStoredWithoutSecrets(t *testing.T) {
	l := newCensored(t)
	var sources []brain.Memory
	for _, text := range []string{"the port is 1", "the port is 2"} {
		sources = append(sources, l.memory(l.learn("port", text)))
	}
	run := brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: l.now}
	result := brain.Memory{Name: "port " + secret, Content: "with " + secret, MemoryType: "learning", Tags: []string{secret}}
	if _, _, err := l.Review.Merge(l.ctx(), run, l.now, review.Merging{Sources: sources, Reason: "alike " + secret, Result: &result}); err != nil {
		t.Fatal(err)
	}
	if l.holds(secret) || !l.holds("with "+marker) || l.told == 0 {
		t.Errorf("the store holds the secret: %v, its marker: %v; told of %d", l.holds(secret), l.holds("with "+marker), l.told)
	}
	if l.tallied(lifecycle.TallyRedacted) != l.told {
		t.Errorf("counted are %d, told of %d", l.tallied(lifecycle.TallyRedacted), l.told)
	}
	if !strings.Contains(result.Content, secret) {
		t.Error("the caller's memory was changed")
	}
}

func TestTypesOfRelationsAreTakenInWithoutSecrets(t *testing.T) {
	l := newCensored(t)
	a := brain.Memory{ID: brain.NewID(), Content: "one", MemoryType: "note", SessionID: secret, Group: secret}
	z := brain.Memory{ID: brain.NewID(), Content: "two", MemoryType: "note"}
	batch := ingest.ImportBatch{Items: []ingest.ImportItem{
		{Memory: a, Names: []brain.NamedRelation{{Type: "names " + secret, Name: "later " + secret}}},
		{Memory: z, Relations: []brain.Relation{{From: z.ID, Type: "item " + secret, To: a.ID}}},
	}, Relations: []brain.Relation{{From: a.ID, Type: "batch " + secret, To: z.ID}}}
	run := brain.Run{ID: brain.NewID(), Kind: ingest.RunImport, Started: l.now}
	if _, _, err := l.Ingest.Import(l.ctx(), run, batch); err != nil {
		t.Fatal(err)
	}
	if l.holds(secret) {
		t.Error("the store holds the secret")
	}
	for _, kept := range []string{"names ", "later ", "item ", "batch "} {
		if !l.holds(kept + marker) {
			t.Errorf("%q is not stored with its marker", kept)
		}
	}
}

// Every door counts the secrets that it takes out, once, however often the same
// is done.
func TestSecretsAreCountedByEveryDoor(t *testing.T) {
	l := newCensored(t)
	a, z := l.learn("a", "one text"), l.learn("z", "another text")
	item := brain.ReviewItem{Kind: brain.ReviewMerge, Reason: "alike " + secret, Memories: []string{a, z}}
	for name, do := range map[string]func() error{
		"relate": func() error { _, _, err := l.Capture.Relate(l.ctx(), a, "is "+secret, z); return err },
		"used":   func() error { _, err := l.Capture.Used(l.ctx(), a, brain.Unsure, "in "+secret); return err },
		"flag":   func() error { _, err := l.Review.Flag(l.ctx(), item); return err },
		"relations of entities": func() error {
			_, err := l.Graph.CreateRelations(l.ctx(), []brain.EntityRelation{{From: "Ada", To: "Bob", RelationType: "lent " + secret}})
			return err
		},
	} {
		before := l.tallied(lifecycle.TallyRedacted)
		for range 2 {
			if err := do(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if n := l.tallied(lifecycle.TallyRedacted) - before; n != 1 {
			t.Errorf("%s: %d are counted, want 1", name, n)
		}
	}
	before := l.tallied(lifecycle.TallyRedacted)
	texts := []review.CoreEntry{{Type: "preference", Key: "db_password", Text: "hunter2-summer"}}
	if _, _, _, err := l.Review.AddCore(l.ctx(), brain.Run{ID: brain.NewID(), Kind: review.RunCore, Started: l.now}, l.now, texts); err != nil {
		t.Fatal(err)
	}
	if n := l.tallied(lifecycle.TallyRedacted) - before; n != 1 || l.holds("hunter2") {
		t.Errorf("core memory: %d are counted, want 1; stored: %v", n, l.holds("hunter2"))
	}
}
