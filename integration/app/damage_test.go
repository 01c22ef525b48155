package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/config"
)

// Damage to any file of a brain never makes an answer wrong. What changes an answer is noticed, and
// doctor --fix has back what the newest backup, the notes and the spool hold.
// BRAINBRIDGE_TEST_DAMAGES is the number of damages, BRAINBRIDGE_TEST_SEED their seed.
func TestRandomDamage(t *testing.T) {
	lab := newDamageLab(t)
	damages, seed := 40, uint64(64)
	if testing.Short() {
		damages = 10
	}
	if n, err := strconv.Atoi(os.Getenv("BRAINBRIDGE_TEST_DAMAGES")); err == nil {
		damages = n
	}
	if n, err := strconv.ParseUint(os.Getenv("BRAINBRIDGE_TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var changed, noticed, mended, nothing int
	for i := range damages {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			lab.reset(t)
			what := lab.damage(t, r)
			lab.older = strings.Contains(what, "-wal")
			saw := lab.read(t)
			differs := saw.differsFrom(lab.whole)
			found := lab.doctor(t)
			for _, name := range saw.warned {
				found = append(found, "warning: "+name)
			}
			if differs != "" {
				changed++
			}
			switch {
			case len(found) > 0:
				noticed++
			case differs != "":
				t.Errorf("%s: %s, and nothing is noticed", what, differs)
			default:
				nothing++
				return
			}
			if lab.mend(t, what, found) {
				mended++
			}
		})
	}
	testlab.Report(t, "SQLite", "%d damages, %d changed an answer, %d noticed, %d of these mended, %d changed nothing", damages, changed, noticed, mended, nothing)
}

// damageLab is a brain that was killed, and what it said.
type damageLab struct {
	home, base string
	whole      damageSeen
	backedUp   map[string]bool // texts that the newest backup has
	noted      []string        // texts in notes
	spooled    map[string]string
	backup     string
	older      bool // the log is damaged, so the store may be that of an earlier time
}

// damageSeen is what the commands say.
type damageSeen struct {
	texts    map[string]string // of memories by id
	sections map[string]string
	history  map[string]string // all texts that a memory had
	settings *config.Config
	refused  error
	warned   []string
}

func newDamageLab(t *testing.T) *damageLab {
	t.Helper()
	dir := t.TempDir()
	l := &damageLab{home: filepath.Join(dir, "home"), base: filepath.Join(dir, "base"), backedUp: map[string]bool{}, spooled: map[string]string{}}
	l.write(t, "config.toml", "# The settings of a test, with a comment that is some words long.\n[notes]\nbudget_lines = 120\nbudget_chars = 12000\n\n[health]\nsilence_days = 5\n\n[hooks]\nheartbeat = 7\n")
	for day := range 6 {
		l.write(t, fmt.Sprintf("memory/2026-02-%02d.md", day+1), fmt.Sprintf("# Day %d\n\nDecision: The door number %d of the mill is painted blue.\n", day, day))
	}
	l.write(t, "memory/rivers.md", "# Rivers\n\nThe river has 3 bridges of wood.\n\n## Lakes\n\nThe lake has 2 islands.\n")
	u, done := l.open(t, nil)
	l.capture(t, u, 0, 30)
	_, err := u.SyncNotes(t.Context())
	damageWorks(t, err)
	_, err = u.Consolidate(t.Context(), ConsolidateRequest{})
	damageWorks(t, err)
	_, err = u.CreateBackup(t.Context(), "", "")
	damageWorks(t, err)
	done() // the write-ahead log is written to the file
	u, done = l.open(t, nil)
	l.capture(t, u, 30, 36)
	made, err := u.CreateBackup(t.Context(), "", "")
	damageWorks(t, err)
	l.backup = string(made.Path)
	b, err := u.Brain(t.Context())
	damageWorks(t, err)
	for _, text := range l.texts(t, b) {
		l.backedUp[text] = true
	}
	damageWorks(t, b.Base.Store.Update(t.Context(), func(tx brain.Tx) error {
		memories, err := tx.ListMemories(brain.ListFilter{Limit: 20})
		for i, m := range memories {
			err = errors.Join(err, tx.PutVectors("model", brain.Embedded{Passage: m.Passage(), Values: unitVector(i)}))
		}
		return err
	}))
	l.capture(t, u, 36, 42)
	l.write(t, "memory/2026-02-20.md", "# Day\n\nDecision: The roof of the mill is green.\n")
	_, err = u.SyncNotes(t.Context())
	damageWorks(t, err)
	for i := range 4 {
		c, err := b.Capture.NewMemory(brain.Memory{Content: fmt.Sprintf("The spool of the mill has %d threads.", i)}, brain.Details{})
		damageWorks(t, err)
		damageWorks(t, u.app.spool().Add(t.Context(), c))
		l.spooled[c.Memory.ID] = c.Memory.Content
	}
	damageWorks(t, os.CopyFS(l.base, os.DirFS(l.home))) // as after kill -9
	damageWorks(t, os.Remove(filepath.Join(l.base, "data", "default", "brain.db-shm")))
	done()
	l.reset(t)
	l.whole = l.read(t)
	for _, text := range l.whole.texts {
		if strings.Contains(text, "door number") || strings.Contains(text, "roof") {
			l.noted = append(l.noted, text)
		}
	}
	if len(l.noted) < 7 || len(l.whole.texts) < 53 || l.whole.refused != nil || len(l.whole.sections) < 2 {
		t.Fatalf("the brain has %d texts, %d of notes: %v", len(l.whole.texts), len(l.noted), l.whole.refused)
	}
	if found := l.doctor(t); len(found) > 0 {
		t.Fatalf("without damage, doctor finds %v", found)
	}
	return l
}

