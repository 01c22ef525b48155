package transcript

import (
	"strings"
	"testing"
)

// Rollouts of Codex before September 2025 have neither an envelope nor times.
func TestCodexWithoutAnEnvelope(t *testing.T) {
	text := `{"id":"9f3c","timestamp":"2025-08-18T01:16:13.522Z","instructions":null,"git":{"branch":"main","repository_url":"git@example.org:tea.git"}}
{"record_type":"state"}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/srv/tea</cwd>\n</environment_context>"}]}
{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"brew it weaker"}]}
{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":[\"make\",\"tea\"]}","call_id":"c1"}
{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"steeped\",\"metadata\":{\"exit_code\":0}}"}
{"type":"message","id":null,"role":"assistant","content":[{"type":"output_text","text":"done"}]}
`
	all, res := readText(t, text, Options{File: "rollout.jsonl"})
	same(t, brief(all), []string{
		"4 user said 01:16:13~ brew it weaker", "5 tool call 01:16:13~ shell: make tea",
		"6 tool output 01:16:13~ steeped", "7 assistant said 01:16:13~ done",
	})
	if m := all[0]; m.Session != "9f3c" || m.Folder != "/srv/tea" || m.Repository != "git@example.org:tea.git" || len(res.Problems) > 0 {
		t.Errorf("session %q in %q of %q, problems %v", m.Session, m.Folder, m.Repository, res.Problems)
	}
}

// The first rollouts of Codex, and sessions of Gemini CLI before it wrote lines, are one document.
func TestDocuments(t *testing.T) {
	gemini := `{
  "sessionId": "5d1b", "projectHash": "h", "startTime": "2026-01-09T08:00:00.000Z", "lastUpdated": "2026-01-09T08:05:00.000Z",
  "messages": [
    {"id": "11111111-0000-4000-8000-000000000001", "timestamp": "2026-01-09T08:00:01.000Z", "type": "user", "content": "where is the kettle"},
    {"id": "11111111-0000-4000-8000-000000000002", "timestamp": "2026-01-09T08:00:02.000Z", "type": "gemini", "content": "in the cupboard"}
  ]
}`
	codex := `{"session":{"timestamp":"2025-05-11T10:00:00.000Z","id":"77aa","instructions":""},"items":[
  {"role":"user","content":[{"type":"input_text","text":"count the cups"}],"type":"message"},
  {"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"six"}]}]}`
	for name, test := range map[string]struct {
		text    string
		session string
		want    []string
	}{
		"gemini": {gemini, "5d1b", []string{"2 user said 08:00:01 where is the kettle", "3 assistant said 08:00:02 in the cupboard"}},
		"codex":  {codex, "77aa", []string{"2 user said 10:00:00~ count the cups", "3 assistant said 10:00:00~ six"}},
	} {
		all, res := readText(t, test.text, Options{File: "session.json"})
		same(t, brief(all), test.want)
		if len(all) == 0 || all[0].Session != test.session || res.Bytes != int64(len(test.text)) || len(res.Problems) > 0 {
			t.Errorf("%s: %+v", name, res)
		}
		var tail []Message
		end, err := Tail(strings.NewReader(test.text), int64(len(test.text)), 0, 0, Options{File: "session.json"}, func(m Message) error {
			tail = append(tail, m)
			return nil
		})
		if err != nil || end != int64(len(test.text)) || len(tail) != len(test.want) {
			t.Errorf("%s: the tail ends at %d with %q, %v", name, end, brief(tail), err)
		}
	}
	if all, res := readText(t, gemini[:200], Options{File: "session.json"}); len(all) != 0 || len(res.Problems) != 1 {
		t.Errorf("of half a document: %q, %v", brief(all), res.Problems)
	}
}

// Two equal short answers in a document without ids and times are two.
func TestMessagesOfADocumentHaveKeysOfTheirOwn(t *testing.T) {
	all, _ := readText(t, `{"session":{"id":"s","timestamp":"2025-05-11T10:00:00Z","instructions":""},"items":[
		{"type":"message","role":"user","content":"yes"},{"type":"message","role":"user","content":"yes"}]}`, Options{File: "s.json"})
	if len(all) != 2 || all[0].Key() == all[1].Key() {
		t.Errorf("%q have one key", brief(all))
	}
}

// The first versions of Claude Code wrote no ids.
func TestClaudeCodeWithoutIDs(t *testing.T) {
	all, _ := readText(t, `{"type":"user","message":{"role":"user","content":"more sugar"},"timestamp":"2025-03-01T10:00:00.000Z","userType":"external","version":"0.2.9"}
{"type":"assistant","costUSD":0.1,"durationMs":900,"message":{"role":"assistant","content":[{"type":"text","text":"two lumps"}]},"timestamp":"2025-03-01T10:00:03.000Z"}
`, Options{File: "old.jsonl"})
	same(t, brief(all), []string{"1 user said 10:00:00 more sugar", "2 assistant said 10:00:03 two lumps"})
}

// A session keeps its id when its file is set aside.
func TestTheSessionOfAResetFile(t *testing.T) {
	all, _ := readText(t, `{"type":"message","id":"a1","timestamp":1772442000123,"message":{"role":"user","content":"hello"}}`+"\n",
		Options{File: "/x/0b12.jsonl.reset.2026-03-02T09-00-00.000Z"})
	if len(all) != 1 || all[0].Session != "0b12" || all[0].At.UnixMilli() != 1772442000123 {
		t.Errorf("got %+v", all)
	}
}

func TestUnknownTypesAreCounted(t *testing.T) {
	_, res := readText(t, `{"type":"cost-state","sessionId":"s","total":3}
{"type":"atis-latch","sessionId":"s"}
{"type":"system","uuid":"u","sessionId":"s","subtype":"informational"}
{"type":"user","uuid":"v","sessionId":"s","message":{"role":"user","content":"hi"}}
`, Options{})
	if res.Unknown != 2 || len(res.Problems) != 0 {
		t.Errorf("%d unknown, problems %v", res.Unknown, res.Problems)
	}
}
