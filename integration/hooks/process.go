package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// process is one of this machine.
type process struct {
	parent int
	name   string
	began  string // when, as the system counts it; with the id it names one process
}

// maxShells is how many shells may stand between an agent and what it runs.
const maxShells = 8

// AgentProcess names the process of the agent that runs this one: the nearest of
// those above it that is no shell. The name is the same for everything that an
// agent runs, however it runs it, and no other process of this machine ever has
// it before the next start of the machine. It is "" where it cannot be found
// out.
func AgentProcess() string { return agentAbove(os.Getppid(), processOf) }

func agentAbove(id int, look func(id int) (process, bool)) string {
	for range maxShells {
		p, found := look(id)
		switch {
		case !found || p.parent == 0: // what starts all others is no agent
			return ""
		case !isShell(p.name):
			return fmt.Sprintf("%d@%s", id, p.began)
		}
		id = p.parent
	}
	return ""
}

// isShell reports whether a process only runs another one.
func isShell(name string) bool {
	name = strings.TrimPrefix(filepath.Base(name), "-") // of a login
	return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox", "env"}, name)
}
