package exchange

import (
	"path"
	"slices"
	"strings"
)

// isInstruction reports whether a file of a workspace tells the agent how to behave, which
// loads it itself: such files are only searched.
func isInstruction(rel string) bool {
	name := strings.ToUpper(path.Base(rel))
	return strings.HasPrefix(rel, "skills/") ||
		slices.Contains([]string{"AGENTS.MD", "SOUL.MD", "HEARTBEAT.MD", "BOOT.MD", "BOOTSTRAP.MD", "CLAUDE.MD", "SKILL.MD"}, name)
}
