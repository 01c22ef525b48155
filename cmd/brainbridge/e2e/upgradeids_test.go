package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answered is what answers of before and after the format of ids for life both say.
type answered struct {
	Memory  struct{ Content string }
	Events  []struct{ At, Kind, Reason string }
	Results []struct{ Memory struct{ Content string } }
}

// texts returns the contents of the results in an order that does not depend on the store.
func (a answered) texts() (all []string) {
	for _, r := range a.Results {
		all = append(all, r.Memory.Content)
	}
	return slices.Sorted(slices.Values(all))
}

// saysAsBefore asks for every id that was ever given, for the history of each and as of several
// instants, and compares with what the program of before said.
func (o old) saysAsBefore(t *testing.T) {
	t.Helper()
	asked := 0
	for line := range bytes.Lines(unpacked(t, "23/answers.jsonl.zst")) {
		before, err := decode[struct {
			Args   []string
			Answer answered
		}](string(line))
		must(t, err)
		if !slices.Contains([]string{"show", "history", "recall"}, before.Args[0]) {
			continue
		}
		asked++
		after, err := decode[answered](o.ok(append([]string{"--json"}, before.Args...)...).out)
		must(t, err)
		what := strings.Join(before.Args, " ")
		want(t, "the text of "+what, after.Memory.Content, before.Answer.Memory.Content)
		want(t, "events of "+what, fmt.Sprint(after.Events), fmt.Sprint(before.Answer.Events))
		want(t, "results of "+what, strings.Join(after.texts(), "\n"), strings.Join(before.Answer.texts(), "\n"))
	}
	if asked < 150 {
		t.Fatalf("only %d answers were compared", asked)
	}
}

// firstID returns the id that the capture of a memory of the fixtures printed.
func firstID(t *testing.T, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut("\n"+string(unpacked(t, "23/ids.txt")), "\n"+name+" ")
	if !ok {
		t.Fatalf("ids.txt has no %s", name)
	}
	id, _, _ := strings.Cut(rest, "\n")
	return id
}

// withFiles puts the notes and MEMORY.md of the fixtures into the home.
func (o *old) withFiles(t *testing.T) {
	t.Helper()
	must(t, os.CopyFS(o.path("memory"), os.DirFS(fixturePath(t, "23/notes"))))
	must(t, os.WriteFile(o.path("MEMORY.md"), unpacked(t, "23/MEMORY.md"), 0o600))
}

// Every id that the program of before gave leads to the same memory after the upgrade, decisions
// stay decided, and what that program did is undone or left with the reason.
func TestUpgradeToIDsForLife(t *testing.T) {
	t.Parallel()
	newIDs.onBoth(t, func(t *testing.T, o old) {
		o.withFiles(t)
		says(t, o.ok("list", "--all").err, o.formats)
		want(t, "what the next command says", o.ok("list").err, "")
		o.saysAsBefore(t)
		t.Run("decisions", func(t *testing.T) { o.staysDecided(t) })
		t.Run("spool", func(t *testing.T) { o.drainsOnce(t) })
		t.Run("restore", func(t *testing.T) {
			o.ok("backup", "restore", fixturePath(t, "23/backup"), "--yes")
			o.saysAsBefore(t)
		})
		t.Run("undo", func(t *testing.T) { o.undoesTheOld(t) })
	})
}

// staysDecided runs maintenance: nothing that was decided is asked or done again.
func (o old) staysDecided(t *testing.T) {
	t.Helper()
	reviewed := o.ok("review", "--all").out
	memoryMD := string(unpackedFile(t, o.path("MEMORY.md")))
	for range 2 {
		run := ask[struct{ Merged, Flagged int }](o.home, "consolidate", "--rules-only")
		want(t, "merged and proposed again", fmt.Sprint(run), "{0 0}")
	}
	want(t, "the review queue", o.ok("review", "--all").out, reviewed)
	o.ok("curate")
	after := string(unpackedFile(t, o.path("MEMORY.md")))
	if strings.Contains(after, "Tests need two cores") {
		t.Errorf("what a person deleted is in MEMORY.md again:\n%s", after)
	}
	says(t, after, "release branch")
	want(t, "entries", strings.Count(after, "\n- "), strings.Count(memoryMD, "\n- "))
}

