package transcript_test

import (
	"fmt"
	"testing"
)

// Sessions that a tool runs for itself are left out; those that a person starts without a
// terminal are not.
func TestSessionsOfPrograms(t *testing.T) {
	claude := func(more, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"u1","sessionId":"s","cwd":"/srv/tea","timestamp":"2026-03-02T10:00:00Z",%s"message":{"role":"user","content":%q}}
{"type":"assistant","uuid":"a1","sessionId":"s","timestamp":"2026-03-02T10:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"noted"}]}}`, more, text)
	}
	codex := func(origin, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:00Z","type":"session_meta","payload":{"id":"s","originator":%q,"source":"exec"}}
{"timestamp":"2026-03-02T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":%q}}`, origin, text)
	}
	const sdk = `"promptSource":"sdk","entrypoint":"sdk-ts",`
	const observed = "You are a memory keeper.\n\n<observed_from_primary_session>\n  <user_request>Always brew green tea at 80 degrees.</user_request>\n</observed_from_primary_session>"
	const digest = "Summarise.\n<session_digest_input>\nAlways sweep the floor.\n</session_digest_input>"
	for name, test := range map[string]struct {
		line string
		kept int
	}{
		"an observer":                          {claude(sdk, observed), 0},
		"an observer of an older version":      {claude("", observed), 0},
		"an observer by its folder":            {claude(`"cwd":"/home/me/.claude-mem/observer-sessions",`, "Hello again."), 0},
		"tags of some other tool":              {claude(sdk, digest), 0},
		"an observer that runs Codex":          {codex("codex_sdk_ts", digest), 0},
		"a person's prompt, headless":          {claude(`"promptSource":"sdk","entrypoint":"sdk-cli",`, "Please list the <b>open</b> windows.\n<div>x</div>"), 2},
		"a prompt with tags to claude -p":      {claude(`"promptSource":"sdk","entrypoint":"sdk-cli",`, "Review.\n<acceptance_criteria>\nIt builds.\n</acceptance_criteria>"), 2},
		"a prompt with tags to codex exec":     {codex("codex_exec", "Review.\n<acceptance_criteria>\nIt builds.\n</acceptance_criteria>"), 1},
		"a person's prompt to codex exec":      {codex("codex_exec", "Please list the open windows."), 1},
		"tags that a person typed":             {claude(`"promptSource":"typed","entrypoint":"cli",`, observed), 2},
		"tags that a person pasted long ago":   {claude("", digest), 2},
		"a person's prompt from another place": {claude(`"promptSource":"sdk","origin":{"kind":"human"},"entrypoint":"remote_mobile",`, digest), 2},
		"a person's prompt in another window":  {claude(sdk, "<system_instruction>\nYou are in a workspace.\n</system_instruction>\n\nPlease list the open windows."), 2},
		"a prompt of the system":               {claude(`"promptSource":"system",`, "Your limit was reset. Continue."), 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := takenBack(t, test.line); len(got) != test.kept {
				t.Errorf("kept %q", got)
			}
		})
	}
}
