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
		"in the text only": {result("false", `User has answered your questions: \"Which database?\"=\"Postgres\". You can now continue.`, ""), []string{"Which database?\nPostgres"}},
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