// drainsOnce stores captures that name memories by ids of before.
func (o old) drainsOnce(t *testing.T) {
	t.Helper()
	spooled := strings.ReplaceAll(string(unpacked(t, "23/captures.jsonl")), "bolt://127.0.0.1:1", o.store)
	must(t, os.MkdirAll(o.state("spool"), 0o700))
	must(t, os.WriteFile(filepath.Join(o.state("spool"), "captures.jsonl"), []byte(spooled), 0o600))
	says(t, o.ok("status").err, "stored 3 captures that had waited")
	want(t, "what the next command says", o.ok("status").err, "")
	all := o.ok("list").out
	for _, text := range []string{"badges are blue", "staging port is 6000", "branches are cut by Bob"} {
		want(t, "memories that say "+text, strings.Count(all, text), 1)
	}
	says(t, o.ok("show", firstID(t, "once")).out, "The staging port is 6000")
	says(t, o.ok("show", firstID(t, "twice")).out, "related_to")
}

// memories is the graph of now without its records.
func (o old) memories(t *testing.T) []byte {
	t.Helper()
	var all []string
	for line := range strings.Lines(string(o.graphNow(t, "default"))) {
		if !strings.HasPrefix(line, `{"record"`) { // a run says that it was undone, and what was left
			all = append(all, line)
		}
	}
	return []byte(strings.Join(all, ""))
}

// undoesTheOld undoes every run of the old program, the newest first. What gave a memory another id
// stays; replacements and merges by rule are taken back.
func (o old) undoesTheOld(t *testing.T) {
	t.Helper()
	const reason = "it was made by an earlier version, which gave the memory another id"
	runs := ask[struct{ Runs []struct{ ID, Kind string } }](o.home, "runs").Runs
	refused := 0
	for _, r := range runs {
		if !slices.Contains([]string{"promote", "settle", "correct"}, r.Kind) {
			continue
		}
		before := lines(t, o.memories(t))
		undone := o.run("undo", r.ID, "--yes")
		says(t, undone.out+undone.err, reason)
		if diff := cmp.Diff(before, lines(t, o.memories(t))); diff != "" {
			t.Errorf("undo of %s changed:\n%s", r.Kind, diff)
		}
		refused++
	}
	if refused < 6 {
		t.Errorf("%d runs were refused", refused)
	}
	for _, r := range runs {
		switch r.Kind {
		case "relate", "forget":
			says(t, o.ok("undo", r.ID, "--yes").out, "undid 1 action")
		case "replace", "consolidate", "review": // some were undone before, or change only MEMORY.md
			o.run("undo", r.ID, "--yes")
		}
	}
	for name, text := range map[string]string{
		"replaced": "The wiki runs on server one", "replacement": "The wiki runs on server nine", // by hand
		"verdict1": "The proxy listens on port 8080", "verdict2": "The proxy listens on port 8443", // by a verdict
		"rule1": "Deploy scripts live in the ops folder", "rule2": "Deploy script lives in the ops folders", // a merge by rule
		"text1": "Invoices are sent by mail every Friday", "text2": "Invoices are sent by mail every Friday", // with a text: it stays
	} {
		shown := ask[struct {
			Memory struct{ Content, Tier string }
		}](o.home, "show", firstID(t, name)).Memory
		if shown.Content != text || strings.HasPrefix(shown.Tier, "superseded") {
			t.Errorf("after the undo %s says %+v", name, shown)
		}
		says(t, o.ok("recall", text).out, text)
	}
	says(t, o.ok("show", firstID(t, "forgotten")).out, "The old printer is in the cellar")
}
