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
	ms, err := l.s.Brain.Review.CoreMemories(l.t.Context())
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
	l.beforeRename = func() error {
		if once {
			once = false
			l.save(`{"preferences": {"editor": "vim", "shell": "fish"}}`)
		}
		return nil
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

// A crash between the file and its state is taken for no edit of a person.
func TestAFileWhoseStateWasNotStored(t *testing.T) {
	l := newLab(t)
	l.save(`{"preferences": {"editor": "vim"}}`)
	l.run()
	id := l.patterned("Deploys", "Deploy at noon. Ask Ada before.")
	l.run()
	was, err := l.state(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.s.Brain.Capture.Correct(t.Context(), id, "", "Deploy at nine. Ask Ada before."); err != nil {
		t.Fatal(err)
	}
	l.patterned("Reviews", "Two people review. Ada is one.")
	l.run()
	after := l.text()
	if !strings.Contains(after, "Deploy at nine.") || !strings.Contains(after, "Two people review.") {
		t.Fatalf("the file is %s", after)
	}
	if err := l.remember(t.Context(), was); err != nil {
		t.Fatal(err)
	}
	if kinds := l.run(); kinds != "" {
		t.Errorf("the run did %q", kinds)
	}
	if l.text() != after {
		t.Errorf("the file is %s", l.text())
	}
	l.wantCore(map[string]string{"editor": "vim", "Deploys": "Deploy at nine. Ask Ada before.", "Reviews": "Two people review. Ada is one."})
}

// patterned makes a pattern that is core memory, and returns its id.
func (l *lab) patterned(name, text string) string {
	l.t.Helper()
	c, err := l.s.Brain.Capture.NewMemory(brain.Memory{Name: name, Content: text, MemoryType: "pattern", Retention: "core"}, brain.Details{})
	if err != nil {
		l.t.Fatal(err)
	}
	made, err := l.s.Brain.Capture.Capture(l.t.Context(), c)
	if err != nil {
		l.t.Fatal(err)
	}
	return made.MemoryID
}

// Of a longer text only the sentence that the file shows is changed.
func TestAnEditOfASummary(t *testing.T) {
	l := newLab(t)
	l.patterned("Deploys", "Deploy at noon. Ask Ada before.")
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
		"core.uses": 5, "mine": "x"}}`)
	var wrong []string
	read := Overrides(l.s.Path, func(w string) { wrong = append(wrong, w) })
	got := read()
	want := map[string]float64{"relevanceThreshold": 0, "forget.afterDays": 120, "forget.minUses": 2, "maxMemories": 500}
	if !maps.Equal(got, want) {
		t.Errorf("the file sets %v, want %v", got, want)
	}
	if len(wrong) != 1 || !strings.Contains(wrong[0], "core.uses does not count; set it for all machines: brainbridge config set lifecycle.core.uses VALUE") {
		t.Errorf("it calls wrong %q", wrong)
	}
	l.save(`{"memoryConfig": {"minUsesToRetain": 1.5, "decayThresholdDays": "soon"}}`)
	if got := read(); len(got) > 0 || len(wrong) != 3 || !strings.Contains(wrong[1], "minUsesToRetain is 1.5") || !strings.Contains(wrong[2], `decayThresholdDays is "soon"`) {
		t.Errorf("the file sets %v, and it calls wrong %q", got, wrong)
	}
	if err := l.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.save("{broken")
	if got := read(); len(got) > 0 || len(wrong) != 4 || !strings.Contains(wrong[3], "cannot be read") {
		t.Errorf("a broken file sets %v, %q", got, wrong)
	}
	if err := l.Check(t.Context()); err == nil {
		t.Error("a broken file can be read")
	}
	if err := l.Write(t.Context(), l.s.Brain.Base.Now(), true); err == nil || l.text() != "{broken" {
		t.Errorf("a broken file was written over: %v, %s", err, l.text())
	}
	if err := os.Remove(l.s.Path); err != nil {
		t.Fatal(err)
	}
	if got := read(); len(got) > 0 {
		t.Errorf("a file that a person took away sets %v", got)
	}
}
