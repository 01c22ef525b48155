package app

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Shells in between do not matter, and what is above the agent does not either.
func TestTheAgentIsTheNearestThatIsNoShell(t *testing.T) {
	all := map[int]process{
		1: {0, "init", "1"}, 10: {1, "tmux: server", "5"}, 11: {10, "-zsh", "6"},
		20: {11, "claude", "7"}, 21: {20, "sh", "8"}, 22: {21, "/bin/bash", "8"},
		30: {22, "node", "9"}, 40: {41, "sh", "9"}, 41: {40, "sh", "9"},
	}
	for id, want := range map[int]string{
		20: "20@7", 21: "20@7", 22: "20@7", // of its hooks and servers
		30: "30@9", // an agent that an agent runs is one of its own
		11: "10@5", // by hand
		1:  "", 40: "", 99: "",
	} {
		got := agentAbove(id, func(id int) (process, bool) { p, found := all[id]; return p, found })
		if got != want {
			t.Errorf("above what %d runs is %q, want %q", id, got, want)
		}
	}
}

// What the system says of a process is that of a real one.
func TestTheSystemKnowsProcesses(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system is not asked")
	}
	p, found := processOf(os.Getpid())
	if !found || p.parent != os.Getppid() || p.start == "" || p.name == "" {
		t.Errorf("of this process it says %+v, %v", p, found)
	}
	out, err := exec.Command("sh", "-c", "echo $$; read x </dev/null; :").Output()
	if err != nil {
		t.Fatal(err)
	}
	gone, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	if p, found := processOf(gone); found {
		t.Errorf("of a process that is gone it says %+v", p)
	}
}
