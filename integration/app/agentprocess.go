package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type process struct {
	parent int
	name   string
	start  string // start time as the system counts it; id and start identify a process
}

// maxShells is how many shells may be between an agent and a program.
const maxShells = 8

// AgentProcess identifies the process of the agent that runs this one: the nearest
// ancestor that is not a shell. It is the same for everything that the agent runs,
// and unique until the machine restarts. It is "" if it is not known.
func AgentProcess() string { return agentAbove(os.Getppid(), processOf) }

func agentAbove(id int, look func(id int) (process, bool)) string {
	shells := []string{"sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox", "env"}
	for range maxShells {
		p, found := look(id)
		switch {
		case !found || p.parent == 0: // init is not an agent
			return ""
		case !slices.Contains(shells, strings.TrimPrefix(filepath.Base(p.name), "-")): // "-" is of a login shell
			return fmt.Sprintf("%d@%s", id, p.start)
		}
		id = p.parent
	}
	return ""
}
