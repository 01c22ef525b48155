package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
)

// A first scan that is killed is completed by the next one: nothing of the notes is missing, and
// nothing is there twice.
func TestKillLoopOverTheFirstScan(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		const files = 300
		h.vault(files)
		rounds := 3
		if h.embedded() {
			rounds = 8
		}
		l := newKillLoop(t, rounds, func() { h.ok("notes", "sync") })
		undisturbed := h.ingested()
		if n := len(undisturbed); n < 5*files {
			t.Fatalf("only %d nodes and relations", n)
		}
		for range l.rounds {
			h.forgetAll()
			l.scanKilled(h)
			differ(t, "what is ingested", h.ingested(), undisturbed)
			got := ask[synced](h, "notes", "sync")
			want(t, "other entries in the next scan", got.New+got.Changed+got.Gone, 0)
		}
	})
}

// scanKilled kills scans, by a command or by the daemon, and then lets one finish.
func (l *killLoop) scanKilled(h *home) {
	l.t.Helper()
	for range l.times() {
		if l.rnd.IntN(3) == 0 {
			l.killAfter(h, time.After(l.instant()), "serve")
		} else {
			l.kill(h, "notes", "sync")
		}
	}
	l.works(h, "notes", "sync")
	l.tidy(h.dir)
}

// vault writes notes of all kinds. Many refer to others, which may be read before or after them.
func (h *home) vault(files int) {
	h.t.Helper()
	for i := range files {
		name, more := fmt.Sprintf("2026-01-%02d-%03d.md", i%28+1, i), ""
		switch i % 4 {
		case 1:
			name = fmt.Sprintf("projects/%d/plan %d.md", i%7, i)
		case 2:
			more = fmt.Sprintf("\nSee [[%s]] and [[%s]].\n", word((i+37)%files), word(i/2))
		case 3:
			more = "\n- decision: the same bullet stands in many of the notes\n- [ ] the same task is carried on by 2026-02-01\n"
		}
		h.save(name, fmt.Sprintf("# Day %d\n\nSome prose of %s.\n\n- [ ] call %s\n- [x] pay %s\n\n", i, word(i), word(i+1000), word(i+2000))+
			outcome("10:00", word(i), fmt.Sprint(word(i+3000), " ", word(i+4000), more))+
			outcome("11:00", word(i+5000), fmt.Sprint(word(i+6000), " ", word(i+7000)))+
			fmt.Sprintf("## Section %d\n\nProse about the mill of %s.\n", i, word(i+8000)))
	}
}

// word returns a word that no other number has, so that no two texts are alike.
func word(n int) (w string) {
	for ; n > 0 || w == ""; n /= 60 {
		w += string("bdfgklmnprst"[n%60/5]) + string("aeiou"[n%5])
	}
	return w + "x"
}

// forgetAll makes the brain new; its notes stay.
func (h *home) forgetAll() {
	h.t.Helper()
	for _, path := range []string{h.path("data"), h.path("state"), h.path("MEMORY.md"), h.note(".brainbridge")} {
		must(h.t, os.RemoveAll(path))
	}
	if !h.embedded() {
		uri := neo4jtest.Server(h.t)
		dropBrain(h.t, uri, h.brain)
		createBrain(h.t, uri, "", h.brain)
	}
}

// ingested returns what the store has of the notes, with the ids replaced by what they stand for. What
// a memory was before the daemon promoted it is left out.
func (h *home) ingested() []string {
	h.t.Helper()
	dir := ask[struct{ Path string }](h, "backup", "create").Path
	defer func() { must(h.t, os.RemoveAll(dir)) }()
	type node = map[string]any
	nodes, lines, relations := map[any]string{}, []string{}, []node{}
	for _, raw := range graphOf(h.t, dir) {
		l, err := decode[map[string]node](raw)
		must(h.t, err)
		for label, n := range l {
			switch {
			case label == "relation":
				relations = append(relations, n)
			case n["kind"] == "NoteFile":
				lines = append(lines, fmt.Sprint("file ", n["key"], n["body"].(node)["hash"]))
			case label != "record":
				nodes[n["id"]] = label + told(h.t, n)
			}
		}
	}
	for _, r := range relations {
		if r["type"] == "PROMOTED_TO" {
			delete(nodes, r["from"])
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", nodes[r["from"]], r["type"], nodes[r["to"]]))
	}
	return slices.Sorted(slices.Values(slices.AppendSeq(lines, maps.Values(nodes))))
}

// told returns what a note says of a node, without ids, energies and the times of the scan.
func told(t *testing.T, node map[string]any) string {
	t.Helper()
	kept := []string{
		"name", "content", "memoryType", "project", "kind", "type", "date", "time", "title", "body", "text", "due", "file", "line", "heading", "hash",
	}
	maps.DeleteFunc(node, func(k string, _ any) bool { return !slices.Contains(kept, k) })
	text, err := json.Marshal(node)
	must(t, err)
	return string(text)
}

// graphOf returns the lines of the graph in a backup.
func graphOf(t *testing.T, backup string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(backup, "graph.jsonl.zst"))
	must(t, err)
	d, err := zstd.NewReader(nil)
	must(t, err)
	defer d.Close()
	text, err := d.DecodeAll(raw, nil)
	must(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// differ reports the lines that one of two sorted lists has more often than the other.
func differ(t *testing.T, what string, got, wanted []string) {
	t.Helper()
	more, fewer := lacking(got, wanted), lacking(wanted, got)
	if len(more)+len(fewer) > 0 {
		t.Errorf("%s: %d lines too many and %d missing:\n+ %.2000s\n- %.2000s", what, len(more), len(fewer), strings.Join(more, "\n+ "), strings.Join(fewer, "\n- "))
	}
}

// lacking returns the lines of a that b does not have, or not as often.
func lacking(a, b []string) (lines []string) {
	n := map[string]int{}
	for _, line := range b {
		n[line]++
	}
	for _, line := range a {
		if n[line]--; n[line] < 0 {
			lines = append(lines, line)
		}
	}
	return lines
}