func unitVector(i int) []float32 {
	sin, cos := math.Sincos(float64(i) / 10)
	return []float32{float32(cos), float32(sin), 0, 0}
}

func damageWorks(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (l *damageLab) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(l.home, name)
	damageWorks(t, os.MkdirAll(filepath.Dir(path), 0o700))
	damageWorks(t, os.WriteFile(path, []byte(text), 0o600))
}

// reset makes the home folder what it was without damage.
func (l *damageLab) reset(t *testing.T) {
	t.Helper()
	damageWorks(t, os.RemoveAll(l.home))
	damageWorks(t, os.CopyFS(l.home, os.DirFS(l.base)))
	damageWorks(t, filepath.WalkDir(l.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	}))
}

func (l *damageLab) capture(t *testing.T, u *UseCases, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		a, err := u.Remember(t.Context(), RememberRequest{Content: fmt.Sprintf("The mill number %d has %d stones, as the miller said in the year %d.", i, i*7, 1700+i)})
		damageWorks(t, err)
		if i%6 == 0 {
			_, err = u.Correct(t.Context(), string(a.MemoryID), "", fmt.Sprintf("The mill number %d has no stones. The miller was wrong.", i))
			damageWorks(t, err)
		}
	}
}

// damageNotices keeps warnings.
type damageNotices struct {
	silence
	warned *[]string
}

func (n damageNotices) Warn(err error) { *n.warned = append(*n.warned, err.Error()) }

// open returns the use cases of one command. If the settings cannot be read, they are those without.
func (l *damageLab) open(t *testing.T, warned *[]string) (u *UseCases, done func()) {
	t.Helper()
	if warned == nil {
		warned = new([]string)
	}
	env := func(name string) string { return map[string]string{"BRAINBRIDGE_HOME": l.home}[name] }
	settings, err := config.Load(config.Input{Env: env})
	broken := err
	if err != nil {
		settings, err = config.LoadWithoutFile(config.Input{Env: env})
	}
	damageWorks(t, err)
	now := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	a := New(Options{Settings: settings, Env: env, Now: now, Version: "test", BrokenSettings: broken})
	return a.As(Caller{Notices: damageNotices{warned: warned}}), func() {
		if err := a.Close(); err != nil && !sqlite.IsDamage(err) {
			t.Error(err)
		}
	}
}

// read asks for everything, as the commands do.
func (l *damageLab) read(t *testing.T) damageSeen {
	t.Helper()
	saw := damageSeen{texts: map[string]string{}, sections: map[string]string{}, history: map[string]string{}}
	u, done := l.open(t, &saw.warned)
	if saw.refused = u.app.BrokenSettings; saw.refused != nil {
		done()
		return saw
	}
	saw.settings = &u.app.Settings.Config
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b, err := u.Brain(ctx)
	if saw.answers(t, err) {
		l.ask(ctx, t, b, &saw)
	}
	done()
	return saw
}

