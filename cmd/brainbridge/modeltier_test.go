package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// answerMerged answers with one memory of this text.
func answerMerged(w io.Writer, content string) {
	v, _ := json.Marshal(map[string]any{
		"content": content, "subject": "", "type": "fact", "importance": "important", "retention": "none", "tags": []string{}, "notes": "",
	})
	text, _ := json.Marshal(string(v))
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"small","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":%s,"refusal":null}}],"usage":{"prompt_tokens":700,"completion_tokens":50,"total_tokens":750}}`, text)
}

// firstNote is the text of the first memory of a question.
func firstNote(asked string) string {
	_, rest, _ := strings.Cut(asked, "\ntext:\n")
	text, _, _ := strings.Cut(rest, "\n=====")
	return text
}

// store is the store of the home, to look at it from outside.
func (l *listener) store() brain.Store {
	l.t.Helper()
	a := &cli{env: func(k string) string { return l.env[k] }}
	b, err := a.brain(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return b.Base.Store
}

// with hands the store to fn and closes it.
func (l *listener) with(fn func(s brain.Store)) {
	l.t.Helper()
	s := l.store()
	fn(s)
	if err := s.Close(); err != nil {
		l.t.Fatal(err)
	}
}

// seed stores memories of a type at the time of the home, and returns them.
func (l *listener) seed(kind string, texts ...string) (ids []string) {
	l.t.Helper()
	now, err := time.Parse(time.RFC3339, l.env["BRAINBRIDGE_NOW"])
	if err != nil {
		l.t.Fatal(err)
	}
	l.with(func(s brain.Store) {
		b := services.New(s, services.Options{Now: func() time.Time { return now }})
		for _, text := range texts {
			c, err := b.Capture.NewMemory(brain.Memory{Content: text, MemoryType: kind}, brain.Details{})
			if err != nil {
				l.t.Fatal(err)
			}
			out, err := b.Capture.Capture(l.t.Context(), c)
			if err != nil {
				l.t.Fatal(err)
			}
			ids = append(ids, out.MemoryID)
		}
	})
	return ids
}

// current are all live and expired memories, by id.
func (l *listener) current() map[string]brain.Memory {
	l.t.Helper()
	all := map[string]brain.Memory{}
	l.with(func(s brain.Store) {
		for _, tier := range []tiers.Tier{tiers.Core, tiers.LongTerm, tiers.ShortTerm, tiers.Working, tiers.Expired} {
			err := s.View(l.t.Context(), func(r brain.Reader) error {
				ms, err := r.ListMemories(brain.ListFilter{Tier: tier, Limit: 10_000})
				for _, m := range ms {
					all[m.ID] = m
				}
				return err
			})
			if err != nil {
				l.t.Fatal(err)
			}
		}
	})
	return all
}

// planted is a cluster of memories that only a model merges: each has a word
// more than the first.
func planted(n, members int) []string {
	w := coined(n)
	first := fmt.Sprintf("The %[1]s team stores %[1]sline and %[1]sward crates below the %[1]sstone stairs of %[1]ston house", w)
	texts := []string{first}
	for _, word := range []string{"old", "heavy", "large"}[:members-1] {
		texts = append(texts, strings.Replace(first, " crates", " "+word+" crates", 1))
	}
	return texts
}

// coined is a word that no other number has a part of.
func coined(n int) string {
	parts := []string{"ba", "ko", "di", "fu", "ge", "hy", "ja", "lo", "mi", "nu", "pe", "ra", "si", "to", "vu", "we", "xa", "zo"}
	word := ""
	for range 4 {
		word += parts[n%len(parts)]
		n = n/len(parts) + n*7 + 3
	}
	return word
}

// lone are texts that are like no other.
func lone(from, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		k := (from + i) * 5
		texts[i] = fmt.Sprintf("%s %s %s %s %s number %d", coined(k+1), coined(k+2), coined(k+3), coined(k+4), coined(k+5), from+i)
	}
	return texts
}

// Of 2,968 memories 108 are planted in 30 clusters: 30 keepers, and nothing
// else is touched.
func TestAModelMergesThePlantedClusters(t *testing.T) {
	stores := map[string]struct {
		uri                  func(*testing.T) string
		fours, threes, alone int
	}{
		"sqlite": {func(*testing.T) string { return "" }, 18, 12, 2860},
		"neo4j":  {func(t *testing.T) string { return neo4jtest.Server(t) }, 2, 1, 60},
	}
	for kind, store := range stores {
		t.Run(kind, func(t *testing.T) {
			l := newListener(t, store.uri(t))
			l.answer = func(w http.ResponseWriter, asked string) { answerMerged(w, firstNote(asked)) }
			var sources []string
			for i := range store.fours + store.threes {
				members := 4
				if i >= store.fours {
					members = 3
				}
				sources = append(sources, l.seed("fact", planted(i, members)...)...)
			}
			alone := l.seed("fact", lone(0, store.alone)...)
			before := l.current()
			if want := store.fours*4 + store.threes*3; len(sources) != want || len(before) != want+store.alone {
				t.Fatalf("%d sources, %d memories", len(sources), len(before))
			}
			clusters := store.fours + store.threes
			answer, code := l.run("consolidate")
			if code != 0 || answer["llmCalls"] != float64(clusters) || answer["merged"] != float64(len(sources)-clusters) || answer["tokens"] != float64(750*clusters) ||
				answer["remaining"] != 0.0 || answer["partial"] != false || answer["resumed"] != false || l.calls.Load() != int64(clusters) {
				delete(answer, "actions")
				t.Fatalf("code %d, %v, %d calls", code, answer, l.calls.Load())
			}
			l.checkBackup(answer["backup"])
			after := l.current()
			made := 0
			for id, m := range after {
				if was := before[id]; !slices.Contains(sources, id) {
					if was.Version != m.Version || was.Content != m.Content || was.Tier != m.Tier {
						t.Fatalf("%s was touched", id)
					}
					continue
				}
				made++
				if n := len(m.MergedFrom); n != 2 && n != 3 || m.Importance != brain.Important {
					t.Errorf("made %+v", m)
				}
			}
			if made != clusters || len(after) != clusters+len(alone) {
				t.Errorf("%d keepers, want %d; %d memories, want %d", made, clusters, len(after), clusters+len(alone))
			}
			l.undone(answer, before)
		})
	}
}

func (l *listener) checkBackup(path any) {
	l.t.Helper()
	name, _ := path.(string)
	if _, err := os.Stat(filepath.Join(name, "manifest.json")); err != nil {
		l.t.Errorf("backup %q: %v", name, err)
	}
	if answer, code := l.run("backup", "verify", name); code != 0 || answer["ok"] != true {
		l.t.Errorf("verify: code %d, %v", code, answer)
	}
}

// undone takes the run back: all is as it was before, and the next run asks nobody.
func (l *listener) undone(answer map[string]any, before map[string]brain.Memory) {
	l.t.Helper()
	if undone, code := l.run("undo", "--yes"); code != 0 || undone["runId"] != answer["runId"] {
		l.t.Fatalf("undo: code %d, %v", code, undone)
	}
	after := l.current()
	for id, was := range before {
		if m := after[id]; m.Content != was.Content || m.Tier != was.Tier {
			l.t.Fatalf("%s did not come back: it is %s", id, m.Tier)
		}
	}
	if len(after) != len(before) {
		l.t.Errorf("%d memories, before there were %d", len(after), len(before))
	}
	calls := l.calls.Load()
	if _, code := l.run("consolidate"); code != 0 || l.calls.Load() != calls {
		l.t.Errorf("code %d; %d more calls for what was undone", code, l.calls.Load()-calls)
	}
}

// clusters seeds so many clusters of three.
func (l *listener) clusters(n int) (ids []string) {
	l.t.Helper()
	for i := range n {
		ids = append(ids, l.seed("fact", planted(i, 3)...)...)
	}
	return ids
}

// figures runs `consolidate` and compares some of its numbers.
func (l *listener) figures(want string, args ...string) map[string]any {
	l.t.Helper()
	answer, code := l.run(append([]string{"consolidate"}, args...)...)
	if code != 0 {
		l.t.Fatalf("exit code %d", code)
	}
	got := fmt.Sprintf("calls %v merged %v remaining %v partial %v resumed %v", answer["llmCalls"], answer["merged"],
		answer["remaining"], answer["partial"], answer["resumed"])
	if got != want {
		delete(answer, "actions")
		l.t.Errorf("got  %s\nwant %s\n(%v)", got, want, answer)
	}
	return answer
}

func TestTheModelTierOfARun(t *testing.T) {
	l := newListener(t, "")
	l.answer = func(w http.ResponseWriter, asked string) { answerMerged(w, firstNote(asked)) }
	l.clusters(4)
	before := l.current()
	planned := l.figures("calls 0 merged 8 remaining 0 partial false resumed false", "--dry-run")
	if fmt.Sprint(planned["runId"], planned["backup"]) != "<nil> <nil>" || len(l.current()) != len(before) {
		t.Errorf("a dry run did something: %v", planned)
	}
	l.figures("calls 0 merged 0 remaining 0 partial false resumed false", "--rules-only")
	l.figures("calls 2 merged 4 remaining 2 partial true resumed false", "--batch", "2")
	l.figures("calls 1 merged 2 remaining 1 partial true resumed true", "--batch", "1")
	l.figures("calls 1 merged 2 remaining 0 partial false resumed false", "--no-resume")
	l.figures("calls 0 merged 0 remaining 0 partial false resumed false")
	made, err := os.ReadDir(filepath.Join(l.env["BRAINBRIDGE_HOME"], "data", "default", "backups"))
	made = slices.DeleteFunc(made, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	if err != nil || len(made) != 3 {
		t.Errorf("%d backups, %v; want one a run that merged", len(made), err)
	}
	for _, args := range [][]string{{"--batch", "0"}, {"--batch=-1"}, {"--idempotency-days=-1"}, {"--idempotency-days", "99999999"}} {
		if _, code := l.run(append([]string{"consolidate"}, args...)...); code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
	}
}

func TestOnlyTheNewestThreeBackupsOfMergesAreKept(t *testing.T) {
	l := newListener(t, "")
	l.answer = func(w http.ResponseWriter, asked string) { answerMerged(w, firstNote(asked)) }
	own, code := l.run("backup", "create")
	if code != 0 {
		t.Fatalf("backup: exit code %d", code)
	}
	for i := range 5 {
		l.seed("fact", planted(i, 3)...)
		l.figures("calls 1 merged 2 remaining 0 partial false resumed false")
	}
	list, _ := l.run("backup", "list")
	if all, _ := list["backups"].([]any); len(all) != 4 {
		t.Errorf("%d backups, want a person's own and three: %v", len(all), list)
	}
	l.checkBackup(own["path"])
}

// Garbage costs its cluster alone; the rules go on in any case.
func TestAnEndpointThatFails(t *testing.T) {
	l := newListener(t, "")
	l.clusters(6)
	n := 0
	l.answer = func(w http.ResponseWriter, asked string) {
		switch n++; n {
		case 1:
			_, _ = io.WriteString(w, "<html>")
		case 2:
			answerMerged(w, firstNote(asked)+" at port 9999")
		default:
			answerMerged(w, firstNote(asked))
		}
	}
	l.figures("calls 6 merged 8 remaining 1 partial true resumed false")
	l.answer = func(w http.ResponseWriter, _ string) { w.WriteHeader(http.StatusBadGateway) }
	for i := range 3 {
		l.seed("fact", planted(10+i, 3)...)
	}
	l.figures("calls 3 merged 0 remaining 4 partial true resumed true")
	calls := l.calls.Load()
	l.figures("calls 0 merged 0 remaining 4 partial true resumed true")
	if l.calls.Load() != calls {
		t.Errorf("it was asked while it rests")
	}
	if said, _ := l.said("consolidate"); !regexp.MustCompile(`4 left to do: .* continues from [0-9-]{10} [0-9:]{5} on, when the model is asked again`).MatchString(said) {
		t.Errorf("it does not say when it is asked again:\n%s", said)
	}
}

// Who interrupts a run is told what it did until then, and how to take it back.
func TestAnInterruptedRunSaysWhatItDid(t *testing.T) {
	l := newListener(t, "")
	l.clusters(3)
	ctx, interrupt := context.WithCancel(t.Context())
	l.answer = func(w http.ResponseWriter, asked string) {
		if l.calls.Load() > 1 {
			interrupt()
		}
		answerMerged(w, firstNote(asked))
	}
	var stderr bytes.Buffer
	a := &cli{in: strings.NewReader(""), out: io.Discard, err: &stderr, env: func(k string) string { return l.env[k] }}
	err := errors.Join(a.execute(ctx, []string{"consolidate"}), a.close())
	if code := a.fail(err); code != app.ExitInterrupted {
		t.Errorf("exit code %d, %v", code, err)
	}
	if said := stderr.String(); !regexp.MustCompile(`1 action before that; .*undo [0-9a-f]{8}`).MatchString(said) {
		t.Errorf("it says %s", said)
	}
}

func TestTheBudgetEndsTheTier(t *testing.T) {
	l := newListener(t, "")
	l.answer = func(w http.ResponseWriter, asked string) { answerMerged(w, firstNote(asked)) }
	l.clusters(4)
	l.env["BRAINBRIDGE_LLM_DAILY_TOKENS"] = "1000"
	var warned bytes.Buffer
	small := &cli{in: strings.NewReader(""), out: io.Discard, err: &warned, env: func(k string) string { return l.env[k] }}
	err := errors.Join(small.execute(t.Context(), []string{"consolidate"}), small.close())
	if err != nil || !regexp.MustCompile(`a call of the model may use up to [0-9,]+ tokens and llm.daily_tokens is 1,000: raise it`).MatchString(warned.String()) {
		t.Errorf("a budget that no call fits into: %v, %s", err, warned.String())
	}
	l.env["BRAINBRIDGE_LLM_DAILY_TOKENS"] = "200000"
	l.figures("calls 4 merged 8 remaining 0 partial false resumed false")
	status, _ := l.run("status")
	spend, _ := status["spend"].(map[string]any)
	if spend["tokens"] != 3000.0 || spend["calls"] != 4.0 {
		t.Errorf("spend is %v", spend)
	}
}
