package corememory

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// lab is a brain with its file.
type lab struct {
	*Keeper
	t    *testing.T
	said []string
}

func newLab(t *testing.T) *lab {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "brain.db"), "core")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := services.New(s, services.Options{
		Now:    func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) },
		Redact: redact.Text,
	})
	l := &lab{t: t}
	l.Keeper = New(Settings{
		Brain: b, Host: "here", Path: filepath.Join(dir, "core-memory.json"), Lock: filepath.Join(dir, "lock"),
		Warn: func(s string) { l.said = append(l.said, s) },
	})
	return l
}

// save writes the file as a person does.
func (l *lab) save(text string) {
	l.t.Helper()
	if err := os.WriteFile(l.s.Path, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) text() string {
	l.t.Helper()
	text, err := os.ReadFile(l.s.Path)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// run reads and writes as a whole run does, and returns the kinds of actions.
func (l *lab) run() string {
	l.t.Helper()
	now := l.s.Brain.Base.Now()
	done, _, err := l.Read(l.t.Context(), brain.Run{ID: brain.NewID(), Kind: brain.RunConsolidate, Started: now}, now)
	if err == nil {
		err = l.Write(l.t.Context(), now, true)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	var kinds []string
	for _, a := range done {
		kinds = append(kinds, string(a.Kind))
	}
	return strings.Join(kinds, " ")
}

// core is core memory as name and text.
func (l *lab) core() map[string]string {
	l.t.Helper()
	ms, err := l.s.Brain.Core.Memories(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	all := map[string]string{}
	for _, m := range ms {
		all[m.Name] = m.Content
	}
	return all
}

func (l *lab) wantCore(want map[string]string) {
	l.t.Helper()
	if got := l.core(); !maps.Equal(got, want) {
		l.t.Errorf("core memory is %q, want %q", got, want)
	}
}

// Somebody who saves the file just before it is replaced loses nothing, and is
// read by the next run.
func TestAnEditWhileTheFileIsWritten(t *testing.T) {
	l := newLab(t)
	l.save(`{"preferences": {"editor": "vim"}}`)
	once := true
	l.beforeRename = func() {
		if once {
			once = false
			l.save(`{"preferences": {"editor": "vim", "shell": "fish"}}`)
		}
	}
	l.run()
	if !strings.Contains(l.text(), `"shell": "fish"`) || !strings.Contains(l.text(), "lastConsolidation") {
		t.Errorf("the file is %s", l.text())
	}
	if kinds := l.run(); kinds != "promote-to-core" {
		t.Errorf("the next run did %q", kinds)
	}
	l.wantCore(map[string]string{"editor": "vim", "shell": "fish"})
}

// A crash between the store and the file is taken for no edit of a person.
func TestAFileThatWasNotReplacedAfterAll(t *testing.T) {
	l := newLab(t)
	l.save(`{"preferences": {"editor": "vim"}}`)
	l.run()
	before := l.text()
	ms, err := l.s.Brain.Core.Memories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.s.Brain.Capture.Correct(t.Context(), ms[0].ID, "", "helix"); err != nil {
		t.Fatal(err)
	}
	was, err := stateOf(t.Context(), l.s.Brain.Base.Store, l.s.Host, l.s.Path)
	if err != nil {
		t.Fatal(err)
	}
	l.run()
	after, err := stateOf(t.Context(), l.s.Brain.Base.Store, l.s.Host, l.s.Path)
	if err != nil {
		t.Fatal(err)
	}
	after.Entries[0].Before = was.Entries[0].Value // as it is until the file is there
	if err := l.remember(t.Context(), after); err != nil {
		t.Fatal(err)
	}
	l.save(before)
	if kinds := l.run(); kinds != "" {
		t.Errorf("the run did %q", kinds)
	}
	if !strings.Contains(l.text(), `"editor": "helix"`) {
		t.Errorf("the file is %s", l.text())
	}
	l.wantCore(map[string]string{"editor": "helix"})
}

// Of a longer text only the sentence that the file shows is changed.
func TestAnEditOfASummary(t *testing.T) {
	l := newLab(t)
	c, err := l.s.Brain.Capture.NewMemory(brain.Memory{Name: "Deploys", Content: "Deploy at noon. Ask Ada before.", MemoryType: "pattern", Retention: "core"}, brain.Details{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.s.Brain.Capture.Capture(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	l.run()
	if !strings.Contains(l.text(), `"deploys": "Deploy at noon."`) {
		t.Fatalf("the file is %s", l.text())
	}
	l.save(strings.Replace(l.text(), "Deploy at noon.", "Deploy at nine.", 1))
	l.run()
	l.wantCore(map[string]string{"Deploys": "Deploy at nine. Ask Ada before."})
}

// What a person made of a section in their own way is theirs.
func TestASectionThatIsNoObject(t *testing.T) {
	l := newLab(t)
	const text = `{"preferences": ["vim"], "beliefs": {"a": "x", "a": "y", "b": ""}, "lastConsolidation": "never"}`
	l.save(text)
	if kinds := l.run(); kinds != "" {
		t.Errorf("the run did %q", kinds)
	}
	if got := l.text(); got != strings.Replace(text, "never", "2026-03-01T12:00:00Z", 1) {
		t.Errorf("the file became %s", got)
	}
	if said := strings.Join(l.said, "\n"); !strings.Contains(said, "preferences is not an object") || !strings.Contains(said, "beliefs.a is in the file more than once") || !strings.Contains(said, "beliefs.b has no text") {
		t.Errorf("it said %q", said)
	}
}

func TestNumbers(t *testing.T) {
	l := newLab(t)
	l.save(`{"memoryConfig": {"relevanceThreshold": 0, "decayThresholdDays": 120, "minUsesToRetain": 2, "maxMemoriesBeforeConsolidation": 500,
		"core.uses": 5, "lambda.working": 9, "mine": "x", "forget.effectiveness": 7, "core.ageDays": "soon"}}`)
	var wrong []string
	numbers := Overrides("here", l.s.Path, func(w string) { wrong = append(wrong, w) })
	read := func() map[string]float64 {
		got, err := numbers(t.Context(), l.s.Brain.Base.Store)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := read()
	want := map[string]float64{"relevanceThreshold": 0, "forget.afterDays": 120, "forget.minUses": 2, "maxMemories": 500, "core.uses": 5}
	if !maps.Equal(got, want) {
		t.Errorf("the file sets %v, want %v", got, want)
	}
	if len(wrong) != 2 || !strings.Contains(wrong[0], "forget.effectiveness is 7") || !strings.Contains(wrong[1], `core.ageDays is "soon"`) {
		t.Errorf("it calls wrong %q", wrong)
	}
	if unread, err := l.Begin(t.Context(), false); unread != nil || err != nil {
		t.Fatal(unread, err)
	}
	l.save("{broken")
	if got := read(); !maps.Equal(got, want) || len(wrong) != 3 || !strings.Contains(wrong[2], "cannot be read") {
		t.Errorf("a broken file sets %v, %q", got, wrong)
	}
	if unread, err := l.Begin(t.Context(), false); unread == nil || err != nil || len(l.said) != 1 {
		t.Fatal(unread, err, l.said)
	}
	if got := read(); !maps.Equal(got, want) {
		t.Errorf("a file that was set aside sets %v", got)
	}
	l.run()
	if got := read(); !maps.Equal(got, want) || !strings.Contains(l.text(), `"mine": "x"`) {
		t.Errorf("the file after it sets %v: %s", got, l.text())
	}
	if err := os.Remove(l.s.Path); err != nil {
		t.Fatal(err)
	}
	if got := read(); len(got) > 0 {
		t.Errorf("a file that a person took away sets %v", got)
	}
}
