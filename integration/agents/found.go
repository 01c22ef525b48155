package agents

import (
	"os"
	"os/exec"
)

// programs are the names of the agents' programs.
func programs() map[string]string {
	return map[string]string{ClaudeCode: "claude", Codex: "codex", Gemini: "gemini", OpenClaw: "openclaw"}
}

// Found returns the agents that this user has: their folder or their program is there.
func Found(home string, env func(string) string) (found []string) {
	s := Setup{Scope: UserScope, Home: home, Env: env}
	folders := map[string]string{
		ClaudeCode: s.dir("CLAUDE_CONFIG_DIR", ".claude"), Codex: s.dir("CODEX_HOME", ".codex"),
		Gemini: s.geminiDir(), OpenClaw: s.dir("OPENCLAW_STATE_DIR", ".openclaw"),
	}
	for _, agent := range All() {
		_, noFolder := os.Stat(folders[agent])
		_, noProgram := exec.LookPath(programs()[agent])
		if noFolder == nil || noProgram == nil {
			found = append(found, agent)
		}
	}
	return found
}