func (l *damageLab) texts(t *testing.T, b *services.Services) map[string]string {
	t.Helper()
	all := map[string]string{}
	listed, err := b.Recall.List(t.Context(), lifecycle.ListQuery{All: true, Limit: 1000})
	damageWorks(t, err)
	for _, v := range listed {
		all[v.ID] = v.Name + "\n" + v.Content
	}
	return all
}

func (l *damageLab) ask(ctx context.Context, t *testing.T, b *services.Services, saw *damageSeen) {
	t.Helper()
	listed, err := b.Recall.List(ctx, lifecycle.ListQuery{All: true, Limit: 1000})
	saw.answers(t, err)
	for _, v := range listed {
		l.keep(t, saw.texts, l.whole.texts, "list", v.ID, v.Name+"\n"+v.Content)
	}
	ids := l.whole.texts
	if ids == nil { // the first read
		ids = saw.texts
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		shown, err := b.Recall.Show(ctx, id, true)
		if err == nil {
			l.keep(t, map[string]string{}, l.whole.texts, "show", id, shown.Memory.Name+"\n"+shown.Memory.Content)
		} else if !errors.Is(err, brain.ErrNotFound) {
			saw.answers(t, err)
		}
		_, events, err := b.Journal.History(ctx, id)
		for _, e := range events {
			if e.Text == nil {
				continue
			}
			saw.history[id] += e.Text.After
			if len(l.whole.history) > 0 && !strings.Contains(l.whole.history[id], e.Text.After) {
				t.Errorf("the history of %s has the text %q", id, e.Text.After)
			}
		}
		if !errors.Is(err, brain.ErrNotFound) {
			saw.answers(t, err)
		}
	}
	for _, q := range []recall.Query{{Words: words.Parse("mill stones")}, {Words: words.Parse("river bridges lake islands"), Transcripts: true}, {Words: words.Parse("wrong miller"), AsOf: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}} {
		q.NoTouch, q.Limit, q.Vector = true, 200, &brain.Vector{Model: "model", Values: unitVector(1)}
		found, err := b.Recall.Recall(ctx, q)
		saw.answers(t, err)
		for _, x := range found.Results {
			kept, whole := saw.texts, l.whole.texts
			if x.Memory.MemoryType == "section" {
				kept, whole = saw.sections, l.whole.sections
			}
			l.keep(t, kept, whole, "recall", x.Memory.ID, x.Memory.Name+"\n"+x.Memory.Content)
		}
	}
	for w, err := range b.Recall.AllMemories(ctx) {
		if !saw.answers(t, err) {
			break
		}
		l.keep(t, map[string]string{}, l.whole.texts, "export", w.Memory.ID, w.Memory.Name+"\n"+w.Memory.Content)
	}
	lines, err := b.Recall.Context(ctx, recall.ContextQuery{Budget: 2000})
	saw.answers(t, err)
	for line := range strings.Lines(lines.Text) {
		if i := strings.Index(line, "The mill number"); i >= 0 && len(l.whole.texts) > 0 && !l.says(line[i:min(len(line), i+30)]) {
			t.Errorf("the context says %q", line)
		}
	}
}

func (l *damageLab) says(text string) bool {
	for _, said := range l.whole.texts {
		if strings.Contains(said, text) {
			return true
		}
	}
	return false
}

// keep compares a text with what was stored. A memory of a note that was read again has another id.
func (l *damageLab) keep(t *testing.T, kept, whole map[string]string, where, id, text string) {
	t.Helper()
	kept[id] = text
	said, known := whole[id]
	if len(whole) == 0 || said == text { // or it is the first read
		return
	}
	if known && !l.older || !slices.Contains(slices.Collect(maps.Values(whole)), text) {
		t.Errorf("%s answers %s with %q, stored was %q", where, id, text, said)
	}
}

// answers reports whether there is an answer. A refusal must say what to do next.
func (s *damageSeen) answers(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	if s.refused = err; ExitCode(err) != ExitStore || Hint(err) == "" && !errors.Is(err, errLost) {
		t.Errorf("refused with %v", err)
	}
	return false
}

