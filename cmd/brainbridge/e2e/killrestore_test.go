package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// A restore that is killed has changed nothing, or the next command finishes it. What was captured
// meanwhile stays, and what was replaced is in a backup.
func TestKillLoopOverRestore(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		a := h.firstState()
		b := h.secondState()
		rounds := 4
		if h.embedded() {
			rounds = 12
		}
		l := newKillLoop(t, rounds, func() { h.ok("backup", "restore", a.path, "--yes") })
		present := h.backup()
		for i := range l.rounds {
			to := b
			if slices.Equal(present.graph, b.graph) {
				to = a
			}
			present = l.restoreKilled(h, i, present, to)
		}
	})
}

// killMark is in the content of every capture that is made between states.
const killMark = "killmark"

// content is what a brain and its files hold, or what a backup of them does.
type content struct {
	path     string            // of the backup
	graph    []string          // sorted lines without those of captures with a killMark
	captures map[string]int    // with a killMark: how often each is there
	files    map[string]string // contents by name in a backup
}

// firstState makes the state that is backed up first.
func (h *home) firstState() content {
	h.t.Helper()
	for i := range 40 {
		h.save(fmt.Sprintf("2026-01-%02d.md", i%28+1), note("10:00", word(i), fmt.Sprint("the first ", word(i+100), " [[", word(i/2), "]]")))
		h.save(fmt.Sprintf("projects/%d/plan.md", i), fmt.Sprintf("# Plan %d\n\nThe first plan.\n", i))
	}
	h.save(strings.Repeat("漢", 80)+".md", note("11:00", "Long", "the first long name"))
	h.ok("notes", "sync")
	from := ask[captured](h, "learn", "coast", "tides come twice").MemoryID
	to := ask[captured](h, "remember", "the harbour has 3 gates").MemoryID
	h.ok("relate", from, "RELATED_TO", to)
	h.ok("core", "promote", from)
	h.ok("notes", "consolidate")
	return h.backup()
}

// secondState makes another state, in which every kind of thing was added, changed and removed.
func (h *home) secondState() content {
	h.t.Helper()
	for i := range 20 {
		h.save(fmt.Sprintf("2026-01-%02d.md", i+1), note("10:00", word(i), "the second "+word(i+200)))
		h.save(fmt.Sprintf("areas/%d/more.md", i), note("12:00", "More", "the second more"))
		must(h.t, os.Remove(h.note(fmt.Sprintf("projects/%d/plan.md", i))))
	}
	h.save(strings.Repeat("漢", 80)+".md", note("11:00", "Long", "the second long name"))
	h.ok("notes", "sync")
	gone := ask[captured](h, "remember", "what is forgotten again").MemoryID
	h.ok("forget", gone, "--yes")
	h.ok("core", "promote", ask[captured](h, "learn", "coast", "the light is red").MemoryID)
	for i := range 20 {
		h.ok("remember", fmt.Sprint("the second ", word(i+300)))
	}
	h.ok("notes", "consolidate")
	return h.backup()
}

// backup makes a backup and reads it.
func (h *home) backup() content {
	h.t.Helper()
	return readBackup(h.t, ask[struct{ Path string }](h, "backup", "create").Path)
}

func readBackup(t *testing.T, dir string) content {
	t.Helper()
	c := content{path: dir, captures: map[string]int{}, files: map[string]string{}}
	var ids []string // of captures
	lines := graphOf(t, dir)
	for _, line := range lines {
		if _, name, found := strings.Cut(line, `"content":"`+killMark); found {
			name, _, _ = strings.Cut(name, `"`)
			c.captures[name]++
			_, id, _ := strings.Cut(line, `"id":"`)
			id, _, _ = strings.Cut(id, `"`)
			ids = append(ids, id)
		}
	}
	for _, line := range lines { // a day's tally counts what was shown meanwhile
		if !strings.HasPrefix(line, `{"record":{"kind":"Checkpoint"`) && !strings.HasPrefix(line, `{"record":{"kind":"DayTally"`) && !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(line, id) }) {
			c.graph = append(c.graph, line)
		}
	}
	slices.Sort(c.graph)
	for _, name := range []string{"notes", "MEMORY.md", "core-memory.json", "archive"} {
		readFiles(t, c.files, name, filepath.Join(dir, name))
	}
	return c
}

