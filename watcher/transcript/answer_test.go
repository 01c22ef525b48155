package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// What a person answers in a form of the agent, or says when they refuse a tool call, is theirs.
func TestAnswersOfThePerson(t *testing.T) {
	result := func(failed, content, more string) string {
		return `{"type":"user","uuid":"u","sessionId":"s","timestamp":"2026-02-05T10:00:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":` + failed + `,"content":"` + content + `"}]}` + more + `}`
	}
	const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
	for name, test := range map[string]struct {
		line string
		want []string
	}{
		"a choice":         {result("false", "User has answered your questions: ...", `,"toolUseResult":{"answers":{"Which database?":"Postgres","Which port?":"5433"}}`), []string{"Which database?\nPostgres", "Which port?\n5433"}},
		"in the text only": {`{"type":"assistant","uuid":"a","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{}}]}}` + "\n" + result("false", `User has answered your questions: \"Which database?\"=\"Postgres\". You can now continue.`, ""), []string{"Which database?\nPostgres"}},
		"a refusal":        {result("true", refused+` To tell you how to proceed, the user said:\nUse pnpm, not npm.`, ""), []string{"Use pnpm, not npm."}},
		"without a word":   {result("true", refused+` STOP what you are doing.`, ""), nil},
		"an error":         {result("true", "exit status 1: the user said: hi", ""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			_, err := transcript.Read(strings.NewReader(test.line), transcript.Options{}, func(m transcript.Message) error {
				if m.Kind == transcript.Answer && m.Role == transcript.User {
					got = append(got, m.Text)
				}
				return nil
			})
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("answers %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func TestAnswersInOtherForms(t *testing.T) {
	codex := func(output string) string {
		return `{"timestamp":"2026-03-02T10:00:00Z","type":"session_meta","payload":{"id":"s"}}
{"timestamp":"2026-03-02T10:00:01Z","type":"response_item","payload":{"type":"function_call","name":"request_user_input","call_id":"call_1","arguments":"{\"questions\":[{\"id\":\"leaf\",\"header\":\"Leaf\",\"question\":\"Which leaf should the shop stock?\"},{\"id\":\"pot\",\"question\":\"Choose a pot\"},{\"id\":\"pin\",\"question\":\"The PIN?\",\"isSecret\":true}]}"}}
{"timestamp":"2026-03-02T10:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":` + output + `}}`
	}
	gemini := func(name, args, output string) string {
		return `{"sessionId":"s","projectHash":"h"}
{"id":"g1","timestamp":"2026-03-02T10:00:01Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"` + name + `","args":` + args + `,"status":"success","result":[{"functionResponse":{"id":"c1","name":"` + name + `","response":{"output":` + output + `}}}]}]}`
	}
	claude := func(failed, content, result string) string {
		return `{"type":"assistant","uuid":"a","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[]}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"cat log"}}]}}
{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result",` + failed + `,"content":` + content + `}]}` + result + `}`
	}
	const refused = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"codex": {
			codex(`"{\"answers\":{\"leaf\":{\"answers\":[\"Sencha (Recommended)\",\"user_note: only the first flush\"]},\"pot\":{\"answers\":[\"None of the above\",\"user_note: the blue one\"]},\"pin\":{\"answers\":[\"user_note: 1234\"]}}}"`),
			[]string{"Which leaf should the shop stock?\nSencha, only the first flush", "Choose a pot?\nthe blue one"},
		},
		"codex, cancelled":            {codex(`"request_user_input was cancelled before receiving a response"`), nil},
		"gemini":                      {gemini("ask_user", `{"questions":[{"question":"Which cup?","header":"Cup","type":"choice"},{"question":"Milk?","type":"yesno"}]}`, `"{\"answers\":{\"0\":\"Porcelain\",\"1\":\"No\"}}"`), []string{"Which cup?\nPorcelain", "Milk?\nNo"}},
		"gemini's plan":               {gemini("exit_plan_mode", `{"plan_path":"/tmp/plan.md"}`, `"Plan rejected. User feedback: Never heat the milk.\n\nThe plan is stored at: /tmp/plan.md\nRevise the plan based on the feedback."`), []string{"Never heat the milk."}},
		"a file that looks like it":   {gemini("read_file", `{"path":"a"}`, `"Plan rejected. User feedback: Never heat the milk.\n\nThe plan is stored at: x"`), nil},
		"claude, typed":               {claude(`"tool_use_id":"t1"`, `"Your questions have been answered: ..."`, `,"toolUseResult":{"answers":{"Which tin?":"The red one"},"annotations":{"Which tin?":{"notes":"and label it"}}}`), []string{"Which tin?\nThe red one\nand label it"}},
		"claude, newer":               {claude(`"tool_use_id":"t1"`, `"The user answered: \"Which tin?\"=\"The red one\". Read the answers carefully."`, ""), []string{"Which tin?\nThe red one"}},
		"claude, output of a program": {claude(`"tool_use_id":"t2"`, `"User has answered your questions: \"Which tin?\"=\"The red one\"."`, ""), nil},
		"claude, unfinished":          {claude(`"tool_use_id":"t1","is_error":true`, `"`+strings.ReplaceAll(refused, `\\`, `\`)+`The user wants to clarify these questions.\n    Start by asking them what they would like to clarify.\n\n    Questions asked:\n- \"Which tin?\"\n  Answer: The red one\n- \"Which lid?\"\n  (No answer provided)\n\nNote: The user's next message may contain a correction."`, ""), []string{"Which tin?\nThe red one"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			_, err := transcript.Read(strings.NewReader(test.text), transcript.Options{}, func(m transcript.Message) error {
				if m.Kind == transcript.Answer && m.Role == transcript.User {
					got = append(got, m.Text)
				}
				return nil
			})
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("answers %q, %v; want %q", got, err, test.want)
			}
		})
	}
}