// differsFrom says what differs, "" for nothing.
func (s damageSeen) differsFrom(whole damageSeen) string {
	switch {
	case s.refused != nil:
		return "refused: " + s.refused.Error()
	case !reflect.DeepEqual(s.settings, whole.settings):
		return "the settings differ"
	case !maps.Equal(s.texts, whole.texts):
		return fmt.Sprintf("%d memories, not %d", len(s.texts), len(whole.texts))
	case !maps.Equal(s.history, whole.history):
		return "the history differs"
	case !maps.Equal(s.sections, whole.sections):
		return fmt.Sprintf("%d sections, not %d", len(s.sections), len(whole.sections))
	}
	return ""
}

// doctor returns the names of the checks that are not ok.
func (l *damageLab) doctor(t *testing.T) (found []string) {
	t.Helper()
	u, done := l.open(t, nil)
	defer done()
	a, err := u.Doctor(t.Context())
	damageWorks(t, err)
	for _, f := range a.Checks {
		if !f.OK() {
			found = append(found, f.Name+": "+f.Detail)
		}
	}
	return found
}

// mend mends and compares. It reports whether all that must be back is.
func (l *damageLab) mend(t *testing.T, what string, found []string) bool {
	t.Helper()
	var warned []string
	var plan MendPlan
	var a MendAnswer
	for again := true; again; again = plan.Settings {
		u, done := l.open(t, &warned)
		var err error
		plan, err = u.PlanMend(t.Context())
		if err == nil {
			a, err = u.Mend(t.Context(), plan)
		}
		damageWorks(t, err)
		done()
	}
	context := fmt.Sprintf("%s; found %q; warned %q; plan %v", what, found, warned, plan.Steps)
	for _, f := range a.Checks {
		if f.State == "fail" {
			t.Errorf("%s is not mended: %s; %s", f.Name, f.Detail, context)
		}
	}
	saw := l.read(t)
	if saw.refused != nil || !reflect.DeepEqual(saw.settings, l.whole.settings) {
		t.Errorf("after it: %v, %+v; %s", saw.refused, saw.settings, context)
	}
	has := map[string]bool{}
	for _, text := range saw.texts {
		has[text] = true
		_, content, _ := strings.Cut(text, "\n")
		has[content] = true
	}
	var missing []string
	for _, text := range append(slices.Sorted(maps.Keys(l.backedUp)), l.noted...) {
		if !has[text] {
			missing = append(missing, text)
		}
	}
	for id, text := range l.spooled {
		if !has[text] && !strings.Contains(what, "captures.jsonl") {
			missing = append(missing, id+" "+text)
		}
	}
	for _, text := range l.whole.sections {
		if !slices.Contains(slices.Collect(maps.Values(saw.sections)), text) {
			missing = append(missing, text)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d are missing after it, such as %q; lost %v; %s", len(missing), missing[0], a.Lost, context)
	}
	return !t.Failed()
}

// damage damages one file and says how.
func (l *damageLab) damage(t *testing.T, r *rand.Rand) string {
	t.Helper()
	inBackup := []string{"graph.jsonl.zst", "manifest.json", "manifest.sha256", "notes/rivers.md", "config.toml"}
	state, data := filepath.Join(l.home, "state", "default"), filepath.Join(l.home, "data", "default")
	files := []string{
		filepath.Join(data, "brain.db"), filepath.Join(data, "brain.db"), filepath.Join(data, "brain.db"), filepath.Join(data, "brain.db-wal"), filepath.Join(data, "brain.db-wal"),
		filepath.Join(state, "spool", "captures.jsonl"), filepath.Join(l.home, "config.toml"),
		filepath.Join(l.backup, inBackup[r.IntN(len(inBackup))]),
	}
	file := files[r.IntN(len(files))]
	content, err := os.ReadFile(file)
	damageWorks(t, err)
	name, _ := filepath.Rel(l.home, file)
	switch r.IntN(4) {
	case 0:
		damageWorks(t, os.Remove(file))
		return name + " deleted"
	case 1:
		to := r.IntN(len(content))
		damageWorks(t, os.Truncate(file, int64(to)))
		return fmt.Sprintf("%s cut from %d to %d bytes", name, len(content), to)
	}
	at := r.IntN(max(1, len(content)-64))
	for i := at; i < min(len(content), at+64); i++ {
		content[i] = byte(r.Uint32())
	}
	damageWorks(t, os.WriteFile(file, content, 0o600))
	return fmt.Sprintf("%s flipped at %d of %d", name, at, len(content))
}