// files returns the files that a backup has, as they are now.
func (h *home) files() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	readFiles(h.t, all, "notes", h.notes())
	readFiles(h.t, all, "MEMORY.md", h.path("MEMORY.md"))
	for _, name := range []string{"core-memory.json", "archive"} {
		readFiles(h.t, all, name, h.path("data", h.brain, name))
	}
	return all
}

func readFiles(t *testing.T, all map[string]string, name, path string) {
	t.Helper()
	err := filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(p, ".lock") {
			return err
		}
		raw, err := os.ReadFile(p)
		all[name+strings.TrimPrefix(p, path)] = string(raw)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// restoreKilled kills a restore of a backup, while somebody captures, and checks what is there
// after some plain commands. It returns that.
func (l *killLoop) restoreKilled(h *home, round int, before, to content) content {
	l.t.Helper()
	meanwhile, delay := make(chan string), l.instant()
	go func() {
		<-time.After(delay)
		meanwhile <- l.capture(h, fmt.Sprint("during ", round))
	}()
	restore := []string{"backup", "restore", to.path, "--yes"}
	begun := func() bool { _, err := os.Stat(h.state("restore.json")); return err == nil }
	if round%2 == 0 {
		l.kill(h, restore...)
	} else { // once the graph is being replaced
		ctx, ended := context.WithCancel(l.t.Context())
		l.killAfter(h, l.since(ctx, begun), restore...)
		ended()
	}
	if begun() {
		l.unfinished++
	}
	acked := []string{<-meanwhile}
	for name, text := range h.files() {
		if now, old, restored := text, before.files[name], to.files[name]; now != old && now != restored && !durable.IsTemp(filepath.Base(name)) {
			l.t.Errorf("after the kill, %s is neither the old nor the restored one: %q", name, now)
		}
	}
	for i := range 3 {
		if l.rnd.IntN(2) == 0 {
			name := fmt.Sprintf("after %d, %d", round, i)
			l.works(h, "-q", "remember", killMark+name)
			acked = append(acked, name)
		} else {
			l.anything(h)
		}
	}
	after := h.backup()
	must(l.t, os.RemoveAll(after.path))
	l.tidy(h.dir)
	after.files = h.files()
	broken := h.broken()
	l.judge(before, to, after, broken, acked)
	for _, b := range broken {
		must(l.t, os.RemoveAll(b.path))
	}
	return after
}

// capture captures, and returns the name if that was acknowledged.
func (l *killLoop) capture(h *home, name string) string {
	a, err := h.try("-q", "remember", killMark+name)
	if err != nil || a.code != 0 || !strings.HasSuffix(a.out, "\n") {
		return ""
	}
	return name
}

// broken reads the backups of replaced states.
func (h *home) broken() (all []content) {
	h.t.Helper()
	dirs, err := filepath.Glob(h.path("data", h.brain, "backups", "broken-*"))
	must(h.t, err)
	for _, dir := range dirs {
		all = append(all, readBackup(h.t, dir))
	}
	return all
}

// judge checks that a restore changed nothing, or everything, of which the old state is in a
// backup, and that no acknowledged capture is lost.
func (l *killLoop) judge(before, to, after content, broken []content, acked []string) {
	l.t.Helper()
	files := maps.Clone(before.files)
	switch {
	case slices.Equal(after.graph, before.graph):
		l.unchanged++
	case slices.Equal(after.graph, to.graph):
		l.restored++
		maps.Copy(files, to.files)
		saved := slices.ContainsFunc(broken, func(b content) bool {
			return slices.Equal(b.graph, before.graph) && maps.Equal(b.files, before.files)
		})
		if !saved {
			l.t.Errorf("none of %d backups has the state that was replaced", len(broken))
		}
	default:
		differ(l.t, "against the old state, the graph", after.graph, before.graph)
		differ(l.t, "against the restored state, the graph", after.graph, to.graph)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if now, there := after.files[name]; !there || now != files[name] {
			l.t.Errorf("%s (there: %t) is %q, want %q", name, there, now, files[name])
		}
	}
	for name := range after.files {
		if _, wanted := files[name]; !wanted {
			l.t.Errorf("%s is new", name)
		}
	}
	for _, name := range append(acked, slices.Collect(maps.Keys(before.captures))...) {
		saved := slices.ContainsFunc(broken, func(b content) bool { return b.captures[name] == 1 })
		if n := after.captures[name]; n > 1 || n == 0 && name != "" && (!saved || strings.HasPrefix(name, "after") && slices.Contains(acked, name)) {
			l.lost++
			l.t.Errorf("the capture %q is stored %d times; in a backup: %t", name, n, saved)
		}
	}
}
