package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// takenBack returns the texts of what the person said, with a "-" before what was taken back.
func takenBack(t *testing.T, lines ...string) (said []string) {
	t.Helper()
	places := map[any]int{}
	_, err := transcript.Read(strings.NewReader(strings.Join(lines, "\n")), transcript.Options{File: "s.jsonl"}, func(m transcript.Message) error {
		switch {
		case m.TakenBack:
			said[places[m.Key()]] = "-" + said[places[m.Key()]]
		case m.Kind == transcript.Said || m.Kind == transcript.Answer:
			places[m.Key()] = len(said)
			said = append(said, m.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// claudeLine is a record of Claude Code; the parent "" is null. Text that begins with { is a block.
func claudeLine(uuid, parent, role, text string) string {
	quoted := "null"
	if parent != "" {
		quoted = `"` + parent + `"`
	}
	if !strings.HasPrefix(text, "{") {
		text = fmt.Sprintf(`{"type":"text","text":%q}`, text)
	}
	return fmt.Sprintf(`{"type":%q,"uuid":"%s-0000-4000-8000-000000000000","parentUuid":%s,"sessionId":"s","timestamp":"2026-03-02T10:00:00Z","message":{"id":"m%s","role":%q,"content":[%s]}}`,
		role, uuid, strings.ReplaceAll(quoted, parent+`"`, parent+`-0000-4000-8000-000000000000"`), uuid, role, text)
}

func TestClaudeCodesRewind(t *testing.T) {
	const boundary = `{"type":"system","subtype":"compact_boundary","uuid":"c1-0000-4000-8000-000000000000","parentUuid":null,"sessionId":"s"%s}`
	use := func(id string) string {
		return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"ls"}}`, id)
	}
	result := func(id string) string {
		return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":"fine"}`, id)
	}
	opening := []string{claudeLine("u1", "", "user", "start"), claudeLine("a1", "u1", "assistant", "ready")}
	for name, test := range map[string]struct{ lines, want []string }{
		"a prompt": {
			[]string{claudeLine("u2", "a1", "user", "use redis"), claudeLine("a2", "u2", "assistant", "redis it is"), claudeLine("u3", "a1", "user", "use valkey")},
			[]string{"start", "ready", "-use redis", "redis it is", "use valkey"},
		},
		"two prompts, twice": {
			[]string{
				claudeLine("u2", "a1", "user", "one"), claudeLine("a2", "u2", "assistant", "1"), claudeLine("u3", "a2", "user", "two"),
				claudeLine("u4", "a1", "user", "three"), claudeLine("a4", "u4", "assistant", "3"), claudeLine("u5", "a1", "user", "four"),
			},
			[]string{"start", "ready", "-one", "1", "-two", "-three", "3", "four"},
		},
		"the first prompt": {
			[]string{claudeLine("u2", "", "user", "begin otherwise")},
			[]string{"-start", "ready", "begin otherwise"},
		},
		"after a command": {
			[]string{
				claudeLine("u2", "a1", "user", "one"), claudeLine("a2", "u2", "assistant", "1"),
				claudeLine("k1", "a1", "user", "<command-name>/model</command-name>"), claudeLine("u3", "k1", "user", "two"),
			},
			[]string{"start", "ready", "-one", "1", "two"},
		},
		"not tool calls at the same time": {
			[]string{
				claudeLine("b1", "a1", "assistant", use("t1")), claudeLine("b2", "b1", "assistant", use("t2")), claudeLine("r1", "b1", "user", result("t1")),
				claudeLine("r2", "b2", "user", result("t2")), claudeLine("a2", "r2", "assistant", "done"), claudeLine("u2", "a2", "user", "go on"),
			},
			[]string{"start", "ready", "done", "go on"},
		},
		"not a compaction": {
			[]string{fmt.Sprintf(boundary, ""), claudeLine("u2", "c1", "user", "go on")},
			[]string{"start", "ready", "go on"},
		},
		"not a compaction with its parent": {
			[]string{fmt.Sprintf(boundary, `,"logicalParentUuid":"a1-0000-4000-8000-000000000000"`), claudeLine("u2", "c1", "user", "go on")},
			[]string{"start", "ready", "go on"},
		},
		"not a prompt that is written late": {
			[]string{claudeLine("u3", "u2", "user", "later"), claudeLine("u2", "a1", "user", "earlier")},
			[]string{"start", "ready", "later", "earlier"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := takenBack(t, append(slices.Clone(opening), test.lines...)...); !slices.Equal(got, test.want) {
				t.Errorf("said %q, want %q", got, test.want)
			}
		})
	}
	if got := takenBack(t, claudeLine("u1", "", "user", "one"), claudeLine("u2", "", "user", "two")); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("lines without a tree: %q", got)
	}
}

func TestCodexRollback(t *testing.T) {
	n := 0
	line := func(typ, payload string) string {
		n++
		return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:%02dZ","type":%q,"payload":%s}`, n, typ, payload)
	}
	said := func(role, text string) string {
		return line("response_item", fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}`, role, text))
	}
	got := takenBack(t,
		line("session_meta", `{"id":"s"}`), said("user", "one"), said("assistant", "1"), line("event_msg", `{"type":"user_message","message":"one"}`),
		said("user", "two"), said("assistant", "2"), said("user", "three"), line("event_msg", `{"type":"thread_rolled_back","num_turns":2}`),
		said("user", "four"))
	if want := []string{"one", "1", "-two", "2", "-three", "four"}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

func TestGeminisRewind(t *testing.T) {
	message := func(id, typ, text string) string {
		return fmt.Sprintf(`{"id":"%s-0000-4000-8000-000000000000","timestamp":"2026-03-02T10:00:00Z","type":%q,"content":%q}`, id, typ, text)
	}
	got := takenBack(t,
		`{"sessionId":"s","projectHash":"h","startTime":"2026-03-02T10:00:00Z"}`, message("u1", "user", "one"), message("g1", "gemini", "1"),
		message("u2", "user", "two"), message("g2", "gemini", "2"), message("u3", "user", "three"),
		`{"$rewindTo":"u2-0000-4000-8000-000000000000"}`, message("u4", "user", "four"))
	if want := []string{"one", "1", "-two", "2", "-three", "four"}; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}

// A session is read in parts, at compactions and at its end.
func TestTakenBackInThePartThatIsReadLater(t *testing.T) {
	message := func(id, typ, text string) string {
		return fmt.Sprintf(`{"id":%q,"timestamp":"2026-03-02T10:00:00Z","type":%q,"content":%q}`, id, typ, text)
	}
	header := `{"sessionId":"s","projectHash":"h","startTime":"2026-03-02T10:00:00Z"}`
	for name, test := range map[string]struct{ before, after []string }{
		"Claude Code": {
			[]string{claudeLine("u1", "", "user", "start"), claudeLine("a1", "u1", "assistant", "ready"), claudeLine("u2", "a1", "user", "go on"), claudeLine("a2", "u2", "assistant", "done")},
			[]string{claudeLine("u3", "a2", "user", "use redis"), claudeLine("a3", "u3", "assistant", "redis it is"), claudeLine("u4", "a2", "user", "use valkey")},
		},
		"Gemini CLI": {
			[]string{header, message("u1", "user", "start"), message("g1", "gemini", "ready"), message("u2", "user", "go on"), message("g2", "gemini", "done")},
			[]string{message("u3", "user", "use redis"), `{"$rewindTo":"u2"}`, message("u4", "user", "use valkey")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			part := strings.Join(test.before, "\n") + "\n"
			file := part + strings.Join(test.after, "\n") + "\n"
			var stands []string
			_, err := transcript.Tail(strings.NewReader(file), int64(len(file)), int64(len(part)), 0, transcript.Options{File: "s.jsonl"}, func(m transcript.Message) error {
				if m.TakenBack {
					stands = slices.DeleteFunc(stands, func(text string) bool { return text == "use redis" })
				} else if m.Role == transcript.User {
					stands = append(stands, m.Text)
				}
				return nil
			})
			if err != nil || !slices.Equal(stands, []string{"use valkey"}) {
				t.Errorf("stands %q, %v", stands, err)
			}
		})
	}
}

func TestARewindToNothingIsNamed(t *testing.T) {
	file := `{"sessionId":"s","projectHash":"h","startTime":"2026-03-02T10:00:00Z"}
{"id":"u1","timestamp":"2026-03-02T10:00:00Z","type":"user","content":"one"}
{"$rewindTo":"elsewhere"}`
	res, err := transcript.Read(strings.NewReader(file), transcript.Options{File: "s.jsonl"}, func(m transcript.Message) error {
		if m.TakenBack {
			t.Error("it was taken back")
		}
		return nil
	})
	if err != nil || len(res.Problems) != 1 || res.Problems[0].Line != 3 {
		t.Errorf("problems %v, %v", res.Problems, err)
	}
}
