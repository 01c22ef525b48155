package transcript

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func readText(t testing.TB, text string, o Options) ([]Message, Result) {
	t.Helper()
	var all []Message
	res, err := Read(strings.NewReader(text), o, func(m Message) error {
		all = append(all, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, res
}

func file(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// brief is a message in one line: its line, role, kind, time and text.
func brief(all []Message) []string {
	var lines []string
	for _, m := range all {
		undated := ""
		if m.Undated {
			undated = "~"
		}
		if m.TakenBack {
			m.Text = "taken back"
		}
		lines = append(lines, fmt.Sprintf("%d %s %s %s%s %s", m.Line, m.Role, m.Kind, m.At.Format("15:04:05"), undated, m.Text))
	}
	return lines
}

func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// checkRead checks that all of a file was read without a problem, unknown types too.
func checkRead(t *testing.T, res Result, lines int, name string) {
	t.Helper()
	if size := int64(len(file(t, name))); res.Lines != lines || res.Bytes != size || len(res.Problems) > 0 {
		t.Errorf("%d lines, %d bytes of %d, problems %v", res.Lines, res.Bytes, size, res.Problems)
	}
}

func TestClaudeCode(t *testing.T) {
	all, res := readText(t, file(t, "claude.jsonl"), Options{})
	same(t, brief(all), []string{
		"2 user said 22:38:47 let's move the carts to \"redis\", ok?\n\nbefore Friday",
		"5 assistant said 22:38:52 I will look at the session store first.",
		"6 tool call 22:38:53 Bash: rg -n cart --type go",
		"7 tool output 22:38:54 cart.go:12: type Cart struct",
		"8 assistant said 22:38:55 Second block of the same message.",
		"12 user said 22:39:03 /goodbye we keep Postgres",
		"14 user said 22:39:05 yes",
		"15 user said 22:39:06 also check the logs",
		"19 tool failure 22:39:09 exit status 1: cannot find module",
	})
	checkRead(t, res, 29, "claude.jsonl")
	if all[0].Format != ClaudeCode || all[0].Session != "2ff46cd5-f4e7-4724-bb20-579dae7956ea" {
		t.Errorf("format %q, session %q", all[0].Format, all[0].Session)
	}
}

// A fork repeats its parent's messages under its own id.
func TestClaudeCodesForkRepeatsAnotherSession(t *testing.T) {
	user := `{"type":"user","uuid":"u%[1]d","sessionId":"fork","cwd":"/srv/shop","timestamp":"2026-11-23T12:48:0%[1]d.000Z","message":{"role":"user","content":%[2]s}}` + "\n"
	assistant := `{"type":"assistant","uuid":"a%[1]d","sessionId":"fork"%[2]s,"cwd":"/srv/shop","timestamp":"2026-11-23T12:48:0%[1]d.000Z","message":{"id":"msg_%[1]d","role":"assistant","content":[{"type":"text","text":"%[3]s"}]}}` + "\n"
	parent := `,"requestSessionId":"parent"`
	all, _ := readText(t, fmt.Sprintf(user, 1, `"first"`)+fmt.Sprintf(assistant, 2, parent, "one")+
		fmt.Sprintf(user, 3, `[{"type":"tool_result","tool_use_id":"toolu_1","content":"fine"}]`)+fmt.Sprintf(assistant, 4, parent, "two")+
		fmt.Sprintf(user, 5, `"after the fork"`)+fmt.Sprintf(assistant, 6, "", "three"), Options{})
	var got []string
	for _, m := range all {
		got = append(got, m.Session+" "+m.Text+" "+m.Folder)
	}
	same(t, got, []string{
		"parent first /srv/shop", "parent one /srv/shop", "parent fine /srv/shop", "parent two /srv/shop",
		"fork after the fork /srv/shop", "fork three /srv/shop",
	})
}

func TestOpenClaw(t *testing.T) {
	all, res := readText(t, file(t, "openclaw.jsonl"), Options{})
	same(t, brief(all), []string{
		"3 user said 18:00:01 When does the dentist open?",
		"4 assistant said 18:00:02 At nine, I will check.",
		"4 tool call 18:00:02 read: notes/dentist.md",
		"5 tool failure 18:00:03 ENOENT: no such file",
		"6 user said 18:01:01 ok",
		"9 assistant said 19:00:02 The backup of the shop failed twice, have a look at the disk.",
	})
	checkRead(t, res, 15, "openclaw.jsonl")
}

func TestCodex(t *testing.T) {
	all, res := readText(t, file(t, "codex.jsonl"), Options{})
	same(t, brief(all), []string{
		"6 user said 21:59:59 Use zstd for the archives from now on",
		"10 tool call 22:00:06 shell: go test ./...",
		"11 tool failure 22:00:09 FAIL archive_test.go",
		"12 tool call 22:00:10 apply_patch: *** Begin Patch *** Update File: archive.go @@ -gzip +zstd *** End Patch",
		"13 tool output 22:00:11 Success",
		"14 assistant said 22:00:12 Done, archives are zstd now.",
		"17 user said 22:00:20 yes",
		"19 user said 22:00:30 yes",
		"21 user said 22:00:40 only in an event",
	})
	checkRead(t, res, 23, "codex.jsonl")
}

// What Codex puts into a session is not said by anybody: its context and ours, the summary
// of a compaction, and the lines above an output.
func TestCodexSaysNothingItself(t *testing.T) {
	all, res := readText(t, file(t, "codex-0.169.jsonl"), Options{})
	same(t, brief(all), []string{
		"8 user said 12:48:40 Which port does staging use?",
		"10 tool call 12:48:40 recall: staging port",
		`11 tool output 12:48:40 {"query":"staging port","results":[]}`,
		"12 tool call 12:48:40 exec_command: make lint",
		"13 tool failure 12:48:40 make: *** [lint] Error 2",
		"14 assistant said 12:48:40 Staging listens on port 5433.",
		"22 user said 12:48:44 Then use it in the tests.",
		"23 assistant said 12:48:44 Done.",
	})
	checkRead(t, res, 24, "codex-0.169.jsonl")
}

// A message is written again with each call, and the history again when a session goes on.
func TestGemini(t *testing.T) {
	text := file(t, "gemini.jsonl")
	all, res := readText(t, text, Options{Folder: "/srv/shop"})
	want := []string{
		"3 user said 12:48:59 Carts stay in Postgres, see @notes.txt",
		"9 assistant said 12:49:00 I look for them.",
		"9 tool call 12:49:00 run_shell_command: rg -n cart",
		"9 tool output 12:49:00 Output: cart.go:12: type Cart struct\nProcess Group PGID: 30326",
		"9 tool call 12:49:00 mcp_memory_remember: Carts stay in Postgres",
		"9 tool failure 12:49:00 params must have required property 'content'",
		"10 assistant said 12:49:03 They are in cart.go.",
		"15 user said 12:55:10 /goodbye we keep Postgres",
		"16 user said 12:55:10 taken back",
		"18 assistant said 12:55:21 Done.",
	}
	same(t, brief(all), want)
	checkRead(t, res, 18, "gemini.jsonl")
	if all[0].Format != Gemini || all[0].Session != "148ba071-d8cb-44b3-ab3b-42d633591787" || all[0].Folder != "/srv/shop" {
		t.Errorf("format %q, session %q, folder %q", all[0].Format, all[0].Session, all[0].Folder)
	}
	if all, _ := readText(t, strings.Replace(text, `"kind":"main"`, `"kind":"subagent"`, 2), Options{}); len(all) != 0 {
		t.Errorf("of a subagent: %q", brief(all))
	}
}

// A fork begins with a copy of its parent under the time of the fork.
func TestCodexForkLeavesItsParentsLinesOut(t *testing.T) {
	fork := uuid7(t, "2026-06-12T10:00:00.000Z")
	before, after := uuid7(t, "2026-06-10T08:00:00.000Z"), uuid7(t, "2026-06-12T10:00:01.000Z")
	line := func(at, typ, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-06-12T10:00:%sZ","type":"%s","payload":%s}`+"\n", at, typ, payload)
	}
	said := func(text string) string { return `{"type":"user_message","message":"` + text + `"}` }
	text := line("00.010", "session_meta", `{"id":"`+fork+`","forked_from_id":"`+before+`","timestamp":"2026-06-12T10:00:00.000Z"}`) +
		line("00.011", "session_meta", `{"id":"`+before+`","timestamp":"2026-06-10T08:00:00.000Z"}`) +
		line("00.012", "event_msg", `{"type":"task_started","turn_id":"`+before+`"}`) +
		line("00.013", "event_msg", said("said to the parent")) +
		line("01.000", "event_msg", `{"type":"task_started","turn_id":"`+after+`"}`) +
		line("01.001", "event_msg", said("said to the fork"))
	all, _ := readText(t, text, Options{})
	if len(all) != 1 || all[0].Text != "said to the fork" || all[0].Session != fork {
		t.Errorf("got %q", brief(all))
	}
	// Without ids of turns the clock decides.
	text = line("00.010", "session_meta", `{"id":"plain","forked_from_id":"other","timestamp":"2026-06-12T10:00:00.000Z"}`) +
		line("00.020", "event_msg", said("said to the parent")) +
		line("09.000", "event_msg", said("said to the fork"))
	all, _ = readText(t, text, Options{})
	if len(all) != 1 || all[0].Text != "said to the fork" {
		t.Errorf("by the clock: %q", brief(all))
	}
}

func uuid7(t testing.TB, at string) string {
	t.Helper()
	when, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		t.Fatal(err)
	}
	hex := fmt.Sprintf("%012x", when.UnixMilli())
	return hex[:8] + "-" + hex[8:] + "-7000-8000-000000000000"
}

func TestCodexSubagentIsASideChain(t *testing.T) {
	for _, source := range []string{`"thread_source":"subagent"`, `"source":{"subagent":{"thread_spawn":{"depth":1}}}`} {
		text := `{"timestamp":"2026-06-12T10:00:00Z","type":"session_meta","payload":{"id":"s",` + source + `}}
{"timestamp":"2026-06-12T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"dig"}}
`
		if all, _ := readText(t, text, Options{}); len(all) != 0 {
			t.Errorf("%s: %q", source, brief(all))
		}
	}
}

func TestCodexOutputs(t *testing.T) {
	long := strings.Repeat("line ", 500)
	for _, c := range []struct {
		name, output string
		want         Kind
	}{
		{"long and well", `"Exit code: 0\nOutput:\n` + long + `"`, ""},
		{"long and wrong", `"Exit code: 2\nOutput:\n` + long + `"`, Failure},
		{"long and wrong, the newer form", `"Chunk ID: a\nProcess exited with code 1\nOutput:\n` + long + `"`, Failure},
		{"long and wrong, as an object in a string", `"{\"output\":\"` + long + `\",\"metadata\":{\"exit_code\":1}}"`, Failure},
		{"long and well, as an object in a string", `"{\"output\":\"` + long + `\",\"metadata\":{\"exit_code\":0}}"`, ""},
		{"long without a code", `"` + long + `"`, ""},
		{"blocks", `[{"type":"input_text","text":"fine"}]`, Output},
		{"an object that failed", `{"content":"no such tool","success":false}`, Failure},
		{"words about codes", `"fine\nOutput:\nExit code: 3\n"`, Output},
	} {
		all, _ := readText(t, `{"timestamp":"2026-06-12T10:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":`+c.output+"}}\n", Options{})
		got := Kind("")
		if len(all) == 1 {
			got = all[0].Kind
		}
		if got != c.want {
			t.Errorf("%s: kept as %q, want %q", c.name, got, c.want)
		}
	}
}

// The same words long after are said again, not repeated by the other place.
func TestTwinsStandTogether(t *testing.T) {
	item := `{"timestamp":"2026-06-12T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"yes"}]}}` + "\n"
	event := `{"timestamp":"2026-06-12T10:%sZ","type":"event_msg","payload":{"type":"user_message","message":"yes"}}` + "\n"
	if all, _ := readText(t, item+fmt.Sprintf(event, "00:01"), Options{}); len(all) != 1 {
		t.Errorf("twins: %q", brief(all))
	}
	if all, _ := readText(t, item+fmt.Sprintf(event, "05:00"), Options{}); len(all) != 2 {
		t.Errorf("five minutes apart: %q", brief(all))
	}
}

// Some models number their calls: the same id an hour later is another call.
func TestNumberedCallsAreNotCopies(t *testing.T) {
	call := `{"type":"message","id":"%s","timestamp":"2026-03-16T1%d:00:00Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"default_api:read_file_0","name":"read","arguments":{"path":"a"}}]}}` + "\n"
	all, _ := readText(t, `{"type":"session","id":"s"}`+"\n"+fmt.Sprintf(call, "a1", 1)+fmt.Sprintf(call, "a2", 2)+fmt.Sprintf(call, "a2", 2), Options{})
	if len(all) != 3 || all[0].Key() == all[1].Key() || all[1].Key() != all[2].Key() {
		t.Errorf("%d calls, the last two alike %v", len(all), all[1].Key() == all[2].Key())
	}
}
